func.func @main(%0: tensor<5x23xi1>) -> tensor<5x23xi64> {
  %1 = graph.convert %0 : tensor<5x23xi1> -> tensor<5x23xi64>
  %2 = graph.scan sum %1 dim 1 : tensor<5x23xi64>
  func.return %2 : tensor<5x23xi64>
}

func.func @main(%0: tensor<5x60xf64>) -> (tensor<5x60xf64>, tensor<5x60xi64>, tensor<5x60xi64>) {
  %1 = graph.scan min %0 dim 1 : tensor<5x60xf64>
  %2 = graph.scan argmin %0 dim 1 : tensor<5x60xf64> -> tensor<5x60xi64>
  %3 = graph.scan argmax %0 dim 0 : tensor<5x60xf64> -> tensor<5x60xi64>
  func.return %1, %2, %3 : tensor<5x60xf64>, tensor<5x60xi64>, tensor<5x60xi64>
}

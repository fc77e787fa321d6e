func.func @main(%0: tensor<100xf32>) -> tensor<100xf32> {
  %1 = graph.exp %0 : tensor<100xf32>
  %2 = graph.full 2.0 : tensor<100xf32>
  %3 = graph.mul %1, %2 : tensor<100xf32>
  %4 = graph.sin %1 : tensor<100xf32>
  %5 = graph.add %3, %4 : tensor<100xf32>
  %6 = graph.sub %5, %1 : tensor<100xf32>
  func.return %6 : tensor<100xf32>
}

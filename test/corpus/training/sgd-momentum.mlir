func.func @main(%0: tensor<100xf32>, %1: tensor<100xf32>, %2: tensor<100xf32>) -> (tensor<100xf32>, tensor<100xf32>) {
  %3 = graph.full 0.9 : tensor<100xf32>
  %4 = graph.mul %2, %3 : tensor<100xf32>
  %5 = graph.add %4, %1 : tensor<100xf32>
  %6 = graph.full 0.01 : tensor<100xf32>
  %7 = graph.mul %5, %6 : tensor<100xf32>
  %8 = graph.sub %0, %7 : tensor<100xf32>
  func.return %8, %5 : tensor<100xf32>, tensor<100xf32>
}

func.func @main(%0: tensor<16x24xf32>, %1: tensor<16x24xf32>, %2: tensor<16x24xf32>) -> tensor<16x24xf32> {
  %3 = graph.mul %0, %1 : tensor<16x24xf32>
  %4 = graph.add %3, %2 : tensor<16x24xf32>
  %5 = graph.sigmoid %4 : tensor<16x24xf32>
  func.return %5 : tensor<16x24xf32>
}

func.func @main(%0: tensor<6x40xf32>, %1: tensor<6x40xf32>) -> tensor<6x40xf32> {
  %2 = graph.sigmoid %0 : tensor<6x40xf32>
  %3 = graph.mul %0, %2 : tensor<6x40xf32>
  %4 = graph.mul %3, %1 : tensor<6x40xf32>
  func.return %4 : tensor<6x40xf32>
}

func.func @main(%0: tensor<6x40xf32>) -> tensor<6x20xf32> {
  %1 = graph.slice %0 starts [0, 0] steps [1, 1] : tensor<6x40xf32> -> tensor<6x20xf32>
  %2 = graph.slice %0 starts [0, 20] steps [1, 1] : tensor<6x40xf32> -> tensor<6x20xf32>
  %3 = graph.sigmoid %1 : tensor<6x20xf32>
  %4 = graph.mul %1, %3 : tensor<6x20xf32>
  %5 = graph.mul %4, %2 : tensor<6x20xf32>
  func.return %5 : tensor<6x20xf32>
}

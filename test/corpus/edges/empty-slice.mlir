func.func @main(%0: tensor<6x5xf32>) -> (tensor<0x5xf32>, tensor<2x5xf32>) {
  %1 = graph.slice %0 starts [3, 0] steps [1, 1] : tensor<6x5xf32> -> tensor<0x5xf32>
  %2 = graph.full 1.0 : tensor<0x5xf32>
  %3 = graph.add %1, %2 : tensor<0x5xf32>
  %4 = graph.slice %0 starts [3, 0] steps [1, 1] : tensor<6x5xf32> -> tensor<0x5xf32>
  %5 = graph.pad %4 low [2, 0] high [0, 0] value 4.0 : tensor<0x5xf32> -> tensor<2x5xf32>
  func.return %3, %5 : tensor<0x5xf32>, tensor<2x5xf32>
}

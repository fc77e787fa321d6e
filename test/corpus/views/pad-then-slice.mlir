func.func @main(%0: tensor<6x9xf32>) -> tensor<8x6xf32> {
  %1 = graph.pad %0 low [2, 2] high [2, 2] value -1.0 : tensor<6x9xf32> -> tensor<10x13xf32>
  %2 = graph.slice %1 starts [1, 0] steps [1, 1] : tensor<10x13xf32> -> tensor<8x13xf32>
  %3 = graph.slice %2 starts [0, 0] steps [1, 2] : tensor<8x13xf32> -> tensor<8x6xf32>
  func.return %3 : tensor<8x6xf32>
}

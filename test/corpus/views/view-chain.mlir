func.func @main(%0: tensor<4x6x10xf32>) -> (tensor<4x26xf32>, tensor<26xf32>) {
  %1 = graph.permute %0 dims [1, 2, 0] : tensor<4x6x10xf32> -> tensor<6x10x4xf32>
  %2 = graph.slice %1 starts [0, 1, 0] steps [1, 2, 1] : tensor<6x10x4xf32> -> tensor<6x4x4xf32>
  %3 = graph.reverse %2 dims [0] : tensor<6x4x4xf32>
  %4 = graph.reshape %3 : tensor<6x4x4xf32> -> tensor<24x4xf32>
  %5 = graph.pad %4 low [1, 0] high [1, 0] value 1.0 : tensor<24x4xf32> -> tensor<26x4xf32>
  %6 = graph.permute %5 dims [1, 0] : tensor<26x4xf32> -> tensor<4x26xf32>
  %7 = graph.full 2.0 : tensor<4x26xf32>
  %8 = graph.mul %6, %7 : tensor<4x26xf32>
  %9 = graph.reduce sum %6 dims [0] : tensor<4x26xf32> -> tensor<26xf32>
  func.return %8, %9 : tensor<4x26xf32>, tensor<26xf32>
}

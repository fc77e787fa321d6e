func.func @main(%0: tensor<2x4x6x16xf32>, %1: tensor<6x16xf32>, %2: tensor<6x16xf32>) -> tensor<2x4x6x16xf32> {
  %3 = graph.slice %0 starts [0, 0, 0, 8] steps [1, 1, 1, 1] : tensor<2x4x6x16xf32> -> tensor<2x4x6x8xf32>
  %4 = graph.neg %3 : tensor<2x4x6x8xf32>
  %5 = graph.slice %0 starts [0, 0, 0, 0] steps [1, 1, 1, 1] : tensor<2x4x6x16xf32> -> tensor<2x4x6x8xf32>
  %6 = graph.concat %4, %5 dim 3 : (tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) -> tensor<2x4x6x16xf32>
  %7 = graph.broadcast %1 dims [2, 3] : tensor<6x16xf32> -> tensor<2x4x6x16xf32>
  %8 = graph.mul %0, %7 : tensor<2x4x6x16xf32>
  %9 = graph.broadcast %2 dims [2, 3] : tensor<6x16xf32> -> tensor<2x4x6x16xf32>
  %10 = graph.mul %6, %9 : tensor<2x4x6x16xf32>
  %11 = graph.add %8, %10 : tensor<2x4x6x16xf32>
  func.return %11 : tensor<2x4x6x16xf32>
}

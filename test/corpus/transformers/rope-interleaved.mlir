func.func @main(%0: tensor<2x6x16xf32>, %1: tensor<6x8xf32>, %2: tensor<6x8xf32>) -> tensor<2x6x16xf32> {
  %3 = graph.slice %0 starts [0, 0, 0] steps [1, 1, 2] : tensor<2x6x16xf32> -> tensor<2x6x8xf32>
  %4 = graph.slice %0 starts [0, 0, 1] steps [1, 1, 2] : tensor<2x6x16xf32> -> tensor<2x6x8xf32>
  %5 = graph.broadcast %1 dims [1, 2] : tensor<6x8xf32> -> tensor<2x6x8xf32>
  %6 = graph.mul %3, %5 : tensor<2x6x8xf32>
  %7 = graph.broadcast %2 dims [1, 2] : tensor<6x8xf32> -> tensor<2x6x8xf32>
  %8 = graph.mul %4, %7 : tensor<2x6x8xf32>
  %9 = graph.sub %6, %8 : tensor<2x6x8xf32>
  %10 = graph.reshape %9 : tensor<2x6x8xf32> -> tensor<2x6x8x1xf32>
  %11 = graph.broadcast %1 dims [1, 2] : tensor<6x8xf32> -> tensor<2x6x8xf32>
  %12 = graph.mul %4, %11 : tensor<2x6x8xf32>
  %13 = graph.broadcast %2 dims [1, 2] : tensor<6x8xf32> -> tensor<2x6x8xf32>
  %14 = graph.mul %3, %13 : tensor<2x6x8xf32>
  %15 = graph.add %12, %14 : tensor<2x6x8xf32>
  %16 = graph.reshape %15 : tensor<2x6x8xf32> -> tensor<2x6x8x1xf32>
  %17 = graph.concat %10, %16 dim 3 : (tensor<2x6x8x1xf32>, tensor<2x6x8x1xf32>) -> tensor<2x6x8x2xf32>
  %18 = graph.reshape %17 : tensor<2x6x8x2xf32> -> tensor<2x6x16xf32>
  func.return %18 : tensor<2x6x16xf32>
}

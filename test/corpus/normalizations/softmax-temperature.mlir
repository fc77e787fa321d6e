func.func @main(%0: tensor<10x70xf32>, %1: tensor<f32>) -> tensor<10x70xf32> {
  %2 = graph.abs %1 : tensor<f32>
  %3 = graph.full 1.0 : tensor<f32>
  %4 = graph.add %2, %3 : tensor<f32>
  %5 = graph.broadcast %4 dims [] : tensor<f32> -> tensor<10x70xf32>
  %6 = graph.div %0, %5 : tensor<10x70xf32>
  %7 = graph.reduce max %6 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %8 = graph.reshape %7 : tensor<10xf32> -> tensor<10x1xf32>
  %9 = graph.broadcast %8 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %10 = graph.sub %6, %9 : tensor<10x70xf32>
  %11 = graph.exp %10 : tensor<10x70xf32>
  %12 = graph.reduce sum %11 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %13 = graph.reshape %12 : tensor<10xf32> -> tensor<10x1xf32>
  %14 = graph.broadcast %13 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %15 = graph.div %11, %14 : tensor<10x70xf32>
  func.return %15 : tensor<10x70xf32>
}

func.func @main(%0: tensor<6x10x8xf32>, %1: tensor<6x10x8xf32>, %2: tensor<6x10x8xf32>) -> tensor<6x10x8xf32> {
  %3 = graph.permute %1 dims [0, 2, 1] : tensor<6x10x8xf32> -> tensor<6x8x10xf32>
  %4 = graph.contract %0, %3 batch [0], [0] contract [2], [1] : (tensor<6x10x8xf32>, tensor<6x8x10xf32>) -> tensor<6x10x10xf32>
  %5 = graph.full 0.353553385 : tensor<6x10x10xf32>
  %6 = graph.mul %4, %5 : tensor<6x10x10xf32>
  %7 = graph.iota dim 0 : tensor<10x10xi64>
  %8 = graph.iota dim 1 : tensor<10x10xi64>
  %9 = graph.compare ge %7, %8 : tensor<10x10xi64>
  %10 = graph.broadcast %9 dims [1, 2] : tensor<10x10xi1> -> tensor<6x10x10xi1>
  %11 = graph.full -1.0e+09 : tensor<6x10x10xf32>
  %12 = graph.select %10, %6, %11 : tensor<6x10x10xf32>
  %13 = graph.reduce max %12 dims [2] : tensor<6x10x10xf32> -> tensor<6x10xf32>
  %14 = graph.reshape %13 : tensor<6x10xf32> -> tensor<6x10x1xf32>
  %15 = graph.broadcast %14 dims [0, 1, 2] : tensor<6x10x1xf32> -> tensor<6x10x10xf32>
  %16 = graph.sub %12, %15 : tensor<6x10x10xf32>
  %17 = graph.exp %16 : tensor<6x10x10xf32>
  %18 = graph.reduce sum %17 dims [2] : tensor<6x10x10xf32> -> tensor<6x10xf32>
  %19 = graph.reshape %18 : tensor<6x10xf32> -> tensor<6x10x1xf32>
  %20 = graph.broadcast %19 dims [0, 1, 2] : tensor<6x10x1xf32> -> tensor<6x10x10xf32>
  %21 = graph.div %17, %20 : tensor<6x10x10xf32>
  %22 = graph.contract %21, %2 batch [0], [0] contract [2], [1] : (tensor<6x10x10xf32>, tensor<6x10x8xf32>) -> tensor<6x10x8xf32>
  func.return %22 : tensor<6x10x8xf32>
}

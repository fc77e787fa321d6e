func.func @main(%0: tensor<16x32xf32>, %1: tensor<32x200xf32>) -> tensor<16xf32> {
  %2 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<16x32xf32>, tensor<32x200xf32>) -> tensor<16x200xf32>
  %3 = graph.full 0.125 : tensor<16x200xf32>
  %4 = graph.mul %2, %3 : tensor<16x200xf32>
  %5 = graph.reduce max %4 dims [1] : tensor<16x200xf32> -> tensor<16xf32>
  %6 = graph.reshape %5 : tensor<16xf32> -> tensor<16x1xf32>
  %7 = graph.full 0.0 : tensor<16x1xf32>
  %8 = graph.abs %6 : tensor<16x1xf32>
  %9 = graph.full inf : tensor<16x1xf32>
  %10 = graph.compare eq %8, %9 : tensor<16x1xf32>
  %11 = graph.select %10, %7, %6 : tensor<16x1xf32>
  %12 = graph.broadcast %11 dims [0, 1] : tensor<16x1xf32> -> tensor<16x200xf32>
  %13 = graph.sub %4, %12 : tensor<16x200xf32>
  %14 = graph.exp %13 : tensor<16x200xf32>
  %15 = graph.reduce sum %14 dims [1] : tensor<16x200xf32> -> tensor<16xf32>
  %16 = graph.log %15 : tensor<16xf32>
  %17 = graph.reshape %11 : tensor<16x1xf32> -> tensor<16xf32>
  %18 = graph.add %16, %17 : tensor<16xf32>
  func.return %18 : tensor<16xf32>
}

func.func @main(%0: tensor<2x8x32xbf16>, %1: tensor<2x32x128xbf16>) -> tensor<2x8x1xbf16> {
  %2 = graph.contract %0, %1 batch [0], [0] contract [2], [1] : (tensor<2x8x32xbf16>, tensor<2x32x128xbf16>) -> tensor<2x8x128xbf16>
  %3 = graph.full 0.125 : tensor<2x8x128xbf16>
  %4 = graph.mul %2, %3 : tensor<2x8x128xbf16>
  %5 = graph.convert %4 : tensor<2x8x128xbf16> -> tensor<2x8x128xf32>
  %6 = graph.reduce max %5 dims [2] : tensor<2x8x128xf32> -> tensor<2x8xf32>
  %7 = graph.reshape %6 : tensor<2x8xf32> -> tensor<2x8x1xf32>
  %8 = graph.full 0.0 : tensor<2x8x1xf32>
  %9 = graph.abs %7 : tensor<2x8x1xf32>
  %10 = graph.full inf : tensor<2x8x1xf32>
  %11 = graph.compare eq %9, %10 : tensor<2x8x1xf32>
  %12 = graph.select %11, %8, %7 : tensor<2x8x1xf32>
  %13 = graph.broadcast %12 dims [0, 1, 2] : tensor<2x8x1xf32> -> tensor<2x8x128xf32>
  %14 = graph.sub %5, %13 : tensor<2x8x128xf32>
  %15 = graph.exp %14 : tensor<2x8x128xf32>
  %16 = graph.reduce sum %15 dims [2] : tensor<2x8x128xf32> -> tensor<2x8xf32>
  %17 = graph.reshape %16 : tensor<2x8xf32> -> tensor<2x8x1xf32>
  %18 = graph.log %17 : tensor<2x8x1xf32>
  %19 = graph.add %18, %12 : tensor<2x8x1xf32>
  %20 = graph.full 2.0 : tensor<2x8x1xf32>
  %21 = graph.mul %19, %20 : tensor<2x8x1xf32>
  %22 = graph.convert %21 : tensor<2x8x1xf32> -> tensor<2x8x1xbf16>
  func.return %22 : tensor<2x8x1xbf16>
}

func.func @main(%0: tensor<24x32xbf16>, %1: tensor<32x256xbf16>) -> tensor<24xbf16> {
  %2 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x256xbf16>) -> tensor<24x256xbf16>
  %3 = graph.full 0.125 : tensor<24x256xbf16>
  %4 = graph.mul %2, %3 : tensor<24x256xbf16>
  %5 = graph.convert %4 : tensor<24x256xbf16> -> tensor<24x256xf32>
  %6 = graph.reduce max %5 dims [1] : tensor<24x256xf32> -> tensor<24xf32>
  %7 = graph.reshape %6 : tensor<24xf32> -> tensor<24x1xf32>
  %8 = graph.full 0.0 : tensor<24x1xf32>
  %9 = graph.abs %7 : tensor<24x1xf32>
  %10 = graph.full inf : tensor<24x1xf32>
  %11 = graph.compare eq %9, %10 : tensor<24x1xf32>
  %12 = graph.select %11, %8, %7 : tensor<24x1xf32>
  %13 = graph.broadcast %12 dims [0, 1] : tensor<24x1xf32> -> tensor<24x256xf32>
  %14 = graph.sub %5, %13 : tensor<24x256xf32>
  %15 = graph.exp %14 : tensor<24x256xf32>
  %16 = graph.reduce sum %15 dims [1] : tensor<24x256xf32> -> tensor<24xf32>
  %17 = graph.log %16 : tensor<24xf32>
  %18 = graph.reshape %12 : tensor<24x1xf32> -> tensor<24xf32>
  %19 = graph.add %17, %18 : tensor<24xf32>
  %20 = graph.convert %19 : tensor<24xf32> -> tensor<24xbf16>
  func.return %20 : tensor<24xbf16>
}

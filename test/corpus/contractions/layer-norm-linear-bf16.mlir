func.func @main(%0: tensor<24x64xbf16>, %1: tensor<64xbf16>, %2: tensor<64xbf16>, %3: tensor<64x40xbf16>) -> tensor<24x40xbf16> {
  %4 = graph.convert %0 : tensor<24x64xbf16> -> tensor<24x64xf32>
  %5 = graph.convert %1 : tensor<64xbf16> -> tensor<64xf32>
  %6 = graph.convert %2 : tensor<64xbf16> -> tensor<64xf32>
  %7 = graph.reduce sum %4 dims [1] : tensor<24x64xf32> -> tensor<24xf32>
  %8 = graph.reshape %7 : tensor<24xf32> -> tensor<24x1xf32>
  %9 = graph.full 0.015625 : tensor<24x1xf32>
  %10 = graph.mul %8, %9 : tensor<24x1xf32>
  %11 = graph.broadcast %10 dims [0, 1] : tensor<24x1xf32> -> tensor<24x64xf32>
  %12 = graph.sub %4, %11 : tensor<24x64xf32>
  %13 = graph.mul %12, %12 : tensor<24x64xf32>
  %14 = graph.reduce sum %13 dims [1] : tensor<24x64xf32> -> tensor<24xf32>
  %15 = graph.reshape %14 : tensor<24xf32> -> tensor<24x1xf32>
  %16 = graph.full 0.015625 : tensor<24x1xf32>
  %17 = graph.mul %15, %16 : tensor<24x1xf32>
  %18 = graph.full 1.0e-05 : tensor<24x1xf32>
  %19 = graph.add %17, %18 : tensor<24x1xf32>
  %20 = graph.rsqrt %19 : tensor<24x1xf32>
  %21 = graph.broadcast %20 dims [0, 1] : tensor<24x1xf32> -> tensor<24x64xf32>
  %22 = graph.mul %12, %21 : tensor<24x64xf32>
  %23 = graph.broadcast %5 dims [1] : tensor<64xf32> -> tensor<24x64xf32>
  %24 = graph.mul %22, %23 : tensor<24x64xf32>
  %25 = graph.broadcast %6 dims [1] : tensor<64xf32> -> tensor<24x64xf32>
  %26 = graph.add %24, %25 : tensor<24x64xf32>
  %27 = graph.full 0.125 : tensor<24x64xf32>
  %28 = graph.mul %26, %27 : tensor<24x64xf32>
  %29 = graph.convert %28 : tensor<24x64xf32> -> tensor<24x64xbf16>
  %30 = graph.contract %29, %3 batch [], [] contract [1], [0] : (tensor<24x64xbf16>, tensor<64x40xbf16>) -> tensor<24x40xbf16>
  func.return %30 : tensor<24x40xbf16>
}

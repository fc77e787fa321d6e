func.func @main(%0: tensor<2x12x64xbf16>, %1: tensor<2x12x64xbf16>, %2: tensor<64xbf16>, %3: tensor<64x40xbf16>, %4: tensor<64x16xbf16>) -> (tensor<24x40xbf16>, tensor<24x16xbf16>, tensor<2x12x64xbf16>) {
  %5 = graph.add %0, %1 : tensor<2x12x64xbf16>
  %6 = graph.convert %5 : tensor<2x12x64xbf16> -> tensor<2x12x64xf32>
  %7 = graph.mul %6, %6 : tensor<2x12x64xf32>
  %8 = graph.reduce sum %7 dims [2] : tensor<2x12x64xf32> -> tensor<2x12xf32>
  %9 = graph.reshape %8 : tensor<2x12xf32> -> tensor<2x12x1xf32>
  %10 = graph.full 0.015625 : tensor<2x12x1xf32>
  %11 = graph.mul %9, %10 : tensor<2x12x1xf32>
  %12 = graph.full 1.0e-06 : tensor<2x12x1xf32>
  %13 = graph.add %11, %12 : tensor<2x12x1xf32>
  %14 = graph.rsqrt %13 : tensor<2x12x1xf32>
  %15 = graph.broadcast %14 dims [0, 1, 2] : tensor<2x12x1xf32> -> tensor<2x12x64xf32>
  %16 = graph.mul %6, %15 : tensor<2x12x64xf32>
  %17 = graph.convert %2 : tensor<64xbf16> -> tensor<64xf32>
  %18 = graph.broadcast %17 dims [2] : tensor<64xf32> -> tensor<2x12x64xf32>
  %19 = graph.mul %16, %18 : tensor<2x12x64xf32>
  %20 = graph.convert %19 : tensor<2x12x64xf32> -> tensor<2x12x64xbf16>
  %21 = graph.full 0.125 : tensor<2x12x64xbf16>
  %22 = graph.mul %20, %21 : tensor<2x12x64xbf16>
  %23 = graph.reshape %22 : tensor<2x12x64xbf16> -> tensor<24x64xbf16>
  %24 = graph.contract %23, %3 batch [], [] contract [1], [0] : (tensor<24x64xbf16>, tensor<64x40xbf16>) -> tensor<24x40xbf16>
  %25 = graph.contract %23, %4 batch [], [] contract [1], [0] : (tensor<24x64xbf16>, tensor<64x16xbf16>) -> tensor<24x16xbf16>
  func.return %24, %25, %5 : tensor<24x40xbf16>, tensor<24x16xbf16>, tensor<2x12x64xbf16>
}

func.func @main(%0: tensor<24x32xbf16>, %1: tensor<32x128xbf16>, %2: tensor<24x128xbf16>, %3: tensor<128xbf16>, %4: tensor<128x256xbf16>, %5: tensor<128x256xbf16>, %6: tensor<256x128xbf16>) -> tensor<24x128xbf16> {
  %7 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x128xbf16>) -> tensor<24x128xbf16>
  %8 = graph.full 0.125 : tensor<24x128xbf16>
  %9 = graph.mul %7, %8 : tensor<24x128xbf16>
  %10 = graph.add %9, %2 : tensor<24x128xbf16>
  %11 = graph.convert %10 : tensor<24x128xbf16> -> tensor<24x128xf32>
  %12 = graph.mul %11, %11 : tensor<24x128xf32>
  %13 = graph.reduce sum %12 dims [1] : tensor<24x128xf32> -> tensor<24xf32>
  %14 = graph.reshape %13 : tensor<24xf32> -> tensor<24x1xf32>
  %15 = graph.full 0.0078125 : tensor<24x1xf32>
  %16 = graph.mul %14, %15 : tensor<24x1xf32>
  %17 = graph.full 1.0e-06 : tensor<24x1xf32>
  %18 = graph.add %16, %17 : tensor<24x1xf32>
  %19 = graph.rsqrt %18 : tensor<24x1xf32>
  %20 = graph.broadcast %19 dims [0, 1] : tensor<24x1xf32> -> tensor<24x128xf32>
  %21 = graph.mul %11, %20 : tensor<24x128xf32>
  %22 = graph.convert %3 : tensor<128xbf16> -> tensor<128xf32>
  %23 = graph.broadcast %22 dims [1] : tensor<128xf32> -> tensor<24x128xf32>
  %24 = graph.mul %21, %23 : tensor<24x128xf32>
  %25 = graph.convert %24 : tensor<24x128xf32> -> tensor<24x128xbf16>
  %26 = graph.full 0.25 : tensor<24x128xbf16>
  %27 = graph.mul %25, %26 : tensor<24x128xbf16>
  %28 = graph.contract %27, %4 batch [], [] contract [1], [0] : (tensor<24x128xbf16>, tensor<128x256xbf16>) -> tensor<24x256xbf16>
  %29 = graph.full 0.125 : tensor<24x256xbf16>
  %30 = graph.mul %28, %29 : tensor<24x256xbf16>
  %31 = graph.contract %27, %5 batch [], [] contract [1], [0] : (tensor<24x128xbf16>, tensor<128x256xbf16>) -> tensor<24x256xbf16>
  %32 = graph.full 0.125 : tensor<24x256xbf16>
  %33 = graph.mul %31, %32 : tensor<24x256xbf16>
  %34 = graph.sigmoid %30 : tensor<24x256xbf16>
  %35 = graph.mul %30, %34 : tensor<24x256xbf16>
  %36 = graph.mul %35, %33 : tensor<24x256xbf16>
  %37 = graph.contract %36, %6 batch [], [] contract [1], [0] : (tensor<24x256xbf16>, tensor<256x128xbf16>) -> tensor<24x128xbf16>
  %38 = graph.full 0.0625 : tensor<24x128xbf16>
  %39 = graph.mul %37, %38 : tensor<24x128xbf16>
  %40 = graph.add %10, %39 : tensor<24x128xbf16>
  func.return %40 : tensor<24x128xbf16>
}

func.func @main(%0: tensor<2640x192xbf16>, %1: tensor<2640x192xbf16>, %2: tensor<192xf32>) -> (tensor<2640x192xbf16>, tensor<192xf32>) {
  %3 = graph.convert %0 : tensor<2640x192xbf16> -> tensor<2640x192xf32>
  %4 = graph.convert %1 : tensor<2640x192xbf16> -> tensor<2640x192xf32>
  %5 = graph.mul %3, %3 : tensor<2640x192xf32>
  %6 = graph.reduce sum %5 dims [1] : tensor<2640x192xf32> -> tensor<2640xf32>
  %7 = graph.reshape %6 : tensor<2640xf32> -> tensor<2640x1xf32>
  %8 = graph.full 0.00520833349 : tensor<2640x1xf32>
  %9 = graph.mul %7, %8 : tensor<2640x1xf32>
  %10 = graph.full 1.0e-06 : tensor<2640x1xf32>
  %11 = graph.add %9, %10 : tensor<2640x1xf32>
  %12 = graph.rsqrt %11 : tensor<2640x1xf32>
  %13 = graph.broadcast %12 dims [0, 1] : tensor<2640x1xf32> -> tensor<2640x192xf32>
  %14 = graph.mul %3, %13 : tensor<2640x192xf32>
  %15 = graph.broadcast %2 dims [1] : tensor<192xf32> -> tensor<2640x192xf32>
  %16 = graph.mul %4, %15 : tensor<2640x192xf32>
  %17 = graph.mul %16, %14 : tensor<2640x192xf32>
  %18 = graph.reduce sum %17 dims [1] : tensor<2640x192xf32> -> tensor<2640xf32>
  %19 = graph.reshape %18 : tensor<2640xf32> -> tensor<2640x1xf32>
  %20 = graph.full 0.00520833349 : tensor<2640x1xf32>
  %21 = graph.mul %19, %20 : tensor<2640x1xf32>
  %22 = graph.broadcast %21 dims [0, 1] : tensor<2640x1xf32> -> tensor<2640x192xf32>
  %23 = graph.mul %14, %22 : tensor<2640x192xf32>
  %24 = graph.sub %16, %23 : tensor<2640x192xf32>
  %25 = graph.broadcast %12 dims [0, 1] : tensor<2640x1xf32> -> tensor<2640x192xf32>
  %26 = graph.mul %24, %25 : tensor<2640x192xf32>
  %27 = graph.convert %26 : tensor<2640x192xf32> -> tensor<2640x192xbf16>
  %28 = graph.mul %4, %14 : tensor<2640x192xf32>
  %29 = graph.reduce sum %28 dims [0] : tensor<2640x192xf32> -> tensor<192xf32>
  func.return %27, %29 : tensor<2640x192xbf16>, tensor<192xf32>
}

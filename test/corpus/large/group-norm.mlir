func.func @main(%0: tensor<3x8x40x41xf32>, %1: tensor<8x1x1xf32>, %2: tensor<8x1x1xf32>) -> tensor<3x8x40x41xf32> {
  %3 = graph.reshape %0 : tensor<3x8x40x41xf32> -> tensor<3x2x6560xf32>
  %4 = graph.reduce sum %3 dims [2] : tensor<3x2x6560xf32> -> tensor<3x2xf32>
  %5 = graph.reshape %4 : tensor<3x2xf32> -> tensor<3x2x1xf32>
  %6 = graph.full 0.000152439025 : tensor<3x2x1xf32>
  %7 = graph.mul %5, %6 : tensor<3x2x1xf32>
  %8 = graph.broadcast %7 dims [0, 1, 2] : tensor<3x2x1xf32> -> tensor<3x2x6560xf32>
  %9 = graph.sub %3, %8 : tensor<3x2x6560xf32>
  %10 = graph.mul %9, %9 : tensor<3x2x6560xf32>
  %11 = graph.reduce sum %10 dims [2] : tensor<3x2x6560xf32> -> tensor<3x2xf32>
  %12 = graph.reshape %11 : tensor<3x2xf32> -> tensor<3x2x1xf32>
  %13 = graph.full 0.000152439025 : tensor<3x2x1xf32>
  %14 = graph.mul %12, %13 : tensor<3x2x1xf32>
  %15 = graph.full 1.0e-05 : tensor<3x2x1xf32>
  %16 = graph.add %14, %15 : tensor<3x2x1xf32>
  %17 = graph.rsqrt %16 : tensor<3x2x1xf32>
  %18 = graph.broadcast %17 dims [0, 1, 2] : tensor<3x2x1xf32> -> tensor<3x2x6560xf32>
  %19 = graph.mul %9, %18 : tensor<3x2x6560xf32>
  %20 = graph.reshape %19 : tensor<3x2x6560xf32> -> tensor<3x8x40x41xf32>
  %21 = graph.broadcast %1 dims [1, 2, 3] : tensor<8x1x1xf32> -> tensor<3x8x40x41xf32>
  %22 = graph.mul %20, %21 : tensor<3x8x40x41xf32>
  %23 = graph.broadcast %2 dims [1, 2, 3] : tensor<8x1x1xf32> -> tensor<3x8x40x41xf32>
  %24 = graph.add %22, %23 : tensor<3x8x40x41xf32>
  func.return %24 : tensor<3x8x40x41xf32>
}

func.func @main(%0: tensor<2x6x8x8xf32>, %1: tensor<10x6x3x3xf32>, %2: tensor<10xf32>, %3: tensor<10xf32>, %4: tensor<10xf32>, %5: tensor<10xf32>) -> (tensor<2x10x3x3xf32>, tensor<2x10xf32>) {
  %6 = graph.reshape %2 : tensor<10xf32> -> tensor<1x10x1x1xf32>
  %7 = graph.reshape %3 : tensor<10xf32> -> tensor<1x10x1x1xf32>
  %8 = graph.reshape %4 : tensor<10xf32> -> tensor<1x10x1x1xf32>
  %9 = graph.reshape %5 : tensor<10xf32> -> tensor<1x10x1x1xf32>
  %10 = graph.call_aten "aten.convolution.default"(%0, %1) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [2 : i64, 2 : i64], [0 : i64, 0 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64]} : (tensor<2x6x8x8xf32>, tensor<10x6x3x3xf32>) -> tensor<2x10x3x3xf32>
  %11 = graph.full 0.25 : tensor<2x10x3x3xf32>
  %12 = graph.mul %10, %11 : tensor<2x10x3x3xf32>
  %13 = graph.broadcast %8 dims [0, 1, 2, 3] : tensor<1x10x1x1xf32> -> tensor<2x10x3x3xf32>
  %14 = graph.sub %12, %13 : tensor<2x10x3x3xf32>
  %15 = graph.mul %9, %9 : tensor<1x10x1x1xf32>
  %16 = graph.full 0.5 : tensor<1x10x1x1xf32>
  %17 = graph.add %15, %16 : tensor<1x10x1x1xf32>
  %18 = graph.rsqrt %17 : tensor<1x10x1x1xf32>
  %19 = graph.broadcast %18 dims [0, 1, 2, 3] : tensor<1x10x1x1xf32> -> tensor<2x10x3x3xf32>
  %20 = graph.mul %14, %19 : tensor<2x10x3x3xf32>
  %21 = graph.broadcast %6 dims [0, 1, 2, 3] : tensor<1x10x1x1xf32> -> tensor<2x10x3x3xf32>
  %22 = graph.mul %20, %21 : tensor<2x10x3x3xf32>
  %23 = graph.broadcast %7 dims [0, 1, 2, 3] : tensor<1x10x1x1xf32> -> tensor<2x10x3x3xf32>
  %24 = graph.add %22, %23 : tensor<2x10x3x3xf32>
  %25 = graph.sigmoid %24 : tensor<2x10x3x3xf32>
  %26 = graph.reduce sum %24 dims [2, 3] : tensor<2x10x3x3xf32> -> tensor<2x10xf32>
  %27 = graph.full 0.111111112 : tensor<2x10xf32>
  %28 = graph.mul %26, %27 : tensor<2x10xf32>
  func.return %25, %28 : tensor<2x10x3x3xf32>, tensor<2x10xf32>
}

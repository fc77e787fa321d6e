func.func @main(%0: tensor<8x6x30x31xf32>, %1: tensor<6x1x1xf32>, %2: tensor<6x1x1xf32>) -> (tensor<8x6x30x31xf32>, tensor<6xf32>) {
  %3 = graph.reduce sum %0 dims [0, 2, 3] : tensor<8x6x30x31xf32> -> tensor<6xf32>
  %4 = graph.reshape %3 : tensor<6xf32> -> tensor<1x6x1x1xf32>
  %5 = graph.full 0.000134408605 : tensor<1x6x1x1xf32>
  %6 = graph.mul %4, %5 : tensor<1x6x1x1xf32>
  %7 = graph.broadcast %6 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<8x6x30x31xf32>
  %8 = graph.sub %0, %7 : tensor<8x6x30x31xf32>
  %9 = graph.broadcast %6 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<8x6x30x31xf32>
  %10 = graph.sub %0, %9 : tensor<8x6x30x31xf32>
  %11 = graph.mul %8, %10 : tensor<8x6x30x31xf32>
  %12 = graph.reduce sum %11 dims [0, 2, 3] : tensor<8x6x30x31xf32> -> tensor<6xf32>
  %13 = graph.reshape %12 : tensor<6xf32> -> tensor<1x6x1x1xf32>
  %14 = graph.full 0.000134408605 : tensor<1x6x1x1xf32>
  %15 = graph.mul %13, %14 : tensor<1x6x1x1xf32>
  %16 = graph.broadcast %6 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<8x6x30x31xf32>
  %17 = graph.sub %0, %16 : tensor<8x6x30x31xf32>
  %18 = graph.full 1.0e-05 : tensor<1x6x1x1xf32>
  %19 = graph.add %15, %18 : tensor<1x6x1x1xf32>
  %20 = graph.rsqrt %19 : tensor<1x6x1x1xf32>
  %21 = graph.broadcast %20 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<8x6x30x31xf32>
  %22 = graph.mul %17, %21 : tensor<8x6x30x31xf32>
  %23 = graph.broadcast %1 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<8x6x30x31xf32>
  %24 = graph.mul %22, %23 : tensor<8x6x30x31xf32>
  %25 = graph.broadcast %2 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<8x6x30x31xf32>
  %26 = graph.add %24, %25 : tensor<8x6x30x31xf32>
  %27 = graph.relu %26 : tensor<8x6x30x31xf32>
  %28 = graph.reshape %6 : tensor<1x6x1x1xf32> -> tensor<6xf32>
  func.return %27, %28 : tensor<8x6x30x31xf32>, tensor<6xf32>
}

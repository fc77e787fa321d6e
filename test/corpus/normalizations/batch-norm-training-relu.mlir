func.func @main(%0: tensor<4x6x5x3xf32>, %1: tensor<6x1x1xf32>, %2: tensor<6x1x1xf32>, %3: tensor<6xf32>) -> (tensor<4x6x5x3xf32>, tensor<6xf32>) {
  %4 = graph.reduce sum %0 dims [0, 2, 3] : tensor<4x6x5x3xf32> -> tensor<6xf32>
  %5 = graph.reshape %4 : tensor<6xf32> -> tensor<1x6x1x1xf32>
  %6 = graph.full 0.0166666675 : tensor<1x6x1x1xf32>
  %7 = graph.mul %5, %6 : tensor<1x6x1x1xf32>
  %8 = graph.broadcast %7 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<4x6x5x3xf32>
  %9 = graph.sub %0, %8 : tensor<4x6x5x3xf32>
  %10 = graph.broadcast %7 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<4x6x5x3xf32>
  %11 = graph.sub %0, %10 : tensor<4x6x5x3xf32>
  %12 = graph.mul %9, %11 : tensor<4x6x5x3xf32>
  %13 = graph.reduce sum %12 dims [0, 2, 3] : tensor<4x6x5x3xf32> -> tensor<6xf32>
  %14 = graph.reshape %13 : tensor<6xf32> -> tensor<1x6x1x1xf32>
  %15 = graph.full 0.0166666675 : tensor<1x6x1x1xf32>
  %16 = graph.mul %14, %15 : tensor<1x6x1x1xf32>
  %17 = graph.broadcast %7 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<4x6x5x3xf32>
  %18 = graph.sub %0, %17 : tensor<4x6x5x3xf32>
  %19 = graph.full 1.0e-05 : tensor<1x6x1x1xf32>
  %20 = graph.add %16, %19 : tensor<1x6x1x1xf32>
  %21 = graph.rsqrt %20 : tensor<1x6x1x1xf32>
  %22 = graph.broadcast %21 dims [0, 1, 2, 3] : tensor<1x6x1x1xf32> -> tensor<4x6x5x3xf32>
  %23 = graph.mul %18, %22 : tensor<4x6x5x3xf32>
  %24 = graph.broadcast %1 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<4x6x5x3xf32>
  %25 = graph.mul %23, %24 : tensor<4x6x5x3xf32>
  %26 = graph.broadcast %2 dims [1, 2, 3] : tensor<6x1x1xf32> -> tensor<4x6x5x3xf32>
  %27 = graph.add %25, %26 : tensor<4x6x5x3xf32>
  %28 = graph.relu %27 : tensor<4x6x5x3xf32>
  %29 = graph.full 0.9 : tensor<6xf32>
  %30 = graph.mul %3, %29 : tensor<6xf32>
  %31 = graph.reshape %7 : tensor<1x6x1x1xf32> -> tensor<6xf32>
  %32 = graph.full 0.1 : tensor<6xf32>
  %33 = graph.mul %31, %32 : tensor<6xf32>
  %34 = graph.add %30, %33 : tensor<6xf32>
  func.return %28, %34 : tensor<4x6x5x3xf32>, tensor<6xf32>
}

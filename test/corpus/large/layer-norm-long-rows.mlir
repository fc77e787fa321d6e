func.func @main(%0: tensor<4x12345xf32>, %1: tensor<12345xf32>, %2: tensor<12345xf32>) -> tensor<4x12345xf32> {
  %3 = graph.reduce sum %0 dims [1] : tensor<4x12345xf32> -> tensor<4xf32>
  %4 = graph.reshape %3 : tensor<4xf32> -> tensor<4x1xf32>
  %5 = graph.full 8.10044585e-05 : tensor<4x1xf32>
  %6 = graph.mul %4, %5 : tensor<4x1xf32>
  %7 = graph.broadcast %6 dims [0, 1] : tensor<4x1xf32> -> tensor<4x12345xf32>
  %8 = graph.sub %0, %7 : tensor<4x12345xf32>
  %9 = graph.mul %8, %8 : tensor<4x12345xf32>
  %10 = graph.reduce sum %9 dims [1] : tensor<4x12345xf32> -> tensor<4xf32>
  %11 = graph.reshape %10 : tensor<4xf32> -> tensor<4x1xf32>
  %12 = graph.full 8.10044585e-05 : tensor<4x1xf32>
  %13 = graph.mul %11, %12 : tensor<4x1xf32>
  %14 = graph.full 1.0e-05 : tensor<4x1xf32>
  %15 = graph.add %13, %14 : tensor<4x1xf32>
  %16 = graph.rsqrt %15 : tensor<4x1xf32>
  %17 = graph.broadcast %16 dims [0, 1] : tensor<4x1xf32> -> tensor<4x12345xf32>
  %18 = graph.mul %8, %17 : tensor<4x12345xf32>
  %19 = graph.broadcast %1 dims [1] : tensor<12345xf32> -> tensor<4x12345xf32>
  %20 = graph.mul %18, %19 : tensor<4x12345xf32>
  %21 = graph.broadcast %2 dims [1] : tensor<12345xf32> -> tensor<4x12345xf32>
  %22 = graph.add %20, %21 : tensor<4x12345xf32>
  func.return %22 : tensor<4x12345xf32>
}

func.func @main(%0: tensor<30x16xf32>, %1: tensor<2x5xi64> {corpus.range = array<i64: 0, 29>}, %2: tensor<16xf32>, %3: tensor<16xf32>, %4: tensor<5x16xf32>) -> tensor<2x5x16xf32> {
  %5 = graph.gather %0[%1] dims [0] : (tensor<30x16xf32>, tensor<2x5xi64>) -> tensor<2x5x16xf32>
  %6 = graph.broadcast %4 dims [1, 2] : tensor<5x16xf32> -> tensor<2x5x16xf32>
  %7 = graph.add %5, %6 : tensor<2x5x16xf32>
  %8 = graph.reduce sum %7 dims [2] : tensor<2x5x16xf32> -> tensor<2x5xf32>
  %9 = graph.reshape %8 : tensor<2x5xf32> -> tensor<2x5x1xf32>
  %10 = graph.full 0.0625 : tensor<2x5x1xf32>
  %11 = graph.mul %9, %10 : tensor<2x5x1xf32>
  %12 = graph.broadcast %11 dims [0, 1, 2] : tensor<2x5x1xf32> -> tensor<2x5x16xf32>
  %13 = graph.sub %7, %12 : tensor<2x5x16xf32>
  %14 = graph.mul %13, %13 : tensor<2x5x16xf32>
  %15 = graph.reduce sum %14 dims [2] : tensor<2x5x16xf32> -> tensor<2x5xf32>
  %16 = graph.reshape %15 : tensor<2x5xf32> -> tensor<2x5x1xf32>
  %17 = graph.full 0.0625 : tensor<2x5x1xf32>
  %18 = graph.mul %16, %17 : tensor<2x5x1xf32>
  %19 = graph.full 1.0e-05 : tensor<2x5x1xf32>
  %20 = graph.add %18, %19 : tensor<2x5x1xf32>
  %21 = graph.rsqrt %20 : tensor<2x5x1xf32>
  %22 = graph.broadcast %21 dims [0, 1, 2] : tensor<2x5x1xf32> -> tensor<2x5x16xf32>
  %23 = graph.mul %13, %22 : tensor<2x5x16xf32>
  %24 = graph.broadcast %2 dims [2] : tensor<16xf32> -> tensor<2x5x16xf32>
  %25 = graph.mul %23, %24 : tensor<2x5x16xf32>
  %26 = graph.broadcast %3 dims [2] : tensor<16xf32> -> tensor<2x5x16xf32>
  %27 = graph.add %25, %26 : tensor<2x5x16xf32>
  func.return %27 : tensor<2x5x16xf32>
}

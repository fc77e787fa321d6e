func.func @main(%0: tensor<10x70xf32>, %1: tensor<10x70xf32>, %2: tensor<70xf32>, %3: tensor<70xf32>) -> (tensor<10x70xf32>, tensor<10x70xf32>) {
  %4 = graph.add %0, %1 : tensor<10x70xf32>
  %5 = graph.reduce sum %4 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %6 = graph.reshape %5 : tensor<10xf32> -> tensor<10x1xf32>
  %7 = graph.full 0.0142857144 : tensor<10x1xf32>
  %8 = graph.mul %6, %7 : tensor<10x1xf32>
  %9 = graph.broadcast %8 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %10 = graph.sub %4, %9 : tensor<10x70xf32>
  %11 = graph.mul %10, %10 : tensor<10x70xf32>
  %12 = graph.reduce sum %11 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %13 = graph.reshape %12 : tensor<10xf32> -> tensor<10x1xf32>
  %14 = graph.full 0.0142857144 : tensor<10x1xf32>
  %15 = graph.mul %13, %14 : tensor<10x1xf32>
  %16 = graph.full 1.0e-05 : tensor<10x1xf32>
  %17 = graph.add %15, %16 : tensor<10x1xf32>
  %18 = graph.rsqrt %17 : tensor<10x1xf32>
  %19 = graph.broadcast %18 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %20 = graph.mul %10, %19 : tensor<10x70xf32>
  %21 = graph.broadcast %2 dims [1] : tensor<70xf32> -> tensor<10x70xf32>
  %22 = graph.mul %20, %21 : tensor<10x70xf32>
  %23 = graph.broadcast %3 dims [1] : tensor<70xf32> -> tensor<10x70xf32>
  %24 = graph.add %22, %23 : tensor<10x70xf32>
  func.return %24, %4 : tensor<10x70xf32>, tensor<10x70xf32>
}

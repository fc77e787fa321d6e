func.func @main(%0: tensor<9x50xf32>) -> (tensor<9xf32>, tensor<9x50xf32>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<9x50xf32> -> tensor<9xf32>
  %2 = graph.reshape %1 : tensor<9xf32> -> tensor<9x1xf32>
  %3 = graph.full 0.02 : tensor<9x1xf32>
  %4 = graph.mul %2, %3 : tensor<9x1xf32>
  %5 = graph.broadcast %4 dims [0, 1] : tensor<9x1xf32> -> tensor<9x50xf32>
  %6 = graph.sub %0, %5 : tensor<9x50xf32>
  %7 = graph.broadcast %4 dims [0, 1] : tensor<9x1xf32> -> tensor<9x50xf32>
  %8 = graph.sub %0, %7 : tensor<9x50xf32>
  %9 = graph.mul %6, %8 : tensor<9x50xf32>
  %10 = graph.reduce sum %9 dims [1] : tensor<9x50xf32> -> tensor<9xf32>
  %11 = graph.reshape %10 : tensor<9xf32> -> tensor<9x1xf32>
  %12 = graph.full 0.02 : tensor<9x1xf32>
  %13 = graph.mul %11, %12 : tensor<9x1xf32>
  %14 = graph.reshape %13 : tensor<9x1xf32> -> tensor<9xf32>
  %15 = graph.broadcast %4 dims [0, 1] : tensor<9x1xf32> -> tensor<9x50xf32>
  %16 = graph.sub %0, %15 : tensor<9x50xf32>
  %17 = graph.full 1.0e-05 : tensor<9x1xf32>
  %18 = graph.add %13, %17 : tensor<9x1xf32>
  %19 = graph.rsqrt %18 : tensor<9x1xf32>
  %20 = graph.broadcast %19 dims [0, 1] : tensor<9x1xf32> -> tensor<9x50xf32>
  %21 = graph.mul %16, %20 : tensor<9x50xf32>
  func.return %14, %21 : tensor<9xf32>, tensor<9x50xf32>
}

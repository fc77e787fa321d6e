func.func @main(%0: tensor<10x70xf32>, %1: tensor<70xf32>) -> tensor<10x70xf32> {
  %2 = graph.mul %0, %0 : tensor<10x70xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %4 = graph.reshape %3 : tensor<10xf32> -> tensor<10x1xf32>
  %5 = graph.full 0.0142857144 : tensor<10x1xf32>
  %6 = graph.mul %4, %5 : tensor<10x1xf32>
  %7 = graph.full 1.0e-06 : tensor<10x1xf32>
  %8 = graph.add %6, %7 : tensor<10x1xf32>
  %9 = graph.rsqrt %8 : tensor<10x1xf32>
  %10 = graph.broadcast %9 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %11 = graph.mul %0, %10 : tensor<10x70xf32>
  %12 = graph.broadcast %1 dims [1] : tensor<70xf32> -> tensor<10x70xf32>
  %13 = graph.mul %11, %12 : tensor<10x70xf32>
  func.return %13 : tensor<10x70xf32>
}

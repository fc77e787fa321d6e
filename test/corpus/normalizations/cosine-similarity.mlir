func.func @main(%0: tensor<10x70xf32>, %1: tensor<10x70xf32>) -> tensor<10xf32> {
  %2 = graph.mul %0, %1 : tensor<10x70xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %4 = graph.mul %0, %0 : tensor<10x70xf32>
  %5 = graph.reduce sum %4 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %6 = graph.rsqrt %5 : tensor<10xf32>
  %7 = graph.mul %3, %6 : tensor<10xf32>
  %8 = graph.mul %1, %1 : tensor<10x70xf32>
  %9 = graph.reduce sum %8 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %10 = graph.rsqrt %9 : tensor<10xf32>
  %11 = graph.mul %7, %10 : tensor<10xf32>
  func.return %11 : tensor<10xf32>
}

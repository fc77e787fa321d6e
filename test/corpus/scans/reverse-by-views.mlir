func.func @main(%0: tensor<4x9x10xf32>) -> tensor<4x9x10xf32> {
  %1 = graph.reverse %0 dims [1] : tensor<4x9x10xf32>
  %2 = graph.scan sum %1 dim 1 : tensor<4x9x10xf32>
  %3 = graph.reverse %2 dims [1] : tensor<4x9x10xf32>
  %4 = graph.full 1.0 : tensor<4x9x10xf32>
  %5 = graph.add %3, %4 : tensor<4x9x10xf32>
  func.return %5 : tensor<4x9x10xf32>
}

func.func @main(%0: tensor<10x70xf32>) -> tensor<10x70xf32> {
  %1 = graph.mul %0, %0 : tensor<10x70xf32>
  %2 = graph.reduce sum %1 dims [1] : tensor<10x70xf32> -> tensor<10xf32>
  %3 = graph.reshape %2 : tensor<10xf32> -> tensor<10x1xf32>
  %4 = graph.sqrt %3 : tensor<10x1xf32>
  %5 = graph.full 1.0e-12 : tensor<10x1xf32>
  %6 = graph.maximum %4, %5 : tensor<10x1xf32>
  %7 = graph.broadcast %6 dims [0, 1] : tensor<10x1xf32> -> tensor<10x70xf32>
  %8 = graph.div %0, %7 : tensor<10x70xf32>
  func.return %8 : tensor<10x70xf32>
}

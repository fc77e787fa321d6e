func.func @main(%0: tensor<10x70xf32>) -> tensor<10x70xf32> {
  %1 = graph.mul %0, %0 : tensor<10x70xf32>
  %2 = graph.reduce sum %1 dims [0, 1] : tensor<10x70xf32> -> tensor<f32>
  %3 = graph.sqrt %2 : tensor<f32>
  %4 = graph.broadcast %3 dims [] : tensor<f32> -> tensor<10x70xf32>
  %5 = graph.div %0, %4 : tensor<10x70xf32>
  func.return %5 : tensor<10x70xf32>
}

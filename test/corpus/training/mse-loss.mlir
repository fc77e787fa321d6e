func.func @main(%0: tensor<14x20xf32>, %1: tensor<14x20xf32>) -> tensor<f32> {
  %2 = graph.sub %0, %1 : tensor<14x20xf32>
  %3 = graph.sub %0, %1 : tensor<14x20xf32>
  %4 = graph.mul %2, %3 : tensor<14x20xf32>
  %5 = graph.reduce sum %4 dims [0, 1] : tensor<14x20xf32> -> tensor<f32>
  %6 = graph.full 0.00357142859 : tensor<f32>
  %7 = graph.mul %5, %6 : tensor<f32>
  func.return %7 : tensor<f32>
}

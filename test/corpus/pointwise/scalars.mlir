func.func @main(%0: tensor<f32>, %1: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %2 = graph.mul %0, %1 : tensor<f32>
  %3 = graph.full 1.0 : tensor<f32>
  %4 = graph.add %2, %3 : tensor<f32>
  %5 = graph.exp %0 : tensor<f32>
  func.return %4, %5 : tensor<f32>, tensor<f32>
}

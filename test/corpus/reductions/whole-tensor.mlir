func.func @main(%0: tensor<70x300xf32>) -> tensor<f32> {
  %1 = graph.mul %0, %0 : tensor<70x300xf32>
  %2 = graph.reduce sum %1 dims [0, 1] : tensor<70x300xf32> -> tensor<f32>
  func.return %2 : tensor<f32>
}

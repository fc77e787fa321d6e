func.func @main(%0: tensor<12xf32>, %1: tensor<f32>) -> (tensor<12xf32>, tensor<f32>) {
  %2 = graph.broadcast %1 dims [] : tensor<f32> -> tensor<12xf32>
  %3 = graph.mul %0, %2 : tensor<12xf32>
  %4 = graph.broadcast %1 dims [] : tensor<f32> -> tensor<12xf32>
  %5 = graph.mul %0, %4 : tensor<12xf32>
  %6 = graph.reduce sum %5 dims [0] : tensor<12xf32> -> tensor<f32>
  %7 = graph.add %6, %1 : tensor<f32>
  func.return %3, %7 : tensor<12xf32>, tensor<f32>
}

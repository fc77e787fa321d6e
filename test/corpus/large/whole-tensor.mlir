func.func @main(%0: tensor<301x1001xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>) {
  %1 = graph.reduce sum %0 dims [0, 1] : tensor<301x1001xf32> -> tensor<f32>
  %2 = graph.reduce max %0 dims [0, 1] : tensor<301x1001xf32> -> tensor<f32>
  %3 = graph.mul %0, %0 : tensor<301x1001xf32>
  %4 = graph.reduce sum %3 dims [0, 1] : tensor<301x1001xf32> -> tensor<f32>
  %5 = graph.sqrt %4 : tensor<f32>
  %6 = graph.reduce argmin %0 dims [0, 1] : tensor<301x1001xf32> -> tensor<i64>
  func.return %1, %2, %5, %6 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>
}

func.func @main(%0: tensor<12x50xf32>) -> (tensor<12xf32>, tensor<50xf32>, tensor<f32>, tensor<12xi64>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<12x50xf32> -> tensor<12xf32>
  %2 = graph.reduce max %0 dims [0] : tensor<12x50xf32> -> tensor<50xf32>
  %3 = graph.reduce min %0 dims [0, 1] : tensor<12x50xf32> -> tensor<f32>
  %4 = graph.reduce argmax %0 dims [1] : tensor<12x50xf32> -> tensor<12xi64>
  func.return %1, %2, %3, %4 : tensor<12xf32>, tensor<50xf32>, tensor<f32>, tensor<12xi64>
}

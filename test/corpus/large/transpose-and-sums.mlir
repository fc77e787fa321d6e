func.func @main(%0: tensor<1280x512xf32>) -> (tensor<512x1280xf32>, tensor<512xf32>, tensor<1280xf32>) {
  %1 = graph.permute %0 dims [1, 0] : tensor<1280x512xf32> -> tensor<512x1280xf32>
  %2 = graph.reduce sum %0 dims [0] : tensor<1280x512xf32> -> tensor<512xf32>
  %3 = graph.reduce sum %0 dims [1] : tensor<1280x512xf32> -> tensor<1280xf32>
  func.return %1, %2, %3 : tensor<512x1280xf32>, tensor<512xf32>, tensor<1280xf32>
}

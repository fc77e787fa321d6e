func.func @main(%0: tensor<0x5xf32>) -> (tensor<5xf32>, tensor<0xf32>, tensor<5xf32>, tensor<f32>) {
  %1 = graph.reduce sum %0 dims [0] : tensor<0x5xf32> -> tensor<5xf32>
  %2 = graph.full 1.0 : tensor<5xf32>
  %3 = graph.add %1, %2 : tensor<5xf32>
  %4 = graph.reduce sum %0 dims [1] : tensor<0x5xf32> -> tensor<0xf32>
  %5 = graph.reduce prod %0 dims [0] : tensor<0x5xf32> -> tensor<5xf32>
  %6 = graph.reduce sum %0 dims [0, 1] : tensor<0x5xf32> -> tensor<f32>
  func.return %3, %4, %5, %6 : tensor<5xf32>, tensor<0xf32>, tensor<5xf32>, tensor<f32>
}

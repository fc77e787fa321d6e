func.func @main(%0: tensor<40xf32>) -> tensor<40xf32> {
  %1 = graph.exp %0 : tensor<40xf32>
  %2 = graph.reduce sum %1 dims [0] : tensor<40xf32> -> tensor<f32>
  %3 = graph.full 1.0 : tensor<40xf32>
  %4 = graph.sub %0, %3 : tensor<40xf32>
  func.return %4 : tensor<40xf32>
}

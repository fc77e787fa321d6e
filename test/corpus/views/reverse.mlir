func.func @main(%0: tensor<6x11xf32>) -> (tensor<6x11xf32>, tensor<6xf32>, tensor<6x11xf32>) {
  %1 = graph.reverse %0 dims [1] : tensor<6x11xf32>
  %2 = graph.add %1, %0 : tensor<6x11xf32>
  %3 = graph.reverse %0 dims [0, 1] : tensor<6x11xf32>
  %4 = graph.reduce sum %3 dims [1] : tensor<6x11xf32> -> tensor<6xf32>
  %5 = graph.reverse %0 dims [0] : tensor<6x11xf32>
  %6 = graph.reverse %5 dims [0] : tensor<6x11xf32>
  func.return %2, %4, %6 : tensor<6x11xf32>, tensor<6xf32>, tensor<6x11xf32>
}

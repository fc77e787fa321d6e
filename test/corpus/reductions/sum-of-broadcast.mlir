func.func @main(%0: tensor<8xf32>, %1: tensor<6x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  %2 = graph.broadcast %0 dims [1] : tensor<8xf32> -> tensor<6x8xf32>
  %3 = graph.add %2, %1 : tensor<6x8xf32>
  %4 = graph.reduce sum %3 dims [0] : tensor<6x8xf32> -> tensor<8xf32>
  %5 = graph.broadcast %0 dims [1] : tensor<8xf32> -> tensor<4x8xf32>
  %6 = graph.reduce sum %5 dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  %7 = graph.broadcast %0 dims [1] : tensor<8xf32> -> tensor<4x8xf32>
  %8 = graph.reduce sum %7 dims [1] : tensor<4x8xf32> -> tensor<4xf32>
  func.return %4, %6, %8 : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}

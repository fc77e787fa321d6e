func.func @main(%0: tensor<8x5xf32>, %1: tensor<7x8xf32>) -> tensor<5x7xf32> {
  %2 = graph.permute %0 dims [1, 0] : tensor<8x5xf32> -> tensor<5x8xf32>
  %3 = graph.permute %1 dims [1, 0] : tensor<7x8xf32> -> tensor<8x7xf32>
  %4 = graph.contract %2, %3 batch [], [] contract [1], [0] : (tensor<5x8xf32>, tensor<8x7xf32>) -> tensor<5x7xf32>
  func.return %4 : tensor<5x7xf32>
}

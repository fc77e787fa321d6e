func.func @main(%0: tensor<3x5x8xf32>, %1: tensor<3x8x7xf32>) -> tensor<3x5x7xf32> {
  %2 = graph.contract %0, %1 batch [0], [0] contract [2], [1] : (tensor<3x5x8xf32>, tensor<3x8x7xf32>) -> tensor<3x5x7xf32>
  %3 = graph.full 0.5 : tensor<3x5x7xf32>
  %4 = graph.mul %2, %3 : tensor<3x5x7xf32>
  func.return %4 : tensor<3x5x7xf32>
}

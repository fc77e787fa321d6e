func.func @main(%0: tensor<5x8xf32>, %1: tensor<5x8xf32>) -> (tensor<10x8xf32>, tensor<5xf32>) {
  %2 = graph.exp %0 : tensor<5x8xf32>
  %3 = graph.full 2.0 : tensor<5x8xf32>
  %4 = graph.mul %1, %3 : tensor<5x8xf32>
  %5 = graph.concat %2, %4 dim 0 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<10x8xf32>
  %6 = graph.sin %0 : tensor<5x8xf32>
  %7 = graph.concat %6, %0 dim 1 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x16xf32>
  %8 = graph.reduce sum %7 dims [1] : tensor<5x16xf32> -> tensor<5xf32>
  func.return %5, %8 : tensor<10x8xf32>, tensor<5xf32>
}

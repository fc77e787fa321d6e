func.func @main(%0: tensor<5x8xf32>, %1: tensor<5x8xf32>) -> (tensor<5x8xf32>, tensor<5x8xf32>) {
  %2 = graph.concat %0, %1 dim 1 : (tensor<5x8xf32>, tensor<5x8xf32>) -> tensor<5x16xf32>
  %3 = graph.slice %2 starts [0, 4] steps [1, 1] : tensor<5x16xf32> -> tensor<5x8xf32>
  %4 = graph.full 3.0 : tensor<5x8xf32>
  %5 = graph.mul %3, %4 : tensor<5x8xf32>
  %6 = graph.slice %2 starts [0, 0] steps [1, 1] : tensor<5x16xf32> -> tensor<5x8xf32>
  func.return %5, %6 : tensor<5x8xf32>, tensor<5x8xf32>
}

func.func @main(%0: tensor<5x17xf32>, %1: tensor<5x17xf32>) -> tensor<5x17xf32> {
  %2 = graph.abs %0 : tensor<5x17xf32>
  %3 = graph.full 0.1 : tensor<5x17xf32>
  %4 = graph.add %2, %3 : tensor<5x17xf32>
  %5 = graph.pow %4, %1 : tensor<5x17xf32>
  func.return %5 : tensor<5x17xf32>
}

func.func @main(%0: tensor<5x17xf32>, %1: tensor<5x17xf32>) -> tensor<5x17xf32> {
  %2 = graph.rem %0, %1 : tensor<5x17xf32>
  func.return %2 : tensor<5x17xf32>
}

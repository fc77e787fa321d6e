func.func @main(%0: tensor<5x6x17xf32>) -> tensor<6xf32> {
  %1 = graph.full 0.25 : tensor<5x6x17xf32>
  %2 = graph.mul %0, %1 : tensor<5x6x17xf32>
  %3 = graph.full 1.0 : tensor<5x6x17xf32>
  %4 = graph.add %2, %3 : tensor<5x6x17xf32>
  %5 = graph.reduce prod %4 dims [0, 2] : tensor<5x6x17xf32> -> tensor<6xf32>
  func.return %5 : tensor<6xf32>
}

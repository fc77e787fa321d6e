func.func @main(%0: tensor<4x9x9xf32>, %1: tensor<4x1x1xf32>) -> tensor<4x9x9xf32> {
  %2 = graph.iota dim 1 : tensor<9x9xi64>
  %3 = graph.iota dim 0 : tensor<9x9xi64>
  %4 = graph.sub %2, %3 : tensor<9x9xi64>
  %5 = graph.convert %4 : tensor<9x9xi64> -> tensor<9x9xf32>
  %6 = graph.broadcast %1 dims [0, 1, 2] : tensor<4x1x1xf32> -> tensor<4x9x9xf32>
  %7 = graph.broadcast %5 dims [1, 2] : tensor<9x9xf32> -> tensor<4x9x9xf32>
  %8 = graph.mul %6, %7 : tensor<4x9x9xf32>
  %9 = graph.add %0, %8 : tensor<4x9x9xf32>
  func.return %9 : tensor<4x9x9xf32>
}

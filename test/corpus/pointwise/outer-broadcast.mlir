func.func @main(%0: tensor<9x1xf32>, %1: tensor<14xf32>) -> tensor<9x14xf32> {
  %2 = graph.broadcast %0 dims [0, 1] : tensor<9x1xf32> -> tensor<9x14xf32>
  %3 = graph.broadcast %1 dims [1] : tensor<14xf32> -> tensor<9x14xf32>
  %4 = graph.add %2, %3 : tensor<9x14xf32>
  func.return %4 : tensor<9x14xf32>
}

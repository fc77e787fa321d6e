func.func @main(%0: tensor<9x40xf32>) -> tensor<9x40xf32> {
  %1 = graph.reduce logsumexp %0 dims [1] : tensor<9x40xf32> -> tensor<9xf32>
  %2 = graph.reshape %1 : tensor<9xf32> -> tensor<9x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<9x1xf32> -> tensor<9x40xf32>
  %4 = graph.sub %0, %3 : tensor<9x40xf32>
  func.return %4 : tensor<9x40xf32>
}

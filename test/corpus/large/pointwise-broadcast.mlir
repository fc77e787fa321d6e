func.func @main(%0: tensor<300x257xf32>, %1: tensor<257xf32>, %2: tensor<300x1xf32>) -> tensor<300x257xf32> {
  %3 = graph.broadcast %1 dims [1] : tensor<257xf32> -> tensor<300x257xf32>
  %4 = graph.mul %0, %3 : tensor<300x257xf32>
  %5 = graph.broadcast %2 dims [0, 1] : tensor<300x1xf32> -> tensor<300x257xf32>
  %6 = graph.add %4, %5 : tensor<300x257xf32>
  func.return %6 : tensor<300x257xf32>
}

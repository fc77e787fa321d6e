func.func @main(%0: tensor<9x9001xf32>) -> (tensor<9xi64>, tensor<9xi64>) {
  %1 = graph.reduce argmax %0 dims [1] : tensor<9x9001xf32> -> tensor<9xi64>
  %2 = graph.round %0 : tensor<9x9001xf32>
  %3 = graph.reduce argmin %2 dims [1] : tensor<9x9001xf32> -> tensor<9xi64>
  func.return %1, %3 : tensor<9xi64>, tensor<9xi64>
}

func.func @main(%0: tensor<9x40xf32>) -> (tensor<9xi64>, tensor<40xi64>) {
  %1 = graph.round %0 : tensor<9x40xf32>
  %2 = graph.reduce argmax %1 dims [1] : tensor<9x40xf32> -> tensor<9xi64>
  %3 = graph.round %0 : tensor<9x40xf32>
  %4 = graph.reduce argmin %3 dims [0] : tensor<9x40xf32> -> tensor<40xi64>
  func.return %2, %4 : tensor<9xi64>, tensor<40xi64>
}

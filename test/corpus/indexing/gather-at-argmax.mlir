func.func @main(%0: tensor<8x15xf32>) -> tensor<8xf32> {
  %1 = graph.iota dim 0 : tensor<8xi64>
  %2 = graph.reduce argmax %0 dims [1] : tensor<8x15xf32> -> tensor<8xi64>
  %3 = graph.gather %0[%1, %2] dims [0, 1] : (tensor<8x15xf32>, tensor<8xi64>, tensor<8xi64>) -> tensor<8xf32>
  func.return %3 : tensor<8xf32>
}

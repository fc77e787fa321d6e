func.func @main(%0: tensor<9x40xf32>) -> (tensor<9xi64>, tensor<9xf32>) {
  %1 = graph.log %0 : tensor<9x40xf32>
  %2 = graph.reduce argmax %1 dims [1] : tensor<9x40xf32> -> tensor<9xi64>
  %3 = graph.log %0 : tensor<9x40xf32>
  %4 = graph.reduce max %3 dims [1] : tensor<9x40xf32> -> tensor<9xf32>
  func.return %2, %4 : tensor<9xi64>, tensor<9xf32>
}

func.func @main(%0: tensor<100x3001xf32>) -> (tensor<3001xf32>, tensor<3001xi64>) {
  %1 = graph.reduce sum %0 dims [0] : tensor<100x3001xf32> -> tensor<3001xf32>
  %2 = graph.full 2.0 : tensor<3001xf32>
  %3 = graph.mul %1, %2 : tensor<3001xf32>
  %4 = graph.reduce argmax %0 dims [0] : tensor<100x3001xf32> -> tensor<3001xi64>
  func.return %3, %4 : tensor<3001xf32>, tensor<3001xi64>
}

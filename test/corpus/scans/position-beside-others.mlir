func.func @main(%0: tensor<6x32xf32>) -> (tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xi64>, tensor<6x32xf32>) {
  %1 = graph.scan argmax %0 dim 1 : tensor<6x32xf32> -> tensor<6x32xi64>
  %2 = graph.convert %1 : tensor<6x32xi64> -> tensor<6x32xf32>
  %3 = graph.scan max %0 dim 1 : tensor<6x32xf32>
  %4 = graph.mul %2, %3 : tensor<6x32xf32>
  %5 = graph.scan sum %0 dim 1 : tensor<6x32xf32>
  %6 = graph.scan argmin %0 dim 1 : tensor<6x32xf32> -> tensor<6x32xi64>
  %7 = graph.scan logsumexp %0 dim 1 : tensor<6x32xf32>
  func.return %4, %5, %6, %7 : tensor<6x32xf32>, tensor<6x32xf32>, tensor<6x32xi64>, tensor<6x32xf32>
}

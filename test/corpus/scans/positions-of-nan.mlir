func.func @main(%0: tensor<6x21xf32>) -> (tensor<6x21xi64>, tensor<6x21xi64>, tensor<6x21xi64>, tensor<6x21xf32>) {
  %1 = graph.full 0.5 : tensor<6x21xf32>
  %2 = graph.sub %0, %1 : tensor<6x21xf32>
  %3 = graph.sqrt %2 : tensor<6x21xf32>
  %4 = graph.full 0.5 : tensor<6x21xf32>
  %5 = graph.sub %0, %4 : tensor<6x21xf32>
  %6 = graph.sub %0, %0 : tensor<6x21xf32>
  %7 = graph.div %5, %6 : tensor<6x21xf32>
  %8 = graph.scan argmax %3 dim 1 : tensor<6x21xf32> -> tensor<6x21xi64>
  %9 = graph.scan argmin %3 dim 0 : tensor<6x21xf32> -> tensor<6x21xi64>
  %10 = graph.scan argmax %7 dim 1 : tensor<6x21xf32> -> tensor<6x21xi64>
  %11 = graph.scan max %7 dim 1 : tensor<6x21xf32>
  func.return %8, %9, %10, %11 : tensor<6x21xi64>, tensor<6x21xi64>, tensor<6x21xi64>, tensor<6x21xf32>
}

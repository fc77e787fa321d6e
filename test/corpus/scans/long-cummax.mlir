func.func @main(%0: tensor<3x9001xi32> {corpus.range = array<i64: 0, 1000>}) -> (tensor<3x9001xi32>, tensor<3x9001xi64>, tensor<3x9001xi64>) {
  %1 = graph.scan max %0 dim 1 : tensor<3x9001xi32>
  %2 = graph.scan argmax %0 dim 1 : tensor<3x9001xi32> -> tensor<3x9001xi64>
  %3 = graph.scan argmin %0 dim 1 : tensor<3x9001xi32> -> tensor<3x9001xi64>
  func.return %1, %2, %3 : tensor<3x9001xi32>, tensor<3x9001xi64>, tensor<3x9001xi64>
}

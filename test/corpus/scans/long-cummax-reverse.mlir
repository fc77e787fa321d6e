func.func @main(%0: tensor<3x9008xi32> {corpus.range = array<i64: 0, 1000>}) -> (tensor<3x9008xi32>, tensor<3x9008xi64>, tensor<3x9008xi64>) {
  %1 = graph.scan max %0 dim 1 reverse : tensor<3x9008xi32>
  %2 = graph.scan argmax %0 dim 1 reverse : tensor<3x9008xi32> -> tensor<3x9008xi64>
  %3 = graph.scan argmin %0 dim 1 reverse : tensor<3x9008xi32> -> tensor<3x9008xi64>
  func.return %1, %2, %3 : tensor<3x9008xi32>, tensor<3x9008xi64>, tensor<3x9008xi64>
}

func.func @main(%0: tensor<2x24576xi32> {corpus.range = array<i64: 0, 9>}) -> (tensor<2x24576xi64>, tensor<2x24576xi32>) {
  %1 = graph.convert %0 : tensor<2x24576xi32> -> tensor<2x24576xi64>
  %2 = graph.scan sum %1 dim 1 : tensor<2x24576xi64>
  %3 = graph.scan max %0 dim 1 : tensor<2x24576xi32>
  func.return %2, %3 : tensor<2x24576xi64>, tensor<2x24576xi32>
}

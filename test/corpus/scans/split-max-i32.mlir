func.func @main(%0: tensor<2x40960xi32> {corpus.range = array<i64: 0, 5>}) -> (tensor<2x40960xi32>, tensor<2x40960xi32>) {
  %1 = graph.scan max %0 dim 1 : tensor<2x40960xi32>
  %2 = graph.scan max %0 dim 1 reverse : tensor<2x40960xi32>
  func.return %1, %2 : tensor<2x40960xi32>, tensor<2x40960xi32>
}

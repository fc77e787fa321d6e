func.func @main(%0: tensor<5x64xi32> {corpus.range = array<i64: 0, 5>}) -> (tensor<5x64xi64>, tensor<5x64xi64>, tensor<5x64xi32>) {
  %1 = graph.scan argmax %0 dim 1 reverse : tensor<5x64xi32> -> tensor<5x64xi64>
  %2 = graph.scan argmin %0 dim 0 reverse : tensor<5x64xi32> -> tensor<5x64xi64>
  %3 = graph.scan max %0 dim 1 reverse : tensor<5x64xi32>
  func.return %1, %2, %3 : tensor<5x64xi64>, tensor<5x64xi64>, tensor<5x64xi32>
}

func.func @main(%0: tensor<5x23xi16> {corpus.range = array<i64: 0, 5>}) -> (tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>) {
  %1 = graph.scan sum %0 dim 1 : tensor<5x23xi16>
  %2 = graph.scan prod %0 dim 1 : tensor<5x23xi16>
  %3 = graph.scan max %0 dim 1 : tensor<5x23xi16>
  %4 = graph.scan min %0 dim 1 : tensor<5x23xi16>
  %5 = graph.scan max %0 dim 1 reverse : tensor<5x23xi16>
  %6 = graph.scan min %0 dim 1 reverse : tensor<5x23xi16>
  func.return %1, %2, %3, %4, %5, %6 : tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>, tensor<5x23xi16>
}

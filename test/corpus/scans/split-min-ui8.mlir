func.func @main(%0: tensor<2x40960xui8> {corpus.range = array<i64: 0, 5>}) -> (tensor<2x40960xui8>, tensor<2x40960xui8>) {
  %1 = graph.scan min %0 dim 1 : tensor<2x40960xui8>
  %2 = graph.scan min %0 dim 1 reverse : tensor<2x40960xui8>
  func.return %1, %2 : tensor<2x40960xui8>, tensor<2x40960xui8>
}

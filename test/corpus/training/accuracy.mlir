func.func @main(%0: tensor<14x20xf32>, %1: tensor<14xi64> {corpus.range = array<i64: 0, 19>}) -> tensor<i64> {
  %2 = graph.reduce argmax %0 dims [1] : tensor<14x20xf32> -> tensor<14xi64>
  %3 = graph.compare eq %2, %1 : tensor<14xi64>
  %4 = graph.convert %3 : tensor<14xi1> -> tensor<14xi64>
  %5 = graph.reduce sum %4 dims [0] : tensor<14xi64> -> tensor<i64>
  func.return %5 : tensor<i64>
}

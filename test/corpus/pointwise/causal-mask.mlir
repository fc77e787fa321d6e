func.func @main(%0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %1 = graph.iota dim 0 : tensor<8x8xi64>
  %2 = graph.iota dim 1 : tensor<8x8xi64>
  %3 = graph.compare ge %1, %2 : tensor<8x8xi64>
  %4 = graph.full -1.0e+09 : tensor<8x8xf32>
  %5 = graph.select %3, %0, %4 : tensor<8x8xf32>
  func.return %5 : tensor<8x8xf32>
}

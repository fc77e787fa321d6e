func.func @main(%0: tensor<30xi32>, %1: tensor<30xi32>, %2: tensor<30xi32> {corpus.range = array<i64: 0, 6>}) -> (tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>) {
  %3 = graph.and %0, %1 : tensor<30xi32>
  %4 = graph.or %0, %1 : tensor<30xi32>
  %5 = graph.xor %0, %1 : tensor<30xi32>
  %6 = graph.maximum %0, %1 : tensor<30xi32>
  %7 = graph.minimum %0, %1 : tensor<30xi32>
  %8 = graph.shl %0, %2 : tensor<30xi32>
  %9 = graph.shr %0, %2 : tensor<30xi32>
  %10 = graph.not %0 : tensor<30xi32>
  func.return %3, %4, %5, %6, %7, %8, %9, %10 : tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>, tensor<30xi32>
}

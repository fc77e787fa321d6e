func.func @main(%0: tensor<30xi8>, %1: tensor<30xi8>, %2: tensor<30xi8> {corpus.range = array<i64: 0, 6>}) -> (tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>) {
  %3 = graph.and %0, %1 : tensor<30xi8>
  %4 = graph.or %0, %1 : tensor<30xi8>
  %5 = graph.xor %0, %1 : tensor<30xi8>
  %6 = graph.maximum %0, %1 : tensor<30xi8>
  %7 = graph.minimum %0, %1 : tensor<30xi8>
  %8 = graph.shl %0, %2 : tensor<30xi8>
  %9 = graph.shr %0, %2 : tensor<30xi8>
  %10 = graph.not %0 : tensor<30xi8>
  func.return %3, %4, %5, %6, %7, %8, %9, %10 : tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>
}

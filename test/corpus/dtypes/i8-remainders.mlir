func.func @main(%0: tensor<30xi8> {corpus.range = array<i64: -100, 100>}, %1: tensor<30xi8> {corpus.range = array<i64: 1, 9>}) -> (tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>) {
  %2 = graph.rem %0, %1 : tensor<30xi8>
  %3 = graph.mod %0, %1 : tensor<30xi8>
  %4 = graph.neg %0 : tensor<30xi8>
  %5 = graph.abs %0 : tensor<30xi8>
  func.return %2, %3, %4, %5 : tensor<30xi8>, tensor<30xi8>, tensor<30xi8>, tensor<30xi8>
}

func.func @main(%0: tensor<30xui8> {corpus.range = array<i64: 0, 100>}, %1: tensor<30xui8> {corpus.range = array<i64: 1, 9>}) -> (tensor<30xui8>, tensor<30xui8>, tensor<30xui8>, tensor<30xui8>) {
  %2 = graph.rem %0, %1 : tensor<30xui8>
  %3 = graph.mod %0, %1 : tensor<30xui8>
  %4 = graph.neg %0 : tensor<30xui8>
  %5 = graph.abs %0 : tensor<30xui8>
  func.return %2, %3, %4, %5 : tensor<30xui8>, tensor<30xui8>, tensor<30xui8>, tensor<30xui8>
}

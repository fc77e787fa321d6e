func.func @main(%0: tensor<30xui8> {corpus.range = array<i64: 0, 100>}, %1: tensor<30xui8> {corpus.range = array<i64: 0, 100>}, %2: tensor<30xui8> {corpus.range = array<i64: 0, 100>}, %3: tensor<30xui8> {corpus.range = array<i64: 1, 9>}) -> (tensor<30xui8>, tensor<30xui8>, tensor<30xui8>, tensor<30xui8>, tensor<30xui8>) {
  %4 = graph.add %0, %1 : tensor<30xui8>
  %5 = graph.sub %0, %1 : tensor<30xui8>
  %6 = graph.mul %0, %1 : tensor<30xui8>
  %7 = graph.div %0, %3 : tensor<30xui8>
  %8 = graph.floor_div %0, %3 : tensor<30xui8>
  func.return %4, %5, %6, %7, %8 : tensor<30xui8>, tensor<30xui8>, tensor<30xui8>, tensor<30xui8>, tensor<30xui8>
}

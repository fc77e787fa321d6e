func.func @main(%0: tensor<30xi16> {corpus.range = array<i64: -100, 100>}, %1: tensor<30xi16> {corpus.range = array<i64: -100, 100>}, %2: tensor<30xi16> {corpus.range = array<i64: -100, 100>}, %3: tensor<30xi16> {corpus.range = array<i64: 1, 9>}) -> (tensor<30xi16>, tensor<30xi16>, tensor<30xi16>, tensor<30xi16>, tensor<30xi16>) {
  %4 = graph.add %0, %1 : tensor<30xi16>
  %5 = graph.sub %0, %1 : tensor<30xi16>
  %6 = graph.mul %0, %1 : tensor<30xi16>
  %7 = graph.div %0, %3 : tensor<30xi16>
  %8 = graph.floor_div %0, %3 : tensor<30xi16>
  func.return %4, %5, %6, %7, %8 : tensor<30xi16>, tensor<30xi16>, tensor<30xi16>, tensor<30xi16>, tensor<30xi16>
}

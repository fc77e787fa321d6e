func.func @main(%0: tensor<41xi32> {corpus.range = array<i64: 0, 100>}) -> (tensor<41xf16>, tensor<41xbf16>, tensor<41xf32>, tensor<41xf64>, tensor<41xi8>, tensor<41xi16>, tensor<41xi64>, tensor<41xui8>, tensor<41xi1>) {
  %1 = graph.convert %0 : tensor<41xi32> -> tensor<41xf16>
  %2 = graph.convert %0 : tensor<41xi32> -> tensor<41xbf16>
  %3 = graph.convert %0 : tensor<41xi32> -> tensor<41xf32>
  %4 = graph.convert %0 : tensor<41xi32> -> tensor<41xf64>
  %5 = graph.convert %0 : tensor<41xi32> -> tensor<41xi8>
  %6 = graph.convert %0 : tensor<41xi32> -> tensor<41xi16>
  %7 = graph.convert %0 : tensor<41xi32> -> tensor<41xi64>
  %8 = graph.convert %0 : tensor<41xi32> -> tensor<41xui8>
  %9 = graph.convert %0 : tensor<41xi32> -> tensor<41xi1>
  func.return %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<41xf16>, tensor<41xbf16>, tensor<41xf32>, tensor<41xf64>, tensor<41xi8>, tensor<41xi16>, tensor<41xi64>, tensor<41xui8>, tensor<41xi1>
}

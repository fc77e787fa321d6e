func.func @main(%0: tensor<41xbf16>) -> (tensor<41xf16>, tensor<41xf32>, tensor<41xf64>, tensor<41xi8>, tensor<41xi16>, tensor<41xi32>, tensor<41xi64>, tensor<41xui8>, tensor<41xi1>) {
  %1 = graph.abs %0 : tensor<41xbf16>
  %2 = graph.full 16.0 : tensor<41xbf16>
  %3 = graph.mul %1, %2 : tensor<41xbf16>
  %4 = graph.convert %3 : tensor<41xbf16> -> tensor<41xf16>
  %5 = graph.convert %3 : tensor<41xbf16> -> tensor<41xf32>
  %6 = graph.convert %3 : tensor<41xbf16> -> tensor<41xf64>
  %7 = graph.convert %3 : tensor<41xbf16> -> tensor<41xi8>
  %8 = graph.convert %3 : tensor<41xbf16> -> tensor<41xi16>
  %9 = graph.convert %3 : tensor<41xbf16> -> tensor<41xi32>
  %10 = graph.convert %3 : tensor<41xbf16> -> tensor<41xi64>
  %11 = graph.convert %3 : tensor<41xbf16> -> tensor<41xui8>
  %12 = graph.convert %3 : tensor<41xbf16> -> tensor<41xi1>
  func.return %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<41xf16>, tensor<41xf32>, tensor<41xf64>, tensor<41xi8>, tensor<41xi16>, tensor<41xi32>, tensor<41xi64>, tensor<41xui8>, tensor<41xi1>
}

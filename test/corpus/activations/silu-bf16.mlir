func.func @main(%0: tensor<12x30xbf16>) -> tensor<12x30xbf16> {
  %1 = graph.sigmoid %0 : tensor<12x30xbf16>
  %2 = graph.mul %0, %1 : tensor<12x30xbf16>
  func.return %2 : tensor<12x30xbf16>
}

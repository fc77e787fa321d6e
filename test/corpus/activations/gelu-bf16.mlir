func.func @main(%0: tensor<12x30xbf16>) -> tensor<12x30xbf16> {
  %1 = graph.full 0.5 : tensor<12x30xbf16>
  %2 = graph.mul %0, %1 : tensor<12x30xbf16>
  %3 = graph.full 0.707031 : tensor<12x30xbf16>
  %4 = graph.mul %0, %3 : tensor<12x30xbf16>
  %5 = graph.erf %4 : tensor<12x30xbf16>
  %6 = graph.full 1.0 : tensor<12x30xbf16>
  %7 = graph.add %5, %6 : tensor<12x30xbf16>
  %8 = graph.mul %2, %7 : tensor<12x30xbf16>
  func.return %8 : tensor<12x30xbf16>
}

func.func @main(%0: tensor<12x50xbf16>) -> (tensor<12x50xbf16>, tensor<12x50xbf16>, tensor<12x50xbf16>) {
  %1 = graph.exp %0 : tensor<12x50xbf16>
  %2 = graph.log1p %1 : tensor<12x50xbf16>
  %3 = graph.tanh %2 : tensor<12x50xbf16>
  %4 = graph.erf %0 : tensor<12x50xbf16>
  %5 = graph.mul %4, %0 : tensor<12x50xbf16>
  %6 = graph.sigmoid %0 : tensor<12x50xbf16>
  func.return %3, %5, %6 : tensor<12x50xbf16>, tensor<12x50xbf16>, tensor<12x50xbf16>
}

func.func @main(%0: tensor<12x50xf32>) -> (tensor<12x50xf32>, tensor<12x50xf32>, tensor<12x50xf32>) {
  %1 = graph.exp %0 : tensor<12x50xf32>
  %2 = graph.log1p %1 : tensor<12x50xf32>
  %3 = graph.tanh %2 : tensor<12x50xf32>
  %4 = graph.erf %0 : tensor<12x50xf32>
  %5 = graph.mul %4, %0 : tensor<12x50xf32>
  %6 = graph.sigmoid %0 : tensor<12x50xf32>
  func.return %3, %5, %6 : tensor<12x50xf32>, tensor<12x50xf32>, tensor<12x50xf32>
}

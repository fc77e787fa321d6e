func.func @main(%0: tensor<12x50xf64>) -> (tensor<12x50xf64>, tensor<12x50xf64>, tensor<12x50xf64>) {
  %1 = graph.exp %0 : tensor<12x50xf64>
  %2 = graph.log1p %1 : tensor<12x50xf64>
  %3 = graph.tanh %2 : tensor<12x50xf64>
  %4 = graph.erf %0 : tensor<12x50xf64>
  %5 = graph.mul %4, %0 : tensor<12x50xf64>
  %6 = graph.sigmoid %0 : tensor<12x50xf64>
  func.return %3, %5, %6 : tensor<12x50xf64>, tensor<12x50xf64>, tensor<12x50xf64>
}

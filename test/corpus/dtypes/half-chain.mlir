func.func @main(%0: tensor<90xf16>) -> (tensor<90xf16>, tensor<90xf16>) {
  %1 = graph.full 0.0999756 : tensor<90xf16>
  %2 = graph.mul %0, %1 : tensor<90xf16>
  %3 = graph.full 0.199951 : tensor<90xf16>
  %4 = graph.add %2, %3 : tensor<90xf16>
  %5 = graph.exp %4 : tensor<90xf16>
  %6 = graph.mul %5, %0 : tensor<90xf16>
  %7 = graph.full 0.300049 : tensor<90xf16>
  %8 = graph.sub %6, %7 : tensor<90xf16>
  %9 = graph.full 0.25 : tensor<90xf16>
  %10 = graph.compare gt %0, %9 : tensor<90xf16>
  %11 = graph.neg %0 : tensor<90xf16>
  %12 = graph.select %10, %0, %11 : tensor<90xf16>
  func.return %8, %12 : tensor<90xf16>, tensor<90xf16>
}

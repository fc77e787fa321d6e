func.func @main(%0: tensor<2x40960xbf16>) -> (tensor<2x40960xbf16>, tensor<2x40960xbf16>) {
  %1 = graph.scan sum %0 dim 1 : tensor<2x40960xbf16>
  %2 = graph.scan sum %0 dim 1 reverse : tensor<2x40960xbf16>
  func.return %1, %2 : tensor<2x40960xbf16>, tensor<2x40960xbf16>
}

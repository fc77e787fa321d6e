func.func @main(%0: tensor<6x48xbf16>) -> (tensor<6x48xbf16>, tensor<6x48xbf16>) {
  %1 = graph.reverse %0 dims [1] : tensor<6x48xbf16>
  %2 = graph.convert %1 : tensor<6x48xbf16> -> tensor<6x48xf32>
  %3 = graph.scan sum %2 dim 1 : tensor<6x48xf32>
  %4 = graph.convert %3 : tensor<6x48xf32> -> tensor<6x48xbf16>
  %5 = graph.full 0.0 : tensor<6x1xbf16>
  %6 = graph.convert %0 : tensor<6x48xbf16> -> tensor<6x48xf32>
  %7 = graph.scan sum %6 dim 1 : tensor<6x48xf32>
  %8 = graph.convert %7 : tensor<6x48xf32> -> tensor<6x48xbf16>
  %9 = graph.slice %8 starts [0, 0] steps [1, 1] : tensor<6x48xbf16> -> tensor<6x47xbf16>
  %10 = graph.concat %5, %9 dim 1 : (tensor<6x1xbf16>, tensor<6x47xbf16>) -> tensor<6x48xbf16>
  %11 = graph.reverse %4 dims [1] : tensor<6x48xbf16>
  func.return %11, %10 : tensor<6x48xbf16>, tensor<6x48xbf16>
}

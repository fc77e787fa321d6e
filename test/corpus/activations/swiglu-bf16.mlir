func.func @main(%0: tensor<6x40xbf16>, %1: tensor<6x40xbf16>) -> tensor<6x40xbf16> {
  %2 = graph.sigmoid %0 : tensor<6x40xbf16>
  %3 = graph.mul %0, %2 : tensor<6x40xbf16>
  %4 = graph.mul %3, %1 : tensor<6x40xbf16>
  func.return %4 : tensor<6x40xbf16>
}

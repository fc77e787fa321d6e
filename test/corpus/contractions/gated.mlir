func.func @main(%0: tensor<24x32xbf16>, %1: tensor<32x40xbf16>, %2: tensor<32x40xbf16>) -> tensor<24x40xbf16> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x40xbf16>) -> tensor<24x40xbf16>
  %4 = graph.full 0.125 : tensor<24x40xbf16>
  %5 = graph.mul %3, %4 : tensor<24x40xbf16>
  %6 = graph.sigmoid %5 : tensor<24x40xbf16>
  %7 = graph.mul %5, %6 : tensor<24x40xbf16>
  %8 = graph.contract %0, %2 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x40xbf16>) -> tensor<24x40xbf16>
  %9 = graph.full 0.125 : tensor<24x40xbf16>
  %10 = graph.mul %8, %9 : tensor<24x40xbf16>
  %11 = graph.mul %7, %10 : tensor<24x40xbf16>
  func.return %11 : tensor<24x40xbf16>
}

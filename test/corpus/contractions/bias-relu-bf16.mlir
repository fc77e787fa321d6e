func.func @main(%0: tensor<24x32xbf16>, %1: tensor<32x40xbf16>, %2: tensor<40xbf16>) -> tensor<24x40xbf16> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x40xbf16>) -> tensor<24x40xbf16>
  %4 = graph.full 0.125 : tensor<24x40xbf16>
  %5 = graph.mul %3, %4 : tensor<24x40xbf16>
  %6 = graph.broadcast %2 dims [1] : tensor<40xbf16> -> tensor<24x40xbf16>
  %7 = graph.add %5, %6 : tensor<24x40xbf16>
  %8 = graph.relu %7 : tensor<24x40xbf16>
  func.return %8 : tensor<24x40xbf16>
}

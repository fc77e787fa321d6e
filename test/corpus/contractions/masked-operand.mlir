func.func @main(%0: tensor<24x32xbf16>, %1: tensor<24x32xi1>, %2: tensor<40x32xbf16>) -> tensor<24x40xbf16> {
  %3 = graph.relu %0 : tensor<24x32xbf16>
  %4 = graph.full 0.125 : tensor<24x32xbf16>
  %5 = graph.mul %3, %4 : tensor<24x32xbf16>
  %6 = graph.full 0.0 : tensor<24x32xbf16>
  %7 = graph.select %1, %5, %6 : tensor<24x32xbf16>
  %8 = graph.permute %2 dims [1, 0] : tensor<40x32xbf16> -> tensor<32x40xbf16>
  %9 = graph.contract %7, %8 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x40xbf16>) -> tensor<24x40xbf16>
  func.return %9 : tensor<24x40xbf16>
}

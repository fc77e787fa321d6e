func.func @main(%0: tensor<2x12x32xbf16>, %1: tensor<32x40xbf16>, %2: tensor<40xbf16>) -> (tensor<2x12x40xbf16>, tensor<24x40xbf16>) {
  %3 = graph.reshape %0 : tensor<2x12x32xbf16> -> tensor<24x32xbf16>
  %4 = graph.contract %3, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x40xbf16>) -> tensor<24x40xbf16>
  %5 = graph.full 0.125 : tensor<24x40xbf16>
  %6 = graph.mul %4, %5 : tensor<24x40xbf16>
  %7 = graph.broadcast %2 dims [1] : tensor<40xbf16> -> tensor<24x40xbf16>
  %8 = graph.add %6, %7 : tensor<24x40xbf16>
  %9 = graph.reshape %8 : tensor<24x40xbf16> -> tensor<2x12x40xbf16>
  %10 = graph.full 0.5 : tensor<2x12x40xbf16>
  %11 = graph.mul %9, %10 : tensor<2x12x40xbf16>
  %12 = graph.full 0.707031 : tensor<2x12x40xbf16>
  %13 = graph.mul %9, %12 : tensor<2x12x40xbf16>
  %14 = graph.erf %13 : tensor<2x12x40xbf16>
  %15 = graph.full 1.0 : tensor<2x12x40xbf16>
  %16 = graph.add %14, %15 : tensor<2x12x40xbf16>
  %17 = graph.mul %11, %16 : tensor<2x12x40xbf16>
  func.return %17, %8 : tensor<2x12x40xbf16>, tensor<24x40xbf16>
}

func.func @main(%0: tensor<24x32xbf16>, %1: tensor<32x256xbf16>) -> (tensor<24xbf16>, tensor<24xbf16>) {
  %2 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x256xbf16>) -> tensor<24x256xbf16>
  %3 = graph.full 0.125 : tensor<24x256xbf16>
  %4 = graph.mul %2, %3 : tensor<24x256xbf16>
  %5 = graph.mul %4, %4 : tensor<24x256xbf16>
  %6 = graph.full 0.0100098 : tensor<24x256xbf16>
  %7 = graph.mul %5, %6 : tensor<24x256xbf16>
  %8 = graph.reduce sum %7 dims [1] : tensor<24x256xbf16> -> tensor<24xbf16>
  %9 = graph.reduce max %4 dims [1] : tensor<24x256xbf16> -> tensor<24xbf16>
  func.return %8, %9 : tensor<24xbf16>, tensor<24xbf16>
}

func.func @main(%0: tensor<2x8x7x5xbf16>, %1: tensor<8x8x3x3xbf16>, %2: tensor<8xbf16>) -> tensor<2x8x7x5xbf16> {
  %3 = graph.call_aten "aten.convolution.default"(%0, %1, %2) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1 : i64, 1 : i64], [1 : i64, 1 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64]} : (tensor<2x8x7x5xbf16>, tensor<8x8x3x3xbf16>, tensor<8xbf16>) -> tensor<2x8x7x5xbf16>
  %4 = graph.full 0.25 : tensor<2x8x7x5xbf16>
  %5 = graph.mul %3, %4 : tensor<2x8x7x5xbf16>
  %6 = graph.add %5, %0 : tensor<2x8x7x5xbf16>
  %7 = graph.relu %6 : tensor<2x8x7x5xbf16>
  func.return %7 : tensor<2x8x7x5xbf16>
}

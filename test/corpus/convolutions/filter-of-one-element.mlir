func.func @main(%0: tensor<2x8x4x4xbf16>, %1: tensor<12x8x1x1xbf16>, %2: tensor<12xbf16>) -> tensor<2x12x4x4xbf16> {
  %3 = graph.call_aten "aten.convolution.default"(%0, %1, %2) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1 : i64, 1 : i64], [0 : i64, 0 : i64], [1 : i64, 1 : i64], false, [0 : i64, 0 : i64], 1 : i64]} : (tensor<2x8x4x4xbf16>, tensor<12x8x1x1xbf16>, tensor<12xbf16>) -> tensor<2x12x4x4xbf16>
  %4 = graph.full 0.25 : tensor<2x12x4x4xbf16>
  %5 = graph.mul %3, %4 : tensor<2x12x4x4xbf16>
  %6 = graph.relu %5 : tensor<2x12x4x4xbf16>
  func.return %6 : tensor<2x12x4x4xbf16>
}

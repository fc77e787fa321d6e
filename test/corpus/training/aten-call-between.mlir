func.func @main(%0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
  %1 = graph.exp %0 : tensor<8x8xf32>
  %2 = graph.full 1.5 : tensor<8x8xf32>
  %3 = graph.sub %1, %2 : tensor<8x8xf32>
  %4 = graph.call_aten "aten.relu.default"(%3) {args = [#graph.operand<0>]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = graph.full 2.0 : tensor<8x8xf32>
  %6 = graph.mul %4, %5 : tensor<8x8xf32>
  %7 = graph.reduce sum %4 dims [1] : tensor<8x8xf32> -> tensor<8xf32>
  func.return %6, %7 : tensor<8x8xf32>, tensor<8xf32>
}

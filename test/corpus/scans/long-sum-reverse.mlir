func.func @main(%0: tensor<3x20011xf32>) -> tensor<3x20011xf32> {
  %1 = graph.full 0.01 : tensor<3x20011xf32>
  %2 = graph.mul %0, %1 : tensor<3x20011xf32>
  %3 = graph.scan sum %2 dim 1 reverse : tensor<3x20011xf32>
  %4 = graph.sub %3, %2 : tensor<3x20011xf32>
  func.return %4 : tensor<3x20011xf32>
}

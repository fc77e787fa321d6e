func.func @main(%0: tensor<1x37xf32>) -> tensor<1x37xf32> {
  %1 = graph.scan sum %0 dim 1 reverse : tensor<1x37xf32>
  func.return %1 : tensor<1x37xf32>
}

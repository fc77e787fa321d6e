func.func @main(%0: tensor<1000x70xf32>) -> tensor<1000x70xf32> {
  %1 = graph.scan sum %0 dim 0 reverse : tensor<1000x70xf32>
  func.return %1 : tensor<1000x70xf32>
}

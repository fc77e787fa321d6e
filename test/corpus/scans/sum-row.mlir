func.func @main(%0: tensor<100xf32>) -> tensor<100xf32> {
  %1 = graph.scan sum %0 dim 0 : tensor<100xf32>
  func.return %1 : tensor<100xf32>
}

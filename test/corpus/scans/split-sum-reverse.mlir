func.func @main(%0: tensor<1x65536xf32>) -> (tensor<1x65536xf32>, tensor<1x65536xf32>) {
  %1 = graph.full 0.01 : tensor<1x65536xf32>
  %2 = graph.mul %0, %1 : tensor<1x65536xf32>
  %3 = graph.scan sum %2 dim 1 reverse : tensor<1x65536xf32>
  %4 = graph.full 2.0 : tensor<1x65536xf32>
  %5 = graph.mul %3, %4 : tensor<1x65536xf32>
  %6 = graph.scan min %0 dim 1 reverse : tensor<1x65536xf32>
  func.return %5, %6 : tensor<1x65536xf32>, tensor<1x65536xf32>
}

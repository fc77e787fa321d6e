func.func @main(%0: tensor<7xf32>, %1: tensor<7xf32>) -> (tensor<2x7xf32>, tensor<7x2xf32>) {
  %2 = graph.reshape %0 : tensor<7xf32> -> tensor<1x7xf32>
  %3 = graph.reshape %1 : tensor<7xf32> -> tensor<1x7xf32>
  %4 = graph.concat %2, %3 dim 0 : (tensor<1x7xf32>, tensor<1x7xf32>) -> tensor<2x7xf32>
  %5 = graph.reshape %0 : tensor<7xf32> -> tensor<7x1xf32>
  %6 = graph.reshape %1 : tensor<7xf32> -> tensor<7x1xf32>
  %7 = graph.concat %5, %6 dim 1 : (tensor<7x1xf32>, tensor<7x1xf32>) -> tensor<7x2xf32>
  func.return %4, %7 : tensor<2x7xf32>, tensor<7x2xf32>
}

func.func @main(%0: tensor<13x29xf32>) -> (tensor<13x29xf32>, tensor<13x29xf32>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<13x29xf32> -> tensor<13xf32>
  %2 = graph.reshape %1 : tensor<13xf32> -> tensor<13x1xf32>
  %3 = graph.full 0.0344827585 : tensor<13x1xf32>
  %4 = graph.mul %2, %3 : tensor<13x1xf32>
  %5 = graph.broadcast %4 dims [0, 1] : tensor<13x1xf32> -> tensor<13x29xf32>
  %6 = graph.sub %0, %5 : tensor<13x29xf32>
  %7 = graph.reduce sum %0 dims [0] : tensor<13x29xf32> -> tensor<29xf32>
  %8 = graph.reshape %7 : tensor<29xf32> -> tensor<1x29xf32>
  %9 = graph.full 0.0769230798 : tensor<1x29xf32>
  %10 = graph.mul %8, %9 : tensor<1x29xf32>
  %11 = graph.broadcast %10 dims [0, 1] : tensor<1x29xf32> -> tensor<13x29xf32>
  %12 = graph.sub %0, %11 : tensor<13x29xf32>
  func.return %6, %12 : tensor<13x29xf32>, tensor<13x29xf32>
}

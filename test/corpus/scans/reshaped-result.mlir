func.func @main(%0: tensor<6x32xf32>, %1: tensor<6x4x8xf32>) -> (tensor<6x4x8xf32>, tensor<3x64xf32>) {
  %2 = graph.scan sum %0 dim 1 : tensor<6x32xf32>
  %3 = graph.reshape %2 : tensor<6x32xf32> -> tensor<6x4x8xf32>
  %4 = graph.mul %3, %1 : tensor<6x4x8xf32>
  %5 = graph.scan sum %0 dim 1 : tensor<6x32xf32>
  %6 = graph.reshape %5 : tensor<6x32xf32> -> tensor<3x64xf32>
  func.return %4, %6 : tensor<6x4x8xf32>, tensor<3x64xf32>
}

func.func @main(%0: tensor<6x33xf32>, %1: tensor<33xf32>) -> (tensor<6x33xf32>, tensor<6x33xf32>) {
  %2 = graph.broadcast %1 dims [1] : tensor<33xf32> -> tensor<6x33xf32>
  %3 = graph.scan sum %2 dim 1 : tensor<6x33xf32>
  %4 = graph.mul %3, %0 : tensor<6x33xf32>
  %5 = graph.broadcast %1 dims [1] : tensor<33xf32> -> tensor<6x33xf32>
  %6 = graph.add %0, %5 : tensor<6x33xf32>
  %7 = graph.scan sum %6 dim 0 : tensor<6x33xf32>
  func.return %4, %7 : tensor<6x33xf32>, tensor<6x33xf32>
}

func.func @main(%0: tensor<12x40xf32>, %1: tensor<12x40xf32>) -> tensor<12x40xf32> {
  %2 = graph.mul %1, %0 : tensor<12x40xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<12x40xf32> -> tensor<12xf32>
  %4 = graph.reshape %3 : tensor<12xf32> -> tensor<12x1xf32>
  %5 = graph.broadcast %4 dims [0, 1] : tensor<12x1xf32> -> tensor<12x40xf32>
  %6 = graph.sub %1, %5 : tensor<12x40xf32>
  %7 = graph.mul %6, %0 : tensor<12x40xf32>
  func.return %7 : tensor<12x40xf32>
}

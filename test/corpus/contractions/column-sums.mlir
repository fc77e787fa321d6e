func.func @main(%0: tensor<256x16xf32>, %1: tensor<16x40xf32>) -> (tensor<256x40xf32>, tensor<40xf32>) {
  %2 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<256x16xf32>, tensor<16x40xf32>) -> tensor<256x40xf32>
  %3 = graph.full 0.125 : tensor<256x40xf32>
  %4 = graph.mul %2, %3 : tensor<256x40xf32>
  %5 = graph.relu %4 : tensor<256x40xf32>
  %6 = graph.full 0.01 : tensor<256x40xf32>
  %7 = graph.mul %5, %6 : tensor<256x40xf32>
  %8 = graph.reduce sum %7 dims [0] : tensor<256x40xf32> -> tensor<40xf32>
  func.return %5, %8 : tensor<256x40xf32>, tensor<40xf32>
}

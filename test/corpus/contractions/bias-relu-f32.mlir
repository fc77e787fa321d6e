func.func @main(%0: tensor<24x32xf32>, %1: tensor<32x40xf32>, %2: tensor<40xf32>) -> tensor<24x40xf32> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xf32>, tensor<32x40xf32>) -> tensor<24x40xf32>
  %4 = graph.full 0.125 : tensor<24x40xf32>
  %5 = graph.mul %3, %4 : tensor<24x40xf32>
  %6 = graph.broadcast %2 dims [1] : tensor<40xf32> -> tensor<24x40xf32>
  %7 = graph.add %5, %6 : tensor<24x40xf32>
  %8 = graph.relu %7 : tensor<24x40xf32>
  func.return %8 : tensor<24x40xf32>
}

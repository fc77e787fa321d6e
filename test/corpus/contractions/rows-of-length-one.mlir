func.func @main(%0: tensor<24x64xf32>, %1: tensor<64x40xf32>) -> tensor<24x40xf32> {
  %2 = graph.mul %0, %0 : tensor<24x64xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<24x64xf32> -> tensor<24xf32>
  %4 = graph.reshape %3 : tensor<24xf32> -> tensor<24x1xf32>
  %5 = graph.full 1.0e-06 : tensor<24x1xf32>
  %6 = graph.add %4, %5 : tensor<24x1xf32>
  %7 = graph.sqrt %6 : tensor<24x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<24x1xf32> -> tensor<24x64xf32>
  %9 = graph.div %0, %8 : tensor<24x64xf32>
  %10 = graph.contract %9, %1 batch [], [] contract [1], [0] : (tensor<24x64xf32>, tensor<64x40xf32>) -> tensor<24x40xf32>
  func.return %10 : tensor<24x40xf32>
}

func.func @main(%0: tensor<9x24xf32>, %1: tensor<24x40xf32>, %2: tensor<24x40xf32>) -> tensor<9x40xf32> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<9x24xf32>, tensor<24x40xf32>) -> tensor<9x40xf32>
  %4 = graph.sigmoid %3 : tensor<9x40xf32>
  %5 = graph.mul %3, %4 : tensor<9x40xf32>
  %6 = graph.contract %0, %2 batch [], [] contract [1], [0] : (tensor<9x24xf32>, tensor<24x40xf32>) -> tensor<9x40xf32>
  %7 = graph.mul %5, %6 : tensor<9x40xf32>
  func.return %7 : tensor<9x40xf32>
}

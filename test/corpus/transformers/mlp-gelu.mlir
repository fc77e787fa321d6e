func.func @main(%0: tensor<9x24xf32>, %1: tensor<24x40xf32>, %2: tensor<40x24xf32>) -> tensor<9x24xf32> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<9x24xf32>, tensor<24x40xf32>) -> tensor<9x40xf32>
  %4 = graph.full 0.5 : tensor<9x40xf32>
  %5 = graph.mul %3, %4 : tensor<9x40xf32>
  %6 = graph.full 0.707106769 : tensor<9x40xf32>
  %7 = graph.mul %3, %6 : tensor<9x40xf32>
  %8 = graph.erf %7 : tensor<9x40xf32>
  %9 = graph.full 1.0 : tensor<9x40xf32>
  %10 = graph.add %8, %9 : tensor<9x40xf32>
  %11 = graph.mul %5, %10 : tensor<9x40xf32>
  %12 = graph.contract %11, %2 batch [], [] contract [1], [0] : (tensor<9x40xf32>, tensor<40x24xf32>) -> tensor<9x24xf32>
  %13 = graph.add %12, %0 : tensor<9x24xf32>
  func.return %13 : tensor<9x24xf32>
}

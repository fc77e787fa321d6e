func.func @main(%0: tensor<9x24xf32>, %1: tensor<24x15xf32>, %2: tensor<15xf32>) -> tensor<9x15xf32> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<9x24xf32>, tensor<24x15xf32>) -> tensor<9x15xf32>
  %4 = graph.broadcast %2 dims [1] : tensor<15xf32> -> tensor<9x15xf32>
  %5 = graph.add %3, %4 : tensor<9x15xf32>
  func.return %5 : tensor<9x15xf32>
}

func.func @main(%0: tensor<7x13xf32>, %1: tensor<13xf32>) -> (tensor<7x13xf32>, tensor<7xf32>, tensor<13xf32>, tensor<13x7xf32>) {
  %2 = graph.broadcast %1 dims [1] : tensor<13xf32> -> tensor<7x13xf32>
  %3 = graph.mul %0, %2 : tensor<7x13xf32>
  %4 = graph.full 1.0 : tensor<7x13xf32>
  %5 = graph.add %3, %4 : tensor<7x13xf32>
  %6 = graph.reduce sum %3 dims [1] : tensor<7x13xf32> -> tensor<7xf32>
  %7 = graph.reduce max %3 dims [0] : tensor<7x13xf32> -> tensor<13xf32>
  %8 = graph.permute %0 dims [1, 0] : tensor<7x13xf32> -> tensor<13x7xf32>
  %9 = graph.full 1.0 : tensor<13x7xf32>
  %10 = graph.sub %8, %9 : tensor<13x7xf32>
  func.return %5, %6, %7, %10 : tensor<7x13xf32>, tensor<7xf32>, tensor<13xf32>, tensor<13x7xf32>
}

func.func @main(%0: tensor<9x40xf32>, %1: tensor<9x1xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %2 = graph.abs %0 : tensor<9x40xf32>
  %3 = graph.full -1.0 : tensor<9x40xf32>
  %4 = graph.mul %2, %3 : tensor<9x40xf32>
  %5 = graph.full 1.0 : tensor<9x40xf32>
  %6 = graph.add %4, %5 : tensor<9x40xf32>
  %7 = graph.log %6 : tensor<9x40xf32>
  %8 = graph.full 0.0 : tensor<9x1xf32>
  %9 = graph.compare gt %1, %8 : tensor<9x1xf32>
  %10 = graph.full inf : tensor<9x40xf32>
  %11 = graph.mul %0, %10 : tensor<9x40xf32>
  %12 = graph.sub %0, %11 : tensor<9x40xf32>
  %13 = graph.broadcast %9 dims [0, 1] : tensor<9x1xi1> -> tensor<9x40xi1>
  %14 = graph.select %13, %7, %12 : tensor<9x40xf32>
  %15 = graph.full 0.0 : tensor<9x40xf32>
  %16 = graph.compare gt %0, %15 : tensor<9x40xf32>
  %17 = graph.full -inf : tensor<9x40xf32>
  %18 = graph.select %16, %0, %17 : tensor<9x40xf32>
  %19 = graph.reduce logsumexp %18 dims [1] : tensor<9x40xf32> -> tensor<9xf32>
  %20 = graph.reduce logsumexp %14 dims [1] : tensor<9x40xf32> -> tensor<9xf32>
  func.return %19, %20 : tensor<9xf32>, tensor<9xf32>
}

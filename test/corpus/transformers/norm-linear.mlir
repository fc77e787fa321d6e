func.func @main(%0: tensor<9x24xf32>, %1: tensor<24x15xf32>) -> tensor<9x15xf32> {
  %2 = graph.reduce sum %0 dims [1] : tensor<9x24xf32> -> tensor<9xf32>
  %3 = graph.reshape %2 : tensor<9xf32> -> tensor<9x1xf32>
  %4 = graph.full 0.0416666679 : tensor<9x1xf32>
  %5 = graph.mul %3, %4 : tensor<9x1xf32>
  %6 = graph.broadcast %5 dims [0, 1] : tensor<9x1xf32> -> tensor<9x24xf32>
  %7 = graph.sub %0, %6 : tensor<9x24xf32>
  %8 = graph.mul %7, %7 : tensor<9x24xf32>
  %9 = graph.reduce sum %8 dims [1] : tensor<9x24xf32> -> tensor<9xf32>
  %10 = graph.reshape %9 : tensor<9xf32> -> tensor<9x1xf32>
  %11 = graph.full 0.0416666679 : tensor<9x1xf32>
  %12 = graph.mul %10, %11 : tensor<9x1xf32>
  %13 = graph.full 1.0e-05 : tensor<9x1xf32>
  %14 = graph.add %12, %13 : tensor<9x1xf32>
  %15 = graph.rsqrt %14 : tensor<9x1xf32>
  %16 = graph.broadcast %15 dims [0, 1] : tensor<9x1xf32> -> tensor<9x24xf32>
  %17 = graph.mul %7, %16 : tensor<9x24xf32>
  %18 = graph.contract %17, %1 batch [], [] contract [1], [0] : (tensor<9x24xf32>, tensor<24x15xf32>) -> tensor<9x15xf32>
  func.return %18 : tensor<9x15xf32>
}

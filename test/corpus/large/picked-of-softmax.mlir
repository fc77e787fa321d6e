func.func @main(%0: tensor<37x100xf32>, %1: tensor<3x5x11x7xf32>, %2: tensor<37x1xi64> {corpus.range = array<i64: -3, 103>}, %3: tensor<3x1x11x7xi64> {corpus.range = array<i64: 0, 4>}) -> (tensor<37x1xf32>, tensor<3x77xf32>) {
  %4 = graph.reduce max %1 dims [1] : tensor<3x5x11x7xf32> -> tensor<3x11x7xf32>
  %5 = graph.reshape %4 : tensor<3x11x7xf32> -> tensor<3x1x11x7xf32>
  %6 = graph.broadcast %5 dims [0, 1, 2, 3] : tensor<3x1x11x7xf32> -> tensor<3x5x11x7xf32>
  %7 = graph.sub %1, %6 : tensor<3x5x11x7xf32>
  %8 = graph.exp %7 : tensor<3x5x11x7xf32>
  %9 = graph.reduce sum %8 dims [1] : tensor<3x5x11x7xf32> -> tensor<3x11x7xf32>
  %10 = graph.reshape %9 : tensor<3x11x7xf32> -> tensor<3x1x11x7xf32>
  %11 = graph.log %10 : tensor<3x1x11x7xf32>
  %12 = graph.broadcast %11 dims [0, 1, 2, 3] : tensor<3x1x11x7xf32> -> tensor<3x5x11x7xf32>
  %13 = graph.sub %7, %12 : tensor<3x5x11x7xf32>
  %14 = graph.iota dim 0 : tensor<3x1x11x7xi64>
  %15 = graph.iota dim 1 : tensor<3x1x11x7xi64>
  %16 = graph.iota dim 2 : tensor<3x1x11x7xi64>
  %17 = graph.iota dim 3 : tensor<3x1x11x7xi64>
  %18 = graph.reduce max %0 dims [1] : tensor<37x100xf32> -> tensor<37xf32>
  %19 = graph.reshape %18 : tensor<37xf32> -> tensor<37x1xf32>
  %20 = graph.broadcast %19 dims [0, 1] : tensor<37x1xf32> -> tensor<37x100xf32>
  %21 = graph.sub %0, %20 : tensor<37x100xf32>
  %22 = graph.exp %21 : tensor<37x100xf32>
  %23 = graph.reduce sum %22 dims [1] : tensor<37x100xf32> -> tensor<37xf32>
  %24 = graph.reshape %23 : tensor<37xf32> -> tensor<37x1xf32>
  %25 = graph.broadcast %24 dims [0, 1] : tensor<37x1xf32> -> tensor<37x100xf32>
  %26 = graph.div %22, %25 : tensor<37x100xf32>
  %27 = graph.iota dim 0 : tensor<37x1xi64>
  %28 = graph.gather %26[%27, %2] dims [0, 1] : (tensor<37x100xf32>, tensor<37x1xi64>, tensor<37x1xi64>) -> tensor<37x1xf32>
  %29 = graph.gather %13[%14, %3, %16, %17] dims [0, 1, 2, 3] : (tensor<3x5x11x7xf32>, tensor<3x1x11x7xi64>, tensor<3x1x11x7xi64>, tensor<3x1x11x7xi64>, tensor<3x1x11x7xi64>) -> tensor<3x1x11x7xf32>
  %30 = graph.reshape %29 : tensor<3x1x11x7xf32> -> tensor<3x77xf32>
  func.return %28, %30 : tensor<37x1xf32>, tensor<3x77xf32>
}

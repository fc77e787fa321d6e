func.func @main(%0: tensor<2x9008xf32>) -> (tensor<2x9008xi64>, tensor<2x9008xi64>, tensor<2x9008xi64>, tensor<2x9008xf32>) {
  %1 = graph.iota dim 1 : tensor<2x9008xi64>
  %2 = graph.full 4096 : tensor<2x9008xi64>
  %3 = graph.rem %1, %2 : tensor<2x9008xi64>
  %4 = graph.convert %3 : tensor<2x9008xi64> -> tensor<2x9008xf32>
  %5 = graph.full 100.0 : tensor<2x9008xf32>
  %6 = graph.mul %4, %5 : tensor<2x9008xf32>
  %7 = graph.sub %0, %6 : tensor<2x9008xf32>
  %8 = graph.scan argmax %7 dim 1 : tensor<2x9008xf32> -> tensor<2x9008xi64>
  %9 = graph.scan argmax %7 dim 1 reverse : tensor<2x9008xf32> -> tensor<2x9008xi64>
  %10 = graph.reverse %7 dims [1] : tensor<2x9008xf32>
  %11 = graph.scan argmax %10 dim 1 reverse : tensor<2x9008xf32> -> tensor<2x9008xi64>
  %12 = graph.scan max %7 dim 1 reverse : tensor<2x9008xf32>
  func.return %8, %9, %11, %12 : tensor<2x9008xi64>, tensor<2x9008xi64>, tensor<2x9008xi64>, tensor<2x9008xf32>
}

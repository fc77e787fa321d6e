func.func @main(%0: tensor<14x20xf32>, %1: tensor<14xi64> {corpus.range = array<i64: 0, 19>}) -> tensor<14x20xf32> {
  %2 = graph.reshape %1 : tensor<14xi64> -> tensor<14x1xi64>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<14x1xi64> -> tensor<14x20xi64>
  %4 = graph.iota dim 1 : tensor<14x20xi64>
  %5 = graph.compare eq %3, %4 : tensor<14x20xi64>
  %6 = graph.convert %5 : tensor<14x20xi1> -> tensor<14x20xf32>
  %7 = graph.reduce max %0 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %8 = graph.reshape %7 : tensor<14xf32> -> tensor<14x1xf32>
  %9 = graph.broadcast %8 dims [0, 1] : tensor<14x1xf32> -> tensor<14x20xf32>
  %10 = graph.sub %0, %9 : tensor<14x20xf32>
  %11 = graph.exp %10 : tensor<14x20xf32>
  %12 = graph.reduce sum %11 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %13 = graph.reshape %12 : tensor<14xf32> -> tensor<14x1xf32>
  %14 = graph.broadcast %13 dims [0, 1] : tensor<14x1xf32> -> tensor<14x20xf32>
  %15 = graph.div %11, %14 : tensor<14x20xf32>
  %16 = graph.sub %15, %6 : tensor<14x20xf32>
  %17 = graph.full 0.0714285746 : tensor<14x20xf32>
  %18 = graph.mul %16, %17 : tensor<14x20xf32>
  func.return %18 : tensor<14x20xf32>
}

func.func @main(%0: tensor<14x20xf32>, %1: tensor<14xi64> {corpus.range = array<i64: 0, 19>}) -> tensor<f32> {
  %2 = graph.reduce max %0 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %3 = graph.reshape %2 : tensor<14xf32> -> tensor<14x1xf32>
  %4 = graph.broadcast %3 dims [0, 1] : tensor<14x1xf32> -> tensor<14x20xf32>
  %5 = graph.sub %0, %4 : tensor<14x20xf32>
  %6 = graph.exp %5 : tensor<14x20xf32>
  %7 = graph.reduce sum %6 dims [1] : tensor<14x20xf32> -> tensor<14xf32>
  %8 = graph.log %7 : tensor<14xf32>
  %9 = graph.reshape %3 : tensor<14x1xf32> -> tensor<14xf32>
  %10 = graph.add %8, %9 : tensor<14xf32>
  %11 = graph.iota dim 0 : tensor<14xi64>
  %12 = graph.gather %0[%11, %1] dims [0, 1] : (tensor<14x20xf32>, tensor<14xi64>, tensor<14xi64>) -> tensor<14xf32>
  %13 = graph.sub %10, %12 : tensor<14xf32>
  %14 = graph.reduce sum %13 dims [0] : tensor<14xf32> -> tensor<f32>
  %15 = graph.full 0.0714285746 : tensor<f32>
  %16 = graph.mul %14, %15 : tensor<f32>
  func.return %16 : tensor<f32>
}

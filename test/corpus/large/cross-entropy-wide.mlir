func.func @main(%0: tensor<40x5003xf32>, %1: tensor<40xi64> {corpus.range = array<i64: 0, 5002>}) -> tensor<f32> {
  %2 = graph.reduce max %0 dims [1] : tensor<40x5003xf32> -> tensor<40xf32>
  %3 = graph.reshape %2 : tensor<40xf32> -> tensor<40x1xf32>
  %4 = graph.broadcast %3 dims [0, 1] : tensor<40x1xf32> -> tensor<40x5003xf32>
  %5 = graph.sub %0, %4 : tensor<40x5003xf32>
  %6 = graph.exp %5 : tensor<40x5003xf32>
  %7 = graph.reduce sum %6 dims [1] : tensor<40x5003xf32> -> tensor<40xf32>
  %8 = graph.log %7 : tensor<40xf32>
  %9 = graph.reshape %3 : tensor<40x1xf32> -> tensor<40xf32>
  %10 = graph.add %8, %9 : tensor<40xf32>
  %11 = graph.iota dim 0 : tensor<40xi64>
  %12 = graph.gather %0[%11, %1] dims [0, 1] : (tensor<40x5003xf32>, tensor<40xi64>, tensor<40xi64>) -> tensor<40xf32>
  %13 = graph.sub %10, %12 : tensor<40xf32>
  %14 = graph.reduce sum %13 dims [0] : tensor<40xf32> -> tensor<f32>
  %15 = graph.full 0.025 : tensor<f32>
  %16 = graph.mul %14, %15 : tensor<f32>
  func.return %16 : tensor<f32>
}

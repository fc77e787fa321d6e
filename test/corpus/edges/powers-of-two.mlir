func.func @main(%0: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<128x64xf32>, tensor<128xf32>) {
  %1 = graph.reduce max %0 dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %2 = graph.reshape %1 : tensor<64xf32> -> tensor<64x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<64x1xf32> -> tensor<64x128xf32>
  %4 = graph.sub %0, %3 : tensor<64x128xf32>
  %5 = graph.exp %4 : tensor<64x128xf32>
  %6 = graph.reduce sum %5 dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %7 = graph.reshape %6 : tensor<64xf32> -> tensor<64x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<64x1xf32> -> tensor<64x128xf32>
  %9 = graph.div %5, %8 : tensor<64x128xf32>
  %10 = graph.permute %0 dims [1, 0] : tensor<64x128xf32> -> tensor<128x64xf32>
  %11 = graph.full 1.0 : tensor<128x64xf32>
  %12 = graph.add %10, %11 : tensor<128x64xf32>
  %13 = graph.reduce sum %0 dims [0] : tensor<64x128xf32> -> tensor<128xf32>
  func.return %9, %12, %13 : tensor<64x128xf32>, tensor<128x64xf32>, tensor<128xf32>
}

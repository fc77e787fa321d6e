func.func @main(%0: tensor<8x50xf32>) -> (tensor<8x50xf32>, tensor<8x50xf32>) {
  %1 = graph.full -inf : tensor<8x1xf32>
  %2 = graph.slice %0 starts [0, 1] steps [1, 1] : tensor<8x50xf32> -> tensor<8x49xf32>
  %3 = graph.scan max %2 dim 1 reverse : tensor<8x49xf32>
  %4 = graph.concat %3, %1 dim 1 : (tensor<8x49xf32>, tensor<8x1xf32>) -> tensor<8x50xf32>
  %5 = graph.slice %0 starts [0, 0] steps [1, 1] : tensor<8x50xf32> -> tensor<8x49xf32>
  %6 = graph.scan max %5 dim 1 : tensor<8x49xf32>
  %7 = graph.concat %1, %6 dim 1 : (tensor<8x1xf32>, tensor<8x49xf32>) -> tensor<8x50xf32>
  func.return %7, %4 : tensor<8x50xf32>, tensor<8x50xf32>
}

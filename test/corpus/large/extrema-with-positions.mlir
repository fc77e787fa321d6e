func.func @main(%0: tensor<3001x70xbf16>, %1: tensor<2x40003xf32>) -> (tensor<70xbf16>, tensor<70xi64>, tensor<2xf32>, tensor<2xi64>, tensor<i64>, tensor<f32>) {
  %2 = graph.round %1 : tensor<2x40003xf32>
  %3 = graph.reduce max %0 dims [0] : tensor<3001x70xbf16> -> tensor<70xbf16>
  %4 = graph.reduce argmax %0 dims [0] : tensor<3001x70xbf16> -> tensor<70xi64>
  %5 = graph.reduce max %2 dims [1] : tensor<2x40003xf32> -> tensor<2xf32>
  %6 = graph.reduce argmax %2 dims [1] : tensor<2x40003xf32> -> tensor<2xi64>
  %7 = graph.reduce argmin %2 dims [0, 1] : tensor<2x40003xf32> -> tensor<i64>
  %8 = graph.reduce max %2 dims [0, 1] : tensor<2x40003xf32> -> tensor<f32>
  func.return %3, %4, %5, %6, %7, %8 : tensor<70xbf16>, tensor<70xi64>, tensor<2xf32>, tensor<2xi64>, tensor<i64>, tensor<f32>
}

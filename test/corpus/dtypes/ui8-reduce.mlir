func.func @main(%0: tensor<4x30xui8>, %1: tensor<4x30xui8>) -> (tensor<4xui8>, tensor<4xui8>, tensor<30xui8>, tensor<4x30xi1>, tensor<4xi64>) {
  %2 = graph.reduce sum %0 dims [1] : tensor<4x30xui8> -> tensor<4xui8>
  %3 = graph.reduce max %0 dims [1] : tensor<4x30xui8> -> tensor<4xui8>
  %4 = graph.reduce min %0 dims [0] : tensor<4x30xui8> -> tensor<30xui8>
  %5 = graph.compare lt %0, %1 : tensor<4x30xui8>
  %6 = graph.reduce argmin %0 dims [1] : tensor<4x30xui8> -> tensor<4xi64>
  func.return %2, %3, %4, %5, %6 : tensor<4xui8>, tensor<4xui8>, tensor<30xui8>, tensor<4x30xi1>, tensor<4xi64>
}

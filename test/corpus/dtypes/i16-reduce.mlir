func.func @main(%0: tensor<4x30xi16>, %1: tensor<4x30xi16>) -> (tensor<4xi16>, tensor<4xi16>, tensor<30xi16>, tensor<4x30xi1>, tensor<4xi64>) {
  %2 = graph.reduce sum %0 dims [1] : tensor<4x30xi16> -> tensor<4xi16>
  %3 = graph.reduce max %0 dims [1] : tensor<4x30xi16> -> tensor<4xi16>
  %4 = graph.reduce min %0 dims [0] : tensor<4x30xi16> -> tensor<30xi16>
  %5 = graph.compare lt %0, %1 : tensor<4x30xi16>
  %6 = graph.reduce argmin %0 dims [1] : tensor<4x30xi16> -> tensor<4xi64>
  func.return %2, %3, %4, %5, %6 : tensor<4xi16>, tensor<4xi16>, tensor<30xi16>, tensor<4x30xi1>, tensor<4xi64>
}

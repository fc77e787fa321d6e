func.func @main(%0: tensor<3x8200xi8>) -> tensor<3x8200xi8> {
  %1 = graph.scan max %0 dim 1 reverse : tensor<3x8200xi8>
  func.return %1 : tensor<3x8200xi8>
}

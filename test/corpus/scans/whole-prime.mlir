func.func @main(%0: tensor<32771xf32>) -> (tensor<32771xf32>, tensor<32771xf32>) {
  %1 = graph.scan sum %0 dim 0 : tensor<32771xf32>
  %2 = graph.scan max %0 dim 0 : tensor<32771xf32>
  func.return %1, %2 : tensor<32771xf32>, tensor<32771xf32>
}

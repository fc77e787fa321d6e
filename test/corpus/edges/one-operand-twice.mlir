func.func @main(%0: tensor<30xf32>) -> (tensor<30xf32>, tensor<30xf32>, tensor<30xf32>) {
  %1 = graph.add %0, %0 : tensor<30xf32>
  %2 = graph.mul %0, %0 : tensor<30xf32>
  %3 = graph.sub %0, %0 : tensor<30xf32>
  func.return %1, %2, %3 : tensor<30xf32>, tensor<30xf32>, tensor<30xf32>
}

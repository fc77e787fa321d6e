func.func @main(%0: tensor<77xf32>) -> tensor<77xf32> {
  %1 = graph.full -0.5 : tensor<77xf32>
  %2 = graph.full 0.5 : tensor<77xf32>
  %3 = graph.maximum %0, %1 : tensor<77xf32>
  %4 = graph.minimum %3, %2 : tensor<77xf32>
  func.return %4 : tensor<77xf32>
}

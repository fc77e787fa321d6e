func.func @main(%0: tensor<3x0xi1>) -> (tensor<3xi1>, tensor<3xi1>) {
  %1 = graph.reduce any %0 dims [1] : tensor<3x0xi1> -> tensor<3xi1>
  %2 = graph.reduce all %0 dims [1] : tensor<3x0xi1> -> tensor<3xi1>
  func.return %1, %2 : tensor<3xi1>, tensor<3xi1>
}

func.func @main(%0: tensor<7x19xf32>) -> (tensor<7xi1>, tensor<19xi1>) {
  %1 = graph.full 1.5 : tensor<7x19xf32>
  %2 = graph.compare gt %0, %1 : tensor<7x19xf32>
  %3 = graph.reduce any %2 dims [1] : tensor<7x19xi1> -> tensor<7xi1>
  %4 = graph.full -1.5 : tensor<7x19xf32>
  %5 = graph.compare gt %0, %4 : tensor<7x19xf32>
  %6 = graph.reduce all %5 dims [0] : tensor<7x19xi1> -> tensor<19xi1>
  func.return %3, %6 : tensor<7xi1>, tensor<19xi1>
}

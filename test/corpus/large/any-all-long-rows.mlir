func.func @main(%0: tensor<60x3000xf32>) -> (tensor<60xi1>, tensor<60xi1>) {
  %1 = graph.full 2.99 : tensor<60x3000xf32>
  %2 = graph.compare gt %0, %1 : tensor<60x3000xf32>
  %3 = graph.reduce any %2 dims [1] : tensor<60x3000xi1> -> tensor<60xi1>
  %4 = graph.full -2.9 : tensor<60x3000xf32>
  %5 = graph.compare gt %0, %4 : tensor<60x3000xf32>
  %6 = graph.reduce all %5 dims [1] : tensor<60x3000xi1> -> tensor<60xi1>
  func.return %3, %6 : tensor<60xi1>, tensor<60xi1>
}

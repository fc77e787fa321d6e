func.func @main(%0: tensor<6x20xi1>, %1: tensor<6x20xi1>) -> (tensor<6x20xi1>, tensor<6x20xi1>, tensor<6x20xi1>, tensor<6x20xi1>, tensor<6x20xi1>, tensor<6xi1>, tensor<20xi1>) {
  %2 = graph.and %0, %1 : tensor<6x20xi1>
  %3 = graph.or %0, %1 : tensor<6x20xi1>
  %4 = graph.xor %0, %1 : tensor<6x20xi1>
  %5 = graph.not %0 : tensor<6x20xi1>
  %6 = graph.compare eq %0, %1 : tensor<6x20xi1>
  %7 = graph.reduce any %0 dims [1] : tensor<6x20xi1> -> tensor<6xi1>
  %8 = graph.reduce all %0 dims [0] : tensor<6x20xi1> -> tensor<20xi1>
  func.return %2, %3, %4, %5, %6, %7, %8 : tensor<6x20xi1>, tensor<6x20xi1>, tensor<6x20xi1>, tensor<6x20xi1>, tensor<6x20xi1>, tensor<6xi1>, tensor<20xi1>
}

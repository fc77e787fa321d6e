func.func @main(%0: tensor<6x40xf32>, %1: tensor<6x40xf32>) -> (tensor<6x40xf32>, tensor<6x40xi1>) {
  %2 = graph.mul %0, %1 : tensor<6x40xf32>
  %3 = graph.mul %1, %1 : tensor<6x40xf32>
  %4 = graph.full 1.0 : tensor<6x40xf32>
  %5 = graph.add %3, %4 : tensor<6x40xf32>
  %6 = graph.div %0, %5 : tensor<6x40xf32>
  %7 = graph.add %2, %6 : tensor<6x40xf32>
  %8 = graph.full 0.5 : tensor<6x40xf32>
  %9 = graph.sub %7, %8 : tensor<6x40xf32>
  %10 = graph.compare lt %0, %1 : tensor<6x40xf32>
  func.return %9, %10 : tensor<6x40xf32>, tensor<6x40xi1>
}

func.func @main(%0: tensor<6x40xf16>, %1: tensor<6x40xf16>) -> (tensor<6x40xf16>, tensor<6x40xi1>) {
  %2 = graph.mul %0, %1 : tensor<6x40xf16>
  %3 = graph.mul %1, %1 : tensor<6x40xf16>
  %4 = graph.full 1.0 : tensor<6x40xf16>
  %5 = graph.add %3, %4 : tensor<6x40xf16>
  %6 = graph.div %0, %5 : tensor<6x40xf16>
  %7 = graph.add %2, %6 : tensor<6x40xf16>
  %8 = graph.full 0.5 : tensor<6x40xf16>
  %9 = graph.sub %7, %8 : tensor<6x40xf16>
  %10 = graph.compare lt %0, %1 : tensor<6x40xf16>
  func.return %9, %10 : tensor<6x40xf16>, tensor<6x40xi1>
}

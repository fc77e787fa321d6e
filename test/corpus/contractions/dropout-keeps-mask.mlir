func.func @main(%0: tensor<24x32xbf16>, %1: tensor<32x40xbf16>, %2: tensor<i64>) -> (tensor<24x40xbf16>, tensor<24x40xi1>) {
  %3 = graph.random uniform %2 offset 4 : tensor<i64> -> tensor<24x40xf32>
  %4 = graph.full 0.9 : tensor<24x40xf32>
  %5 = graph.compare lt %3, %4 : tensor<24x40xf32>
  %6 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xbf16>, tensor<32x40xbf16>) -> tensor<24x40xbf16>
  %7 = graph.full 0.125 : tensor<24x40xbf16>
  %8 = graph.mul %6, %7 : tensor<24x40xbf16>
  %9 = graph.full 0.0 : tensor<24x40xbf16>
  %10 = graph.select %5, %8, %9 : tensor<24x40xbf16>
  func.return %10, %5 : tensor<24x40xbf16>, tensor<24x40xi1>
}

func.func @main(%0: tensor<60xf32>) -> (tensor<60xf32>, tensor<60xf32>) {
  %1 = graph.full 0.0 : tensor<60xf32>
  %2 = graph.compare gt %0, %1 : tensor<60xf32>
  %3 = graph.full 0.1 : tensor<60xf32>
  %4 = graph.mul %0, %3 : tensor<60xf32>
  %5 = graph.select %2, %0, %4 : tensor<60xf32>
  %6 = graph.full 0.0 : tensor<60xf32>
  %7 = graph.compare gt %0, %6 : tensor<60xf32>
  %8 = graph.expm1 %0 : tensor<60xf32>
  %9 = graph.select %7, %0, %8 : tensor<60xf32>
  func.return %5, %9 : tensor<60xf32>, tensor<60xf32>
}

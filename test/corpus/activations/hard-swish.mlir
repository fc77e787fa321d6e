func.func @main(%0: tensor<60xf32>) -> tensor<60xf32> {
  %1 = graph.full 3.0 : tensor<60xf32>
  %2 = graph.add %0, %1 : tensor<60xf32>
  %3 = graph.full 0.0 : tensor<60xf32>
  %4 = graph.maximum %2, %3 : tensor<60xf32>
  %5 = graph.full 6.0 : tensor<60xf32>
  %6 = graph.minimum %4, %5 : tensor<60xf32>
  %7 = graph.mul %0, %6 : tensor<60xf32>
  %8 = graph.full 0.166666672 : tensor<60xf32>
  %9 = graph.mul %7, %8 : tensor<60xf32>
  func.return %9 : tensor<60xf32>
}

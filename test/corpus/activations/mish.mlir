func.func @main(%0: tensor<60xf32>) -> tensor<60xf32> {
  %1 = graph.abs %0 : tensor<60xf32>
  %2 = graph.neg %1 : tensor<60xf32>
  %3 = graph.exp %2 : tensor<60xf32>
  %4 = graph.log1p %3 : tensor<60xf32>
  %5 = graph.relu %0 : tensor<60xf32>
  %6 = graph.add %4, %5 : tensor<60xf32>
  %7 = graph.tanh %6 : tensor<60xf32>
  %8 = graph.mul %0, %7 : tensor<60xf32>
  func.return %8 : tensor<60xf32>
}

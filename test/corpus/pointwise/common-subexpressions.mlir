func.func @main(%0: tensor<40xf32>, %1: tensor<40xf32>) -> tensor<40xf32> {
  %2 = graph.add %0, %1 : tensor<40xf32>
  %3 = graph.add %0, %1 : tensor<40xf32>
  %4 = graph.mul %2, %3 : tensor<40xf32>
  %5 = graph.add %1, %0 : tensor<40xf32>
  %6 = graph.add %4, %5 : tensor<40xf32>
  func.return %6 : tensor<40xf32>
}

func.func @main(%0: tensor<40xf32>) -> tensor<40xf32> {
  %1 = graph.pad %0 low [1] high [1] value 0.0 : tensor<40xf32> -> tensor<42xf32>
  %2 = graph.slice %1 starts [0] steps [1] : tensor<42xf32> -> tensor<40xf32>
  %3 = graph.slice %1 starts [2] steps [1] : tensor<42xf32> -> tensor<40xf32>
  %4 = graph.add %2, %3 : tensor<40xf32>
  %5 = graph.full 2.0 : tensor<40xf32>
  %6 = graph.mul %0, %5 : tensor<40xf32>
  %7 = graph.sub %4, %6 : tensor<40xf32>
  func.return %7 : tensor<40xf32>
}

func.func @main(%0: tensor<40xf32>, %1: tensor<40xi16>, %2: tensor<i32>, %3: tensor<f16>) -> (tensor<40xi32>, tensor<40xi1>) {
  %4 = graph.bitcast %0 : tensor<40xf32> -> tensor<40xi32>
  %5 = graph.bitcast %1 : tensor<40xi16> -> tensor<40xf16>
  %6 = graph.full 0.0 : tensor<40xf16>
  %7 = graph.compare gt %5, %6 : tensor<40xf16>
  func.return %4, %7 : tensor<40xi32>, tensor<40xi1>
}

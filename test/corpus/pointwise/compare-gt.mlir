func.func @main(%0: tensor<64xf32>, %1: tensor<64xf32>) -> tensor<64xi1> {
  %2 = graph.round %0 : tensor<64xf32>
  %3 = graph.round %1 : tensor<64xf32>
  %4 = graph.compare gt %2, %3 : tensor<64xf32>
  func.return %4 : tensor<64xi1>
}

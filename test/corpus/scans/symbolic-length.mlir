func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 64>}, %1: tensor<5x?xf32, #graph.dims<[5, s0]>>) -> tensor<5x?xf32, #graph.dims<[5, s0]>> {
  %2 = graph.scan sum %1 dim 1 : tensor<5x?xf32, #graph.dims<[5, s0]>>
  %3 = graph.full 2.0 : tensor<5x?xf32, #graph.dims<[5, s0]>>
  %4 = graph.mul %2, %3 : tensor<5x?xf32, #graph.dims<[5, s0]>>
  func.return %4 : tensor<5x?xf32, #graph.dims<[5, s0]>>
}

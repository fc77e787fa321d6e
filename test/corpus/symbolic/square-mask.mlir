func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 32>}, %1: tensor<?x?xf32, #graph.dims<[s0, s0]>>) -> tensor<?x?xf32, #graph.dims<[s0, s0]>> {
  %2 = graph.iota dim 0 : tensor<?x?xi64, #graph.dims<[s0, s0]>>
  %3 = graph.iota dim 1 : tensor<?x?xi64, #graph.dims<[s0, s0]>>
  %4 = graph.compare ge %2, %3 : tensor<?x?xi64, #graph.dims<[s0, s0]>>
  %5 = graph.full 0.0 : tensor<?x?xf32, #graph.dims<[s0, s0]>>
  %6 = graph.select %4, %1, %5 : tensor<?x?xf32, #graph.dims<[s0, s0]>>
  func.return %6 : tensor<?x?xf32, #graph.dims<[s0, s0]>>
}

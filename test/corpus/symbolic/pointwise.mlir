func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 64>}, %1: tensor<?x8xf32, #graph.dims<[s0, 8]>>, %2: tensor<?x8xf32, #graph.dims<[s0, 8]>>) -> tensor<?x8xf32, #graph.dims<[s0, 8]>> {
  %3 = graph.exp %1 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %4 = graph.mul %3, %2 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  func.return %4 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
}

func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 64>}, %1: tensor<?x12xf32, #graph.dims<[s0, 12]>>) -> (tensor<?x12xf32, #graph.dims<[s0, 12]>>, tensor<?x12xf32, #graph.dims<[s0, 12]>>) {
  %2 = graph.scan sum %1 dim 1 : tensor<?x12xf32, #graph.dims<[s0, 12]>>
  %3 = graph.scan sum %1 dim 0 : tensor<?x12xf32, #graph.dims<[s0, 12]>>
  func.return %2, %3 : tensor<?x12xf32, #graph.dims<[s0, 12]>>, tensor<?x12xf32, #graph.dims<[s0, 12]>>
}

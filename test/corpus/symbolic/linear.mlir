func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 32>}, %1: tensor<?x12xf32, #graph.dims<[s0, 12]>>, %2: tensor<12x7xf32>) -> tensor<?x7xf32, #graph.dims<[s0, 7]>> {
  %3 = graph.contract %1, %2 batch [], [] contract [1], [0] : (tensor<?x12xf32, #graph.dims<[s0, 12]>>, tensor<12x7xf32>) -> tensor<?x7xf32, #graph.dims<[s0, 7]>>
  %4 = graph.relu %3 : tensor<?x7xf32, #graph.dims<[s0, 7]>>
  func.return %4 : tensor<?x7xf32, #graph.dims<[s0, 7]>>
}

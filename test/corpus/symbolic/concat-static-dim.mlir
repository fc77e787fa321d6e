func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 32>}, %1: tensor<?x4xf32, #graph.dims<[s0, 4]>>, %2: tensor<?x5xf32, #graph.dims<[s0, 5]>>) -> tensor<?x9xf32, #graph.dims<[s0, 9]>> {
  %3 = graph.concat %1, %2 dim 1 : (tensor<?x4xf32, #graph.dims<[s0, 4]>>, tensor<?x5xf32, #graph.dims<[s0, 5]>>) -> tensor<?x9xf32, #graph.dims<[s0, 9]>>
  %4 = graph.full 2.0 : tensor<?x9xf32, #graph.dims<[s0, 9]>>
  %5 = graph.mul %3, %4 : tensor<?x9xf32, #graph.dims<[s0, 9]>>
  func.return %5 : tensor<?x9xf32, #graph.dims<[s0, 9]>>
}

func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 4, max = 32>}, %1: tensor<?x12xf32, #graph.dims<[s0, 12]>>) -> (tensor<?x4xf32, #graph.dims<[s0, 4]>>, tensor<?x12xf32, #graph.dims<[s0, 12]>>) {
  %2 = graph.slice %1 starts [0, 2] steps [1, 2] : tensor<?x12xf32, #graph.dims<[s0, 12]>> -> tensor<?x4xf32, #graph.dims<[s0, 4]>>
  %3 = graph.full 2.0 : tensor<?x4xf32, #graph.dims<[s0, 4]>>
  %4 = graph.mul %2, %3 : tensor<?x4xf32, #graph.dims<[s0, 4]>>
  %5 = graph.reverse %1 dims [0] : tensor<?x12xf32, #graph.dims<[s0, 12]>>
  %6 = graph.add %5, %1 : tensor<?x12xf32, #graph.dims<[s0, 12]>>
  func.return %4, %6 : tensor<?x4xf32, #graph.dims<[s0, 4]>>, tensor<?x12xf32, #graph.dims<[s0, 12]>>
}

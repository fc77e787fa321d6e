func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 16>}, %1: tensor<?x4x6xf32, #graph.dims<[s0, 4, 6]>>) -> (tensor<?x6x4xf32, #graph.dims<[s0, 6, 4]>>, tensor<?x6xf32, #graph.dims<[s0 * 4, 6]>>, tensor<?x24xf32, #graph.dims<[s0, 24]>>) {
  %2 = graph.permute %1 dims [0, 2, 1] : tensor<?x4x6xf32, #graph.dims<[s0, 4, 6]>> -> tensor<?x6x4xf32, #graph.dims<[s0, 6, 4]>>
  %3 = graph.exp %2 : tensor<?x6x4xf32, #graph.dims<[s0, 6, 4]>>
  %4 = graph.reshape %1 : tensor<?x4x6xf32, #graph.dims<[s0, 4, 6]>> -> tensor<?x6xf32, #graph.dims<[s0 * 4, 6]>>
  %5 = graph.full 2.0 : tensor<?x6xf32, #graph.dims<[s0 * 4, 6]>>
  %6 = graph.mul %4, %5 : tensor<?x6xf32, #graph.dims<[s0 * 4, 6]>>
  %7 = graph.reshape %1 : tensor<?x4x6xf32, #graph.dims<[s0, 4, 6]>> -> tensor<?x24xf32, #graph.dims<[s0, 24]>>
  %8 = graph.full 1.0 : tensor<?x24xf32, #graph.dims<[s0, 24]>>
  %9 = graph.add %7, %8 : tensor<?x24xf32, #graph.dims<[s0, 24]>>
  func.return %3, %6, %9 : tensor<?x6x4xf32, #graph.dims<[s0, 6, 4]>>, tensor<?x6xf32, #graph.dims<[s0 * 4, 6]>>, tensor<?x24xf32, #graph.dims<[s0, 24]>>
}

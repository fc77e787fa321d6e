func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 16>}, %1: index {graph.symbol = #graph.symbol<1, min = 2, max = 16>}, %2: tensor<?x?xf32, #graph.dims<[s0, s1]>>, %3: tensor<?xf32, #graph.dims<[s1]>>) -> (tensor<?xf32, #graph.dims<[s0]>>, tensor<?x?xf32, #graph.dims<[s1, s0]>>, tensor<?x?xf32, #graph.dims<[s0, s1]>>) {
  %4 = graph.broadcast %3 dims [1] : tensor<?xf32, #graph.dims<[s1]>> -> tensor<?x?xf32, #graph.dims<[s0, s1]>>
  %5 = graph.mul %2, %4 : tensor<?x?xf32, #graph.dims<[s0, s1]>>
  %6 = graph.reduce sum %5 dims [1] : tensor<?x?xf32, #graph.dims<[s0, s1]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %7 = graph.permute %2 dims [1, 0] : tensor<?x?xf32, #graph.dims<[s0, s1]>> -> tensor<?x?xf32, #graph.dims<[s1, s0]>>
  %8 = graph.full 1.0 : tensor<?x?xf32, #graph.dims<[s1, s0]>>
  %9 = graph.add %7, %8 : tensor<?x?xf32, #graph.dims<[s1, s0]>>
  %10 = graph.broadcast %3 dims [1] : tensor<?xf32, #graph.dims<[s1]>> -> tensor<?x?xf32, #graph.dims<[s0, s1]>>
  %11 = graph.add %2, %10 : tensor<?x?xf32, #graph.dims<[s0, s1]>>
  func.return %6, %9, %11 : tensor<?xf32, #graph.dims<[s0]>>, tensor<?x?xf32, #graph.dims<[s1, s0]>>, tensor<?x?xf32, #graph.dims<[s0, s1]>>
}

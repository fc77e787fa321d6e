func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 64>}, %1: tensor<?x8xf32, #graph.dims<[s0, 8]>>, %2: tensor<8xf32>) -> (tensor<?x8xf32, #graph.dims<[s0, 8]>>, tensor<?x8xf32, #graph.dims<[s0, 8]>>) {
  %3 = graph.broadcast %2 dims [1] : tensor<8xf32> -> tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %4 = graph.add %1, %3 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %5 = graph.full 2.0 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %6 = graph.mul %1, %5 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  func.return %4, %6 : tensor<?x8xf32, #graph.dims<[s0, 8]>>, tensor<?x8xf32, #graph.dims<[s0, 8]>>
}

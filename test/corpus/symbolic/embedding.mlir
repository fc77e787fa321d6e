func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 32>}, %1: tensor<20x8xf32>, %2: tensor<?xi64, #graph.dims<[s0]>> {corpus.range = array<i64: 0, 19>}) -> tensor<?x8xf32, #graph.dims<[s0, 8]>> {
  %3 = graph.gather %1[%2] dims [0] : (tensor<20x8xf32>, tensor<?xi64, #graph.dims<[s0]>>) -> tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %4 = graph.full 1.0 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  %5 = graph.add %3, %4 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
  func.return %5 : tensor<?x8xf32, #graph.dims<[s0, 8]>>
}

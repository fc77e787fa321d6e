func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 64>}, %1: tensor<5x?xf32, #graph.dims<[5, s0]>>, %2: tensor<5x?xi32, #graph.dims<[5, s0]>> {corpus.range = array<i64: 0, 9>}) -> (tensor<5x?xf32, #graph.dims<[5, s0]>>, tensor<5x?xi64, #graph.dims<[5, s0]>>, tensor<5x?xi32, #graph.dims<[5, s0]>>) {
  %3 = graph.scan logsumexp %1 dim 1 : tensor<5x?xf32, #graph.dims<[5, s0]>>
  %4 = graph.scan argmax %2 dim 1 : tensor<5x?xi32, #graph.dims<[5, s0]>> -> tensor<5x?xi64, #graph.dims<[5, s0]>>
  %5 = graph.scan max %2 dim 1 : tensor<5x?xi32, #graph.dims<[5, s0]>>
  func.return %3, %4, %5 : tensor<5x?xf32, #graph.dims<[5, s0]>>, tensor<5x?xi64, #graph.dims<[5, s0]>>, tensor<5x?xi32, #graph.dims<[5, s0]>>
}

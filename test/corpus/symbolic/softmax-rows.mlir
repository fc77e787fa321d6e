func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 64>}, %1: tensor<?x24xf32, #graph.dims<[s0, 24]>>) -> (tensor<?x24xf32, #graph.dims<[s0, 24]>>, tensor<?xf32, #graph.dims<[s0]>>, tensor<24xf32>) {
  %2 = graph.reduce max %1 dims [1] : tensor<?x24xf32, #graph.dims<[s0, 24]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %3 = graph.reshape %2 : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %4 = graph.broadcast %3 dims [0, 1] : tensor<?x1xf32, #graph.dims<[s0, 1]>> -> tensor<?x24xf32, #graph.dims<[s0, 24]>>
  %5 = graph.sub %1, %4 : tensor<?x24xf32, #graph.dims<[s0, 24]>>
  %6 = graph.exp %5 : tensor<?x24xf32, #graph.dims<[s0, 24]>>
  %7 = graph.reduce sum %6 dims [1] : tensor<?x24xf32, #graph.dims<[s0, 24]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %8 = graph.reshape %7 : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %9 = graph.broadcast %8 dims [0, 1] : tensor<?x1xf32, #graph.dims<[s0, 1]>> -> tensor<?x24xf32, #graph.dims<[s0, 24]>>
  %10 = graph.div %6, %9 : tensor<?x24xf32, #graph.dims<[s0, 24]>>
  %11 = graph.reduce sum %1 dims [1] : tensor<?x24xf32, #graph.dims<[s0, 24]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %12 = graph.reduce sum %1 dims [0] : tensor<?x24xf32, #graph.dims<[s0, 24]>> -> tensor<24xf32>
  func.return %10, %11, %12 : tensor<?x24xf32, #graph.dims<[s0, 24]>>, tensor<?xf32, #graph.dims<[s0]>>, tensor<24xf32>
}

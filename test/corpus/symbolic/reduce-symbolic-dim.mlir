func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 1, max = 64>}, %1: tensor<6x?xf32, #graph.dims<[6, s0]>>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6x?xf32, #graph.dims<[6, s0]>>) {
  %2 = graph.reduce sum %1 dims [1] : tensor<6x?xf32, #graph.dims<[6, s0]>> -> tensor<6xf32>
  %3 = graph.reduce max %1 dims [1] : tensor<6x?xf32, #graph.dims<[6, s0]>> -> tensor<6xf32>
  %4 = graph.reduce max %1 dims [1] : tensor<6x?xf32, #graph.dims<[6, s0]>> -> tensor<6xf32>
  %5 = graph.reshape %4 : tensor<6xf32> -> tensor<6x1xf32>
  %6 = graph.broadcast %5 dims [0, 1] : tensor<6x1xf32> -> tensor<6x?xf32, #graph.dims<[6, s0]>>
  %7 = graph.sub %1, %6 : tensor<6x?xf32, #graph.dims<[6, s0]>>
  %8 = graph.exp %7 : tensor<6x?xf32, #graph.dims<[6, s0]>>
  %9 = graph.reduce sum %8 dims [1] : tensor<6x?xf32, #graph.dims<[6, s0]>> -> tensor<6xf32>
  %10 = graph.reshape %9 : tensor<6xf32> -> tensor<6x1xf32>
  %11 = graph.broadcast %10 dims [0, 1] : tensor<6x1xf32> -> tensor<6x?xf32, #graph.dims<[6, s0]>>
  %12 = graph.div %8, %11 : tensor<6x?xf32, #graph.dims<[6, s0]>>
  func.return %2, %3, %12 : tensor<6xf32>, tensor<6xf32>, tensor<6x?xf32, #graph.dims<[6, s0]>>
}

func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 5000, max = 9000>}, %1: tensor<6x?xf32, #graph.dims<[6, s0]>>) -> (tensor<6x?xf32, #graph.dims<[6, s0]>>, tensor<f32>) {
  %2 = graph.reduce max %1 dims [1] : tensor<6x?xf32, #graph.dims<[6, s0]>> -> tensor<6xf32>
  %3 = graph.reshape %2 : tensor<6xf32> -> tensor<6x1xf32>
  %4 = graph.broadcast %3 dims [0, 1] : tensor<6x1xf32> -> tensor<6x?xf32, #graph.dims<[6, s0]>>
  %5 = graph.sub %1, %4 : tensor<6x?xf32, #graph.dims<[6, s0]>>
  %6 = graph.exp %5 : tensor<6x?xf32, #graph.dims<[6, s0]>>
  %7 = graph.reduce sum %6 dims [1] : tensor<6x?xf32, #graph.dims<[6, s0]>> -> tensor<6xf32>
  %8 = graph.reshape %7 : tensor<6xf32> -> tensor<6x1xf32>
  %9 = graph.broadcast %8 dims [0, 1] : tensor<6x1xf32> -> tensor<6x?xf32, #graph.dims<[6, s0]>>
  %10 = graph.div %6, %9 : tensor<6x?xf32, #graph.dims<[6, s0]>>
  %11 = graph.reduce sum %1 dims [0, 1] : tensor<6x?xf32, #graph.dims<[6, s0]>> -> tensor<f32>
  func.return %10, %11 : tensor<6x?xf32, #graph.dims<[6, s0]>>, tensor<f32>
}

func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 100, max = 200>}, %1: tensor<?x130xf32, #graph.dims<[s0, 130]>>, %2: tensor<130x?xf32, #graph.dims<[130, s0]>>) -> tensor<130x?xf32, #graph.dims<[130, s0]>> {
  %3 = graph.permute %1 dims [1, 0] : tensor<?x130xf32, #graph.dims<[s0, 130]>> -> tensor<130x?xf32, #graph.dims<[130, s0]>>
  %4 = graph.add %3, %2 : tensor<130x?xf32, #graph.dims<[130, s0]>>
  func.return %4 : tensor<130x?xf32, #graph.dims<[130, s0]>>
}

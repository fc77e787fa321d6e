func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 100, max = 200>}, %1: tensor<?x130xf32, #graph.dims<[s0, 130]>>) -> (tensor<130x?xf32, #graph.dims<[130, s0]>>, tensor<130xf32>, tensor<?xf32, #graph.dims<[s0]>>) {
  %2 = graph.full 1.0 : tensor<?x130xf32, #graph.dims<[s0, 130]>>
  %3 = graph.add %1, %2 : tensor<?x130xf32, #graph.dims<[s0, 130]>>
  %4 = graph.permute %3 dims [1, 0] : tensor<?x130xf32, #graph.dims<[s0, 130]>> -> tensor<130x?xf32, #graph.dims<[130, s0]>>
  %5 = graph.reduce sum %1 dims [0] : tensor<?x130xf32, #graph.dims<[s0, 130]>> -> tensor<130xf32>
  %6 = graph.reduce sum %1 dims [1] : tensor<?x130xf32, #graph.dims<[s0, 130]>> -> tensor<?xf32, #graph.dims<[s0]>>
  func.return %4, %5, %6 : tensor<130x?xf32, #graph.dims<[130, s0]>>, tensor<130xf32>, tensor<?xf32, #graph.dims<[s0]>>
}

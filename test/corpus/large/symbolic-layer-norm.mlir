func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 100, max = 300>}, %1: tensor<?x700xf32, #graph.dims<[s0, 700]>>, %2: tensor<700xf32>, %3: tensor<700xf32>) -> (tensor<?x700xf32, #graph.dims<[s0, 700]>>, tensor<700xf32>) {
  %4 = graph.reduce sum %1 dims [1] : tensor<?x700xf32, #graph.dims<[s0, 700]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %5 = graph.reshape %4 : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %6 = graph.full 0.00142857141 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %7 = graph.mul %5, %6 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<?x1xf32, #graph.dims<[s0, 1]>> -> tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %9 = graph.sub %1, %8 : tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %10 = graph.mul %9, %9 : tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %11 = graph.reduce sum %10 dims [1] : tensor<?x700xf32, #graph.dims<[s0, 700]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %12 = graph.reshape %11 : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %13 = graph.full 0.00142857141 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %14 = graph.mul %12, %13 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %15 = graph.full 1.0e-05 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %16 = graph.add %14, %15 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %17 = graph.rsqrt %16 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %18 = graph.broadcast %17 dims [0, 1] : tensor<?x1xf32, #graph.dims<[s0, 1]>> -> tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %19 = graph.mul %9, %18 : tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %20 = graph.broadcast %2 dims [1] : tensor<700xf32> -> tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %21 = graph.mul %19, %20 : tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %22 = graph.broadcast %3 dims [1] : tensor<700xf32> -> tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %23 = graph.add %21, %22 : tensor<?x700xf32, #graph.dims<[s0, 700]>>
  %24 = graph.reduce sum %1 dims [0] : tensor<?x700xf32, #graph.dims<[s0, 700]>> -> tensor<700xf32>
  func.return %23, %24 : tensor<?x700xf32, #graph.dims<[s0, 700]>>, tensor<700xf32>
}

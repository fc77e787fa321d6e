func.func @main(%0: index {graph.symbol = #graph.symbol<0, min = 2, max = 32, divisor = 2>}, %1: tensor<?x20xf32, #graph.dims<[s0, 20]>>, %2: tensor<20xf32>, %3: tensor<20xf32>) -> tensor<?x20xf32, #graph.dims<[s0, 20]>> {
  %4 = graph.reduce sum %1 dims [1] : tensor<?x20xf32, #graph.dims<[s0, 20]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %5 = graph.reshape %4 : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %6 = graph.full 0.05 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %7 = graph.mul %5, %6 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<?x1xf32, #graph.dims<[s0, 1]>> -> tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %9 = graph.sub %1, %8 : tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %10 = graph.mul %9, %9 : tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %11 = graph.reduce sum %10 dims [1] : tensor<?x20xf32, #graph.dims<[s0, 20]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %12 = graph.reshape %11 : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %13 = graph.full 0.05 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %14 = graph.mul %12, %13 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %15 = graph.full 1.0e-05 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %16 = graph.add %14, %15 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %17 = graph.rsqrt %16 : tensor<?x1xf32, #graph.dims<[s0, 1]>>
  %18 = graph.broadcast %17 dims [0, 1] : tensor<?x1xf32, #graph.dims<[s0, 1]>> -> tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %19 = graph.mul %9, %18 : tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %20 = graph.broadcast %2 dims [1] : tensor<20xf32> -> tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %21 = graph.mul %19, %20 : tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %22 = graph.broadcast %3 dims [1] : tensor<20xf32> -> tensor<?x20xf32, #graph.dims<[s0, 20]>>
  %23 = graph.add %21, %22 : tensor<?x20xf32, #graph.dims<[s0, 20]>>
  func.return %23 : tensor<?x20xf32, #graph.dims<[s0, 20]>>
}

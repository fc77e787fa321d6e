func.func @main(%0: tensor<24x64xf32>, %1: tensor<64xf32>, %2: tensor<64xf32>, %3: tensor<64x40xf32>) -> tensor<24x40xf32> {
  %4 = graph.reduce sum %0 dims [1] : tensor<24x64xf32> -> tensor<24xf32>
  %5 = graph.reshape %4 : tensor<24xf32> -> tensor<24x1xf32>
  %6 = graph.full 0.015625 : tensor<24x1xf32>
  %7 = graph.mul %5, %6 : tensor<24x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<24x1xf32> -> tensor<24x64xf32>
  %9 = graph.sub %0, %8 : tensor<24x64xf32>
  %10 = graph.mul %9, %9 : tensor<24x64xf32>
  %11 = graph.reduce sum %10 dims [1] : tensor<24x64xf32> -> tensor<24xf32>
  %12 = graph.reshape %11 : tensor<24xf32> -> tensor<24x1xf32>
  %13 = graph.full 0.015625 : tensor<24x1xf32>
  %14 = graph.mul %12, %13 : tensor<24x1xf32>
  %15 = graph.full 1.0e-05 : tensor<24x1xf32>
  %16 = graph.add %14, %15 : tensor<24x1xf32>
  %17 = graph.rsqrt %16 : tensor<24x1xf32>
  %18 = graph.broadcast %17 dims [0, 1] : tensor<24x1xf32> -> tensor<24x64xf32>
  %19 = graph.mul %9, %18 : tensor<24x64xf32>
  %20 = graph.broadcast %1 dims [1] : tensor<64xf32> -> tensor<24x64xf32>
  %21 = graph.mul %19, %20 : tensor<24x64xf32>
  %22 = graph.broadcast %2 dims [1] : tensor<64xf32> -> tensor<24x64xf32>
  %23 = graph.add %21, %22 : tensor<24x64xf32>
  %24 = graph.full 0.125 : tensor<24x64xf32>
  %25 = graph.mul %23, %24 : tensor<24x64xf32>
  %26 = graph.convert %25 : tensor<24x64xf32> -> tensor<24x64xf32>
  %27 = graph.contract %26, %3 batch [], [] contract [1], [0] : (tensor<24x64xf32>, tensor<64x40xf32>) -> tensor<24x40xf32>
  func.return %27 : tensor<24x40xf32>
}

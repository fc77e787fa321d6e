func.func @main(%0: tensor<100xf32>, %1: tensor<100xf32>, %2: tensor<100xf32>, %3: tensor<100xf32>, %4: tensor<f32>) -> (tensor<100xf32>, tensor<100xf32>, tensor<100xf32>) {
  %5 = graph.full 0.9 : tensor<100xf32>
  %6 = graph.mul %2, %5 : tensor<100xf32>
  %7 = graph.full 0.1 : tensor<100xf32>
  %8 = graph.mul %1, %7 : tensor<100xf32>
  %9 = graph.add %6, %8 : tensor<100xf32>
  %10 = graph.abs %3 : tensor<100xf32>
  %11 = graph.full 0.999 : tensor<100xf32>
  %12 = graph.mul %10, %11 : tensor<100xf32>
  %13 = graph.mul %1, %1 : tensor<100xf32>
  %14 = graph.full 0.001 : tensor<100xf32>
  %15 = graph.mul %13, %14 : tensor<100xf32>
  %16 = graph.add %12, %15 : tensor<100xf32>
  %17 = graph.abs %4 : tensor<f32>
  %18 = graph.full 0.5 : tensor<f32>
  %19 = graph.mul %17, %18 : tensor<f32>
  %20 = graph.full 0.1 : tensor<f32>
  %21 = graph.add %19, %20 : tensor<f32>
  %22 = graph.sqrt %16 : tensor<100xf32>
  %23 = graph.full 1.0e-08 : tensor<100xf32>
  %24 = graph.add %22, %23 : tensor<100xf32>
  %25 = graph.div %9, %24 : tensor<100xf32>
  %26 = graph.broadcast %21 dims [] : tensor<f32> -> tensor<100xf32>
  %27 = graph.mul %25, %26 : tensor<100xf32>
  %28 = graph.full 0.001 : tensor<100xf32>
  %29 = graph.mul %27, %28 : tensor<100xf32>
  %30 = graph.sub %0, %29 : tensor<100xf32>
  func.return %30, %9, %16 : tensor<100xf32>, tensor<100xf32>, tensor<100xf32>
}

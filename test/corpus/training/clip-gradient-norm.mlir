func.func @main(%0: tensor<40xf32>, %1: tensor<8x9xf32>) -> (tensor<40xf32>, tensor<8x9xf32>) {
  %2 = graph.mul %0, %0 : tensor<40xf32>
  %3 = graph.reduce sum %2 dims [0] : tensor<40xf32> -> tensor<f32>
  %4 = graph.mul %1, %1 : tensor<8x9xf32>
  %5 = graph.reduce sum %4 dims [0, 1] : tensor<8x9xf32> -> tensor<f32>
  %6 = graph.add %3, %5 : tensor<f32>
  %7 = graph.sqrt %6 : tensor<f32>
  %8 = graph.full 1.0 : tensor<f32>
  %9 = graph.full 1.0 : tensor<f32>
  %10 = graph.full 1.0e-06 : tensor<f32>
  %11 = graph.add %7, %10 : tensor<f32>
  %12 = graph.div %9, %11 : tensor<f32>
  %13 = graph.minimum %8, %12 : tensor<f32>
  %14 = graph.broadcast %13 dims [] : tensor<f32> -> tensor<40xf32>
  %15 = graph.mul %0, %14 : tensor<40xf32>
  %16 = graph.broadcast %13 dims [] : tensor<f32> -> tensor<8x9xf32>
  %17 = graph.mul %1, %16 : tensor<8x9xf32>
  func.return %15, %17 : tensor<40xf32>, tensor<8x9xf32>
}

func.func @main(%0: tensor<16x32xf32>, %1: tensor<32x128xf32>, %2: tensor<16x128xf32>) -> tensor<f32> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<16x32xf32>, tensor<32x128xf32>) -> tensor<16x128xf32>
  %4 = graph.full 0.125 : tensor<16x128xf32>
  %5 = graph.mul %3, %4 : tensor<16x128xf32>
  %6 = graph.sub %5, %2 : tensor<16x128xf32>
  %7 = graph.mul %6, %6 : tensor<16x128xf32>
  %8 = graph.reduce sum %7 dims [0, 1] : tensor<16x128xf32> -> tensor<f32>
  %9 = graph.full 0.00048828125 : tensor<f32>
  %10 = graph.mul %8, %9 : tensor<f32>
  func.return %10 : tensor<f32>
}

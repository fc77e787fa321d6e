func.func @main(%0: tensor<50xf32>, %1: tensor<50xf32>) -> tensor<f32> {
  %2 = graph.sign %1 : tensor<50xf32>
  %3 = graph.mul %0, %2 : tensor<50xf32>
  %4 = graph.full -1.0 : tensor<50xf32>
  %5 = graph.mul %3, %4 : tensor<50xf32>
  %6 = graph.full 1.0 : tensor<50xf32>
  %7 = graph.add %5, %6 : tensor<50xf32>
  %8 = graph.relu %7 : tensor<50xf32>
  %9 = graph.reduce sum %8 dims [0] : tensor<50xf32> -> tensor<f32>
  %10 = graph.full 0.02 : tensor<f32>
  %11 = graph.mul %9, %10 : tensor<f32>
  func.return %11 : tensor<f32>
}

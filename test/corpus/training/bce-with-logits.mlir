func.func @main(%0: tensor<14x20xf32>, %1: tensor<14x20xf32>) -> tensor<f32> {
  %2 = graph.abs %0 : tensor<14x20xf32>
  %3 = graph.neg %2 : tensor<14x20xf32>
  %4 = graph.exp %3 : tensor<14x20xf32>
  %5 = graph.log1p %4 : tensor<14x20xf32>
  %6 = graph.relu %0 : tensor<14x20xf32>
  %7 = graph.add %5, %6 : tensor<14x20xf32>
  %8 = graph.mul %0, %1 : tensor<14x20xf32>
  %9 = graph.sub %7, %8 : tensor<14x20xf32>
  %10 = graph.reduce sum %9 dims [0, 1] : tensor<14x20xf32> -> tensor<f32>
  %11 = graph.full 0.00357142859 : tensor<f32>
  %12 = graph.mul %10, %11 : tensor<f32>
  func.return %12 : tensor<f32>
}

func.func @main(%0: tensor<14x20xf32>, %1: tensor<14x20xf32>) -> tensor<f32> {
  %2 = graph.sub %0, %1 : tensor<14x20xf32>
  %3 = graph.abs %2 : tensor<14x20xf32>
  %4 = graph.full 1.0 : tensor<14x20xf32>
  %5 = graph.compare lt %3, %4 : tensor<14x20xf32>
  %6 = graph.mul %3, %3 : tensor<14x20xf32>
  %7 = graph.full 0.5 : tensor<14x20xf32>
  %8 = graph.mul %6, %7 : tensor<14x20xf32>
  %9 = graph.full 0.5 : tensor<14x20xf32>
  %10 = graph.sub %3, %9 : tensor<14x20xf32>
  %11 = graph.select %5, %8, %10 : tensor<14x20xf32>
  %12 = graph.reduce sum %11 dims [0, 1] : tensor<14x20xf32> -> tensor<f32>
  %13 = graph.full 0.00357142859 : tensor<f32>
  %14 = graph.mul %12, %13 : tensor<f32>
  func.return %14 : tensor<f32>
}

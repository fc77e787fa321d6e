func.func @main(%0: tensor<2x7x12xf32>, %1: tensor<12xf32>) -> tensor<2x7x12xf32> {
  %2 = graph.pad %0 low [0, 1, 0] high [0, 0, 0] value 0.0 : tensor<2x7x12xf32> -> tensor<2x8x12xf32>
  %3 = graph.slice %2 starts [0, 0, 0] steps [1, 1, 1] : tensor<2x8x12xf32> -> tensor<2x7x12xf32>
  %4 = graph.broadcast %1 dims [2] : tensor<12xf32> -> tensor<2x7x12xf32>
  %5 = graph.mul %0, %4 : tensor<2x7x12xf32>
  %6 = graph.full -1.0 : tensor<12xf32>
  %7 = graph.mul %1, %6 : tensor<12xf32>
  %8 = graph.full 1.0 : tensor<12xf32>
  %9 = graph.add %7, %8 : tensor<12xf32>
  %10 = graph.broadcast %9 dims [2] : tensor<12xf32> -> tensor<2x7x12xf32>
  %11 = graph.mul %3, %10 : tensor<2x7x12xf32>
  %12 = graph.add %5, %11 : tensor<2x7x12xf32>
  func.return %12 : tensor<2x7x12xf32>
}

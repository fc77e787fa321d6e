func.func @main() -> (tensor<12xf32>, tensor<3x4xi32>) {
  %0 = graph.iota dim 0 : tensor<12xi64>
  %1 = graph.convert %0 : tensor<12xi64> -> tensor<12xf32>
  %2 = graph.full 0.5 : tensor<12xf32>
  %3 = graph.mul %1, %2 : tensor<12xf32>
  %4 = graph.iota dim 1 : tensor<3x4xi32>
  %5 = graph.full 7 : tensor<3x4xi32>
  %6 = graph.add %4, %5 : tensor<3x4xi32>
  func.return %3, %6 : tensor<12xf32>, tensor<3x4xi32>
}

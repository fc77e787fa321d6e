func.func @main() -> (tensor<4xf32>, tensor<i64>) {
  %0 = graph.full 2.0 : tensor<4xf32>
  %1 = graph.full 3.0 : tensor<4xf32>
  %2 = graph.mul %0, %1 : tensor<4xf32>
  %3 = graph.full 1.0 : tensor<4xf32>
  %4 = graph.add %2, %3 : tensor<4xf32>
  %5 = graph.full 1 : tensor<i64>
  %6 = graph.full 2 : tensor<i64>
  %7 = graph.add %5, %6 : tensor<i64>
  func.return %4, %7 : tensor<4xf32>, tensor<i64>
}

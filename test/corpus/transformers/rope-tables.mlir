func.func @main() -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = graph.iota dim 0 : tensor<8xi64>
  %1 = graph.convert %0 : tensor<8xi64> -> tensor<8xf32>
  %2 = graph.full -1.15129256 : tensor<8xf32>
  %3 = graph.mul %1, %2 : tensor<8xf32>
  %4 = graph.exp %3 : tensor<8xf32>
  %5 = graph.iota dim 0 : tensor<6xi64>
  %6 = graph.convert %5 : tensor<6xi64> -> tensor<6xf32>
  %7 = graph.reshape %6 : tensor<6xf32> -> tensor<6x1xf32>
  %8 = graph.broadcast %7 dims [0, 1] : tensor<6x1xf32> -> tensor<6x8xf32>
  %9 = graph.broadcast %4 dims [1] : tensor<8xf32> -> tensor<6x8xf32>
  %10 = graph.mul %8, %9 : tensor<6x8xf32>
  %11 = graph.cos %10 : tensor<6x8xf32>
  %12 = graph.sin %10 : tensor<6x8xf32>
  func.return %11, %12 : tensor<6x8xf32>, tensor<6x8xf32>
}

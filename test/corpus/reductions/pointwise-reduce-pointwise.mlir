func.func @main(%0: tensor<32x48xf32>) -> tensor<32xf32> {
  %1 = graph.full 2.0 : tensor<32x48xf32>
  %2 = graph.mul %0, %1 : tensor<32x48xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<32x48xf32> -> tensor<32xf32>
  %4 = graph.full 1.0 : tensor<32xf32>
  %5 = graph.add %3, %4 : tensor<32xf32>
  func.return %5 : tensor<32xf32>
}

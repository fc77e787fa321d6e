func.func @main(%0: tensor<10x64xf32>, %1: tensor<10x64xf32>) -> tensor<10xf32> {
  %2 = graph.mul %0, %1 : tensor<10x64xf32>
  %3 = graph.reduce sum %2 dims [1] : tensor<10x64xf32> -> tensor<10xf32>
  func.return %3 : tensor<10xf32>
}

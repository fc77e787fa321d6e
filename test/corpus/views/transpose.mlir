func.func @main(%0: tensor<23x41xf32>) -> (tensor<41x23xf32>, tensor<41x23xf32>) {
  %1 = graph.permute %0 dims [1, 0] : tensor<23x41xf32> -> tensor<41x23xf32>
  %2 = graph.full 0.0 : tensor<41x23xf32>
  %3 = graph.add %1, %2 : tensor<41x23xf32>
  %4 = graph.permute %0 dims [1, 0] : tensor<23x41xf32> -> tensor<41x23xf32>
  %5 = graph.full 2.0 : tensor<41x23xf32>
  %6 = graph.mul %4, %5 : tensor<41x23xf32>
  func.return %3, %6 : tensor<41x23xf32>, tensor<41x23xf32>
}

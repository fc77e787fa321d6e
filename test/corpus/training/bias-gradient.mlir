func.func @main(%0: tensor<6x7x20xf32>) -> (tensor<20xf32>, tensor<20xf32>) {
  %1 = graph.reduce sum %0 dims [0, 1] : tensor<6x7x20xf32> -> tensor<20xf32>
  %2 = graph.permute %0 dims [2, 0, 1] : tensor<6x7x20xf32> -> tensor<20x6x7xf32>
  %3 = graph.reduce sum %2 dims [1, 2] : tensor<20x6x7xf32> -> tensor<20xf32>
  func.return %1, %3 : tensor<20xf32>, tensor<20xf32>
}

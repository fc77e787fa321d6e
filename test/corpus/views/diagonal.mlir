func.func @main(%0: tensor<9x9xf32>) -> tensor<9xf32> {
  %1 = graph.reshape %0 : tensor<9x9xf32> -> tensor<81xf32>
  %2 = graph.slice %1 starts [0] steps [10] : tensor<81xf32> -> tensor<9xf32>
  %3 = graph.full 2.0 : tensor<9xf32>
  %4 = graph.mul %2, %3 : tensor<9xf32>
  func.return %4 : tensor<9xf32>
}

func.func @main(%0: tensor<8x50xf32>, %1: tensor<8x50xi1>) -> tensor<8x50xf32> {
  %2 = graph.convert %1 : tensor<8x50xi1> -> tensor<8x50xf32>
  %3 = graph.mul %0, %2 : tensor<8x50xf32>
  %4 = graph.scan sum %3 dim 1 : tensor<8x50xf32>
  func.return %4 : tensor<8x50xf32>
}

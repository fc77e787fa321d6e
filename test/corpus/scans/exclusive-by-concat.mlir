func.func @main(%0: tensor<8x50xf32>) -> tensor<8x50xf32> {
  %1 = graph.full 0.0 : tensor<8x1xf32>
  %2 = graph.concat %1, %0 dim 1 : (tensor<8x1xf32>, tensor<8x50xf32>) -> tensor<8x51xf32>
  %3 = graph.slice %2 starts [0, 0] steps [1, 1] : tensor<8x51xf32> -> tensor<8x50xf32>
  %4 = graph.scan sum %3 dim 1 : tensor<8x50xf32>
  func.return %4 : tensor<8x50xf32>
}

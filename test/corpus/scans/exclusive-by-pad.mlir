func.func @main(%0: tensor<8x50xf32>) -> tensor<8x50xf32> {
  %1 = graph.slice %0 starts [0, 0] steps [1, 1] : tensor<8x50xf32> -> tensor<8x49xf32>
  %2 = graph.pad %1 low [0, 1] high [0, 0] value 0.0 : tensor<8x49xf32> -> tensor<8x50xf32>
  %3 = graph.scan sum %2 dim 1 : tensor<8x50xf32>
  func.return %3 : tensor<8x50xf32>
}

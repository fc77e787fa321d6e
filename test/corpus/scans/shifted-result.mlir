func.func @main(%0: tensor<8x50xf32>) -> tensor<8x50xf32> {
  %1 = graph.scan sum %0 dim 1 : tensor<8x50xf32>
  %2 = graph.slice %1 starts [0, 0] steps [1, 1] : tensor<8x50xf32> -> tensor<8x49xf32>
  %3 = graph.pad %2 low [0, 1] high [0, 0] value 0.0 : tensor<8x49xf32> -> tensor<8x50xf32>
  %4 = graph.full 2.0 : tensor<8x50xf32>
  %5 = graph.mul %3, %4 : tensor<8x50xf32>
  func.return %5 : tensor<8x50xf32>
}

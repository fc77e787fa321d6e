func.func @main(%0: tensor<6x9xf32>) -> (tensor<10x11xf32>, tensor<6x11xf32>) {
  %1 = graph.pad %0 low [1, 2] high [3, 0] value 0.5 : tensor<6x9xf32> -> tensor<10x11xf32>
  %2 = graph.exp %0 : tensor<6x9xf32>
  %3 = graph.pad %2 low [0, 1] high [0, 1] value 0.0 : tensor<6x9xf32> -> tensor<6x11xf32>
  %4 = graph.full 2.0 : tensor<6x11xf32>
  %5 = graph.mul %3, %4 : tensor<6x11xf32>
  func.return %1, %5 : tensor<10x11xf32>, tensor<6x11xf32>
}

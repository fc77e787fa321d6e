func.func @main(%0: tensor<6x11xf32>) -> tensor<6x11xf32> {
  %1 = graph.slice %0 starts [0, 4] steps [1, 1] : tensor<6x11xf32> -> tensor<6x7xf32>
  %2 = graph.slice %0 starts [0, 0] steps [1, 1] : tensor<6x11xf32> -> tensor<6x4xf32>
  %3 = graph.concat %1, %2 dim 1 : (tensor<6x7xf32>, tensor<6x4xf32>) -> tensor<6x11xf32>
  %4 = graph.mul %3, %0 : tensor<6x11xf32>
  func.return %4 : tensor<6x11xf32>
}

func.func @main(%0: tensor<70x1000xf32>, %1: tensor<70x999xf32>) -> (tensor<70x1999xf32>, tensor<70x332xf32>, tensor<74x1006xf32>) {
  %2 = graph.concat %0, %1 dim 1 : (tensor<70x1000xf32>, tensor<70x999xf32>) -> tensor<70x1999xf32>
  %3 = graph.full 2.0 : tensor<70x1999xf32>
  %4 = graph.mul %2, %3 : tensor<70x1999xf32>
  %5 = graph.slice %0 starts [0, 3] steps [1, 3] : tensor<70x1000xf32> -> tensor<70x332xf32>
  %6 = graph.full 1.0 : tensor<70x332xf32>
  %7 = graph.add %5, %6 : tensor<70x332xf32>
  %8 = graph.pad %0 low [1, 2] high [3, 4] value 0.5 : tensor<70x1000xf32> -> tensor<74x1006xf32>
  func.return %4, %7, %8 : tensor<70x1999xf32>, tensor<70x332xf32>, tensor<74x1006xf32>
}

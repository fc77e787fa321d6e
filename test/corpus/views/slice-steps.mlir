func.func @main(%0: tensor<20x30xf32>) -> (tensor<7x30xf32>, tensor<7x5xf32>) {
  %1 = graph.slice %0 starts [1, 0] steps [3, 1] : tensor<20x30xf32> -> tensor<7x30xf32>
  %2 = graph.full 2.0 : tensor<7x30xf32>
  %3 = graph.mul %1, %2 : tensor<7x30xf32>
  %4 = graph.slice %0 starts [0, 5] steps [1, 4] : tensor<20x30xf32> -> tensor<20x5xf32>
  %5 = graph.slice %4 starts [3, 0] steps [2, 1] : tensor<20x5xf32> -> tensor<7x5xf32>
  %6 = graph.full 1.0 : tensor<7x5xf32>
  %7 = graph.add %5, %6 : tensor<7x5xf32>
  func.return %3, %7 : tensor<7x30xf32>, tensor<7x5xf32>
}

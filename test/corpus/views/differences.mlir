func.func @main(%0: tensor<50xf32>) -> tensor<49xf32> {
  %1 = graph.slice %0 starts [1] steps [1] : tensor<50xf32> -> tensor<49xf32>
  %2 = graph.slice %0 starts [0] steps [1] : tensor<50xf32> -> tensor<49xf32>
  %3 = graph.sub %1, %2 : tensor<49xf32>
  func.return %3 : tensor<49xf32>
}

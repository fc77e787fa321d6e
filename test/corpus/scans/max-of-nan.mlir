func.func @main(%0: tensor<6x21xf32>) -> (tensor<6x21xf32>, tensor<6x21xf32>, tensor<6x21xf32>) {
  %1 = graph.full 1.0 : tensor<6x21xf32>
  %2 = graph.compare gt %0, %1 : tensor<6x21xf32>
  %3 = graph.div %0, %0 : tensor<6x21xf32>
  %4 = graph.div %0, %0 : tensor<6x21xf32>
  %5 = graph.sub %3, %4 : tensor<6x21xf32>
  %6 = graph.select %2, %5, %0 : tensor<6x21xf32>
  %7 = graph.full 0.5 : tensor<6x21xf32>
  %8 = graph.sub %0, %7 : tensor<6x21xf32>
  %9 = graph.sqrt %8 : tensor<6x21xf32>
  %10 = graph.scan max %6 dim 1 : tensor<6x21xf32>
  %11 = graph.scan max %9 dim 1 : tensor<6x21xf32>
  %12 = graph.scan min %9 dim 0 : tensor<6x21xf32>
  func.return %10, %11, %12 : tensor<6x21xf32>, tensor<6x21xf32>, tensor<6x21xf32>
}

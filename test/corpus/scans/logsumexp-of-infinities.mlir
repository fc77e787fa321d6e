func.func @main(%0: tensor<6x21xf32>) -> (tensor<6x21xf32>, tensor<6x21xf32>, tensor<6x21xf32>) {
  %1 = graph.full inf : tensor<6x21xf32>
  %2 = graph.full 1.0 : tensor<6x21xf32>
  %3 = graph.compare gt %0, %2 : tensor<6x21xf32>
  %4 = graph.full 0.0 : tensor<6x21xf32>
  %5 = graph.compare lt %0, %4 : tensor<6x21xf32>
  %6 = graph.full -1.0 : tensor<6x21xf32>
  %7 = graph.mul %1, %6 : tensor<6x21xf32>
  %8 = graph.select %5, %7, %0 : tensor<6x21xf32>
  %9 = graph.select %3, %1, %8 : tensor<6x21xf32>
  %10 = graph.scan logsumexp %9 dim 1 : tensor<6x21xf32>
  %11 = graph.full -1.0 : tensor<6x21xf32>
  %12 = graph.mul %9, %11 : tensor<6x21xf32>
  %13 = graph.scan logsumexp %12 dim 1 : tensor<6x21xf32>
  %14 = graph.scan max %9 dim 1 : tensor<6x21xf32>
  func.return %10, %13, %14 : tensor<6x21xf32>, tensor<6x21xf32>, tensor<6x21xf32>
}

func.func @main(%0: tensor<100003xf32>, %1: tensor<100003xf32>) -> tensor<100003xf32> {
  %2 = graph.sigmoid %0 : tensor<100003xf32>
  %3 = graph.mul %2, %1 : tensor<100003xf32>
  func.return %3 : tensor<100003xf32>
}

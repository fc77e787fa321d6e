func.func @main(%0: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xi1>, tensor<8xf32>) {
  %1 = graph.full inf : tensor<8xf32>
  %2 = graph.mul %0, %1 : tensor<8xf32>
  %3 = graph.full nan : tensor<8xf32>
  %4 = graph.add %0, %3 : tensor<8xf32>
  %5 = graph.full inf : tensor<8xf32>
  %6 = graph.compare lt %0, %5 : tensor<8xf32>
  %7 = graph.full 0.0 : tensor<8xf32>
  %8 = graph.mul %0, %7 : tensor<8xf32>
  %9 = graph.full -1.0 : tensor<8xf32>
  %10 = graph.mul %8, %9 : tensor<8xf32>
  func.return %2, %4, %6, %10 : tensor<8xf32>, tensor<8xf32>, tensor<8xi1>, tensor<8xf32>
}

func.func @main(%0: tensor<21x30xf32>) -> (tensor<21xf32>, tensor<30xf32>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<21x30xf32> -> tensor<21xf32>
  %2 = graph.reduce sum %0 dims [0] : tensor<21x30xf32> -> tensor<30xf32>
  func.return %1, %2 : tensor<21xf32>, tensor<30xf32>
}

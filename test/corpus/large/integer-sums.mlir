func.func @main(%0: tensor<60x3000xi32>, %1: tensor<60x3000xi8>) -> (tensor<60xi32>, tensor<3000xi32>, tensor<3000xi8>, tensor<i64>) {
  %2 = graph.reduce sum %0 dims [1] : tensor<60x3000xi32> -> tensor<60xi32>
  %3 = graph.reduce min %0 dims [0] : tensor<60x3000xi32> -> tensor<3000xi32>
  %4 = graph.reduce sum %1 dims [0] : tensor<60x3000xi8> -> tensor<3000xi8>
  %5 = graph.convert %1 : tensor<60x3000xi8> -> tensor<60x3000xi64>
  %6 = graph.reduce sum %5 dims [0, 1] : tensor<60x3000xi64> -> tensor<i64>
  func.return %2, %3, %4, %6 : tensor<60xi32>, tensor<3000xi32>, tensor<3000xi8>, tensor<i64>
}

func.func @main(%0: tensor<24x32xf32>, %1: tensor<32x32xf32>, %2: tensor<24x32xf32>) -> tensor<24x32xf32> {
  %3 = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
  %4 = graph.full 0.125 : tensor<24x32xf32>
  %5 = graph.mul %3, %4 : tensor<24x32xf32>
  %6 = graph.add %5, %2 : tensor<24x32xf32>
  %7 = graph.tanh %6 : tensor<24x32xf32>
  %8 = graph.contract %7, %1 batch [], [] contract [1], [0] : (tensor<24x32xf32>, tensor<32x32xf32>) -> tensor<24x32xf32>
  %9 = graph.full 0.125 : tensor<24x32xf32>
  %10 = graph.mul %8, %9 : tensor<24x32xf32>
  %11 = graph.tanh %10 : tensor<24x32xf32>
  %12 = graph.add %6, %11 : tensor<24x32xf32>
  func.return %12 : tensor<24x32xf32>
}

func.func @main(%0: tensor<12x30xf32>, %1: tensor<12x1xf32>) -> (tensor<12x30xi8>, tensor<12x30xf32>) {
  %2 = graph.abs %1 : tensor<12x1xf32>
  %3 = graph.full 0.1 : tensor<12x1xf32>
  %4 = graph.add %2, %3 : tensor<12x1xf32>
  %5 = graph.broadcast %4 dims [0, 1] : tensor<12x1xf32> -> tensor<12x30xf32>
  %6 = graph.div %0, %5 : tensor<12x30xf32>
  %7 = graph.round %6 : tensor<12x30xf32>
  %8 = graph.full -127.0 : tensor<12x30xf32>
  %9 = graph.maximum %7, %8 : tensor<12x30xf32>
  %10 = graph.full 127.0 : tensor<12x30xf32>
  %11 = graph.minimum %9, %10 : tensor<12x30xf32>
  %12 = graph.convert %11 : tensor<12x30xf32> -> tensor<12x30xi8>
  %13 = graph.convert %12 : tensor<12x30xi8> -> tensor<12x30xf32>
  %14 = graph.broadcast %4 dims [0, 1] : tensor<12x1xf32> -> tensor<12x30xf32>
  %15 = graph.mul %13, %14 : tensor<12x30xf32>
  func.return %12, %15 : tensor<12x30xi8>, tensor<12x30xf32>
}

func.func @main(%0: tensor<50xf32>) -> (tensor<50xi1>, tensor<50xi1>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xi1>, tensor<50xi1>, tensor<50xf32>) {
  %1 = graph.log %0 : tensor<50xf32>
  %2 = graph.full 1.0e+38 : tensor<50xf32>
  %3 = graph.mul %0, %2 : tensor<50xf32>
  %4 = graph.full 1.0e+10 : tensor<50xf32>
  %5 = graph.mul %3, %4 : tensor<50xf32>
  %6 = graph.isnan %1 : tensor<50xf32>
  %7 = graph.isinf %5 : tensor<50xf32>
  %8 = graph.maximum %1, %0 : tensor<50xf32>
  %9 = graph.fmax %1, %0 : tensor<50xf32>
  %10 = graph.minimum %1, %0 : tensor<50xf32>
  %11 = graph.fmin %1, %0 : tensor<50xf32>
  %12 = graph.relu %1 : tensor<50xf32>
  %13 = graph.compare ne %1, %0 : tensor<50xf32>
  %14 = graph.compare eq %1, %1 : tensor<50xf32>
  %15 = graph.sign %1 : tensor<50xf32>
  func.return %6, %7, %8, %9, %10, %11, %12, %13, %14, %15 : tensor<50xi1>, tensor<50xi1>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xi1>, tensor<50xi1>, tensor<50xf32>
}

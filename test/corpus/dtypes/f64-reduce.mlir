func.func @main(%0: tensor<12x50xf64>) -> (tensor<12xf64>, tensor<50xf64>, tensor<f64>, tensor<12xi64>) {
  %1 = graph.reduce sum %0 dims [1] : tensor<12x50xf64> -> tensor<12xf64>
  %2 = graph.reduce max %0 dims [0] : tensor<12x50xf64> -> tensor<50xf64>
  %3 = graph.reduce min %0 dims [0, 1] : tensor<12x50xf64> -> tensor<f64>
  %4 = graph.reduce argmax %0 dims [1] : tensor<12x50xf64> -> tensor<12xi64>
  func.return %1, %2, %3, %4 : tensor<12xf64>, tensor<50xf64>, tensor<f64>, tensor<12xi64>
}

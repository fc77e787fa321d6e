func.func @main(%0: tensor<40x300xf32>) -> (tensor<40xf32>, tensor<40x300xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>) {
  %1 = graph.reduce max %0 dims [1] : tensor<40x300xf32> -> tensor<40xf32>
  %2 = graph.reshape %1 : tensor<40xf32> -> tensor<40x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<40x1xf32> -> tensor<40x300xf32>
  %4 = graph.sub %0, %3 : tensor<40x300xf32>
  %5 = graph.exp %4 : tensor<40x300xf32>
  %6 = graph.scan sum %5 dim 1 reverse : tensor<40x300xf32>
  %7 = graph.reduce max %0 dims [1] : tensor<40x300xf32> -> tensor<40xf32>
  %8 = graph.reduce sum %5 dims [1] : tensor<40x300xf32> -> tensor<40xf32>
  %9 = graph.reduce sum %6 dims [1] : tensor<40x300xf32> -> tensor<40xf32>
  %10 = graph.reduce sum %0 dims [1] : tensor<40x300xf32> -> tensor<40xf32>
  func.return %7, %6, %8, %9, %10 : tensor<40xf32>, tensor<40x300xf32>, tensor<40xf32>, tensor<40xf32>, tensor<40xf32>
}

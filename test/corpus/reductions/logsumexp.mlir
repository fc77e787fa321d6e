func.func @main(%0: tensor<9x50xf32>) -> tensor<9xf32> {
  %1 = graph.reduce max %0 dims [1] : tensor<9x50xf32> -> tensor<9xf32>
  %2 = graph.reshape %1 : tensor<9xf32> -> tensor<9x1xf32>
  %3 = graph.broadcast %2 dims [0, 1] : tensor<9x1xf32> -> tensor<9x50xf32>
  %4 = graph.sub %0, %3 : tensor<9x50xf32>
  %5 = graph.exp %4 : tensor<9x50xf32>
  %6 = graph.reduce sum %5 dims [1] : tensor<9x50xf32> -> tensor<9xf32>
  %7 = graph.log %6 : tensor<9xf32>
  %8 = graph.reshape %2 : tensor<9x1xf32> -> tensor<9xf32>
  %9 = graph.add %7, %8 : tensor<9xf32>
  func.return %9 : tensor<9xf32>
}

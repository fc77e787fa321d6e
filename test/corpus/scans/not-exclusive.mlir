func.func @main(%0: tensor<8x50xf32>, %1: tensor<8x50xi32>) -> (tensor<8x51xf32>, tensor<8x51xf32>, tensor<8x100xi32>, tensor<8x51xf32>, tensor<8x53xf32>) {
  %2 = graph.scan sum %0 dim 1 : tensor<8x50xf32>
  %3 = graph.full 0.0 : tensor<8x1xf32>
  %4 = graph.concat %2, %3 dim 1 : (tensor<8x50xf32>, tensor<8x1xf32>) -> tensor<8x51xf32>
  %5 = graph.full 1.0 : tensor<8x1xf32>
  %6 = graph.full 2.0 : tensor<8x50xf32>
  %7 = graph.mul %0, %6 : tensor<8x50xf32>
  %8 = graph.scan sum %7 dim 1 : tensor<8x50xf32>
  %9 = graph.concat %5, %8 dim 1 : (tensor<8x1xf32>, tensor<8x50xf32>) -> tensor<8x51xf32>
  %10 = graph.scan max %1 dim 1 : tensor<8x50xi32>
  %11 = graph.concat %1, %10 dim 1 : (tensor<8x50xi32>, tensor<8x50xi32>) -> tensor<8x100xi32>
  %12 = graph.full 0.0 : tensor<8x1xf32>
  %13 = graph.full 4.0 : tensor<8x50xf32>
  %14 = graph.mul %0, %13 : tensor<8x50xf32>
  %15 = graph.scan sum %14 dim 1 reverse : tensor<8x50xf32>
  %16 = graph.concat %12, %15 dim 1 : (tensor<8x1xf32>, tensor<8x50xf32>) -> tensor<8x51xf32>
  %17 = graph.full 3.0 : tensor<8x50xf32>
  %18 = graph.mul %0, %17 : tensor<8x50xf32>
  %19 = graph.scan sum %18 dim 1 : tensor<8x50xf32>
  %20 = graph.pad %19 low [0, 1] high [0, 2] value 0.0 : tensor<8x50xf32> -> tensor<8x53xf32>
  func.return %4, %9, %11, %16, %20 : tensor<8x51xf32>, tensor<8x51xf32>, tensor<8x100xi32>, tensor<8x51xf32>, tensor<8x53xf32>
}

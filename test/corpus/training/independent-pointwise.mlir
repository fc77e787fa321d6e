func.func @main(%0: tensor<10xf32>, %1: tensor<20xf32>, %2: tensor<30xf32>, %3: tensor<40xf32>) -> (tensor<10xf32>, tensor<20xf32>, tensor<30xf32>, tensor<40xf32>) {
  %4 = graph.full 2.0 : tensor<10xf32>
  %5 = graph.mul %0, %4 : tensor<10xf32>
  %6 = graph.full 1.0 : tensor<10xf32>
  %7 = graph.add %5, %6 : tensor<10xf32>
  %8 = graph.full 2.0 : tensor<20xf32>
  %9 = graph.mul %1, %8 : tensor<20xf32>
  %10 = graph.full 1.0 : tensor<20xf32>
  %11 = graph.add %9, %10 : tensor<20xf32>
  %12 = graph.full 2.0 : tensor<30xf32>
  %13 = graph.mul %2, %12 : tensor<30xf32>
  %14 = graph.full 1.0 : tensor<30xf32>
  %15 = graph.add %13, %14 : tensor<30xf32>
  %16 = graph.full 2.0 : tensor<40xf32>
  %17 = graph.mul %3, %16 : tensor<40xf32>
  %18 = graph.full 1.0 : tensor<40xf32>
  %19 = graph.add %17, %18 : tensor<40xf32>
  func.return %7, %11, %15, %19 : tensor<10xf32>, tensor<20xf32>, tensor<30xf32>, tensor<40xf32>
}

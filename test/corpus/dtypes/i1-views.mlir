func.func @main(%0: tensor<6x20xi1>) -> (tensor<120xi1>, tensor<6x20xi1>, tensor<7x22xi1>) {
  %1 = graph.permute %0 dims [1, 0] : tensor<6x20xi1> -> tensor<20x6xi1>
  %2 = graph.reshape %1 : tensor<20x6xi1> -> tensor<120xi1>
  %3 = graph.reverse %0 dims [1] : tensor<6x20xi1>
  %4 = graph.pad %0 low [1, 0] high [0, 2] value true : tensor<6x20xi1> -> tensor<7x22xi1>
  func.return %2, %3, %4 : tensor<120xi1>, tensor<6x20xi1>, tensor<7x22xi1>
}

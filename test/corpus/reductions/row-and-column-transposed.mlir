func.func @main(%0: tensor<21x80xf32>) -> (tensor<80x21xf32>, tensor<80x3x7xf32>, tensor<3x80xf32>, tensor<21x2xf32>) {
  %1 = graph.reshape %0 : tensor<21x80xf32> -> tensor<3x7x80xf32>
  %2 = graph.permute %0 dims [1, 0] : tensor<21x80xf32> -> tensor<80x21xf32>
  %3 = graph.permute %1 dims [2, 0, 1] : tensor<3x7x80xf32> -> tensor<80x3x7xf32>
  %4 = graph.reduce sum %1 dims [1] : tensor<3x7x80xf32> -> tensor<3x80xf32>
  %5 = graph.reshape %0 : tensor<21x80xf32> -> tensor<21x2x40xf32>
  %6 = graph.reduce prod %5 dims [2] : tensor<21x2x40xf32> -> tensor<21x2xf32>
  func.return %2, %3, %4, %6 : tensor<80x21xf32>, tensor<80x3x7xf32>, tensor<3x80xf32>, tensor<21x2xf32>
}

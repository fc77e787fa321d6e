func.func @main(%0: tensor<24x36xbf16>) -> (tensor<36x24xbf16>, tensor<24x36xbf16>, tensor<6x24x6xbf16>, tensor<36x24xbf16>) {
  %1 = graph.exp %0 : tensor<24x36xbf16>
  %2 = graph.permute %1 dims [1, 0] : tensor<24x36xbf16> -> tensor<36x24xbf16>
  %3 = graph.reshape %0 : tensor<24x36xbf16> -> tensor<24x6x6xbf16>
  %4 = graph.permute %3 dims [2, 0, 1] : tensor<24x6x6xbf16> -> tensor<6x24x6xbf16>
  %5 = graph.permute %0 dims [1, 0] : tensor<24x36xbf16> -> tensor<36x24xbf16>
  func.return %2, %1, %4, %5 : tensor<36x24xbf16>, tensor<24x36xbf16>, tensor<6x24x6xbf16>, tensor<36x24xbf16>
}

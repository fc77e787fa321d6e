func.func @main(%0: tensor<6x65x130xbf16>) -> (tensor<6x130x65xbf16>, tensor<130x65x6xbf16>) {
  %1 = graph.permute %0 dims [0, 2, 1] : tensor<6x65x130xbf16> -> tensor<6x130x65xbf16>
  %2 = graph.full 2.0 : tensor<6x130x65xbf16>
  %3 = graph.mul %1, %2 : tensor<6x130x65xbf16>
  %4 = graph.permute %0 dims [2, 1, 0] : tensor<6x65x130xbf16> -> tensor<130x65x6xbf16>
  %5 = graph.full 1.0 : tensor<130x65x6xbf16>
  %6 = graph.add %4, %5 : tensor<130x65x6xbf16>
  func.return %3, %6 : tensor<6x130x65xbf16>, tensor<130x65x6xbf16>
}

func.func @main(%0: tensor<0x5xf32>) -> (tensor<0x5xi64>, tensor<0x5xi64>, tensor<0x5xf32>) {
  %1 = graph.scan argmax %0 dim 1 : tensor<0x5xf32> -> tensor<0x5xi64>
  %2 = graph.scan argmax %0 dim 0 : tensor<0x5xf32> -> tensor<0x5xi64>
  %3 = graph.scan logsumexp %0 dim 0 : tensor<0x5xf32>
  func.return %1, %2, %3 : tensor<0x5xi64>, tensor<0x5xi64>, tensor<0x5xf32>
}

func.func @main(%0: tensor<24x32xf16>, %1: tensor<32x40xi8> {corpus.range = array<i64: -20, 20>}, %2: tensor<40xf16>) -> tensor<24x40xf16> {
  %3 = graph.convert %1 : tensor<32x40xi8> -> tensor<32x40xf16>
  %4 = graph.full 0.0100021 : tensor<32x40xf16>
  %5 = graph.mul %3, %4 : tensor<32x40xf16>
  %6 = graph.contract %0, %5 batch [], [] contract [1], [0] : (tensor<24x32xf16>, tensor<32x40xf16>) -> tensor<24x40xf16>
  %7 = graph.broadcast %2 dims [1] : tensor<40xf16> -> tensor<24x40xf16>
  %8 = graph.mul %6, %7 : tensor<24x40xf16>
  func.return %8 : tensor<24x40xf16>
}

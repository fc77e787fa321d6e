func.func @main(%0: tensor<20x30xf32>, %1: tensor<i64>) -> tensor<20x30xf32> {
  %2 = graph.random uniform %1 offset 3 : tensor<i64> -> tensor<20x30xf32>
  %3 = graph.full 0.75 : tensor<20x30xf32>
  %4 = graph.compare lt %2, %3 : tensor<20x30xf32>
  %5 = graph.full 1.33333337 : tensor<20x30xf32>
  %6 = graph.mul %0, %5 : tensor<20x30xf32>
  %7 = graph.full 0.0 : tensor<20x30xf32>
  %8 = graph.select %4, %6, %7 : tensor<20x30xf32>
  func.return %8 : tensor<20x30xf32>
}

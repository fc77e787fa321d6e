// RUN: fusir-opt %s --split-scans | filecheck %s

// One long row is cut into parts: their totals, what comes before each part, and each part from there.

// CHECK-LABEL: func.func @row(
// CHECK-NEXT:    [[X:%.*]] = graph.reshape %x : tensor<16777216xf32> -> tensor<1024x16384xf32>
// CHECK-NEXT:    [[T:%.*]] = graph.reduce sum [[X]] dims [1] : tensor<1024x16384xf32> -> tensor<1024xf32>
// CHECK-NEXT:    [[O:%.*]] = graph.slice [[T]] starts [0] steps [1] : tensor<1024xf32> -> tensor<1023xf32>
// CHECK-NEXT:    [[Z:%.*]] = graph.pad [[O]] low [1] high [0] value 0.0 : tensor<1023xf32> -> tensor<1024xf32>
// CHECK-NEXT:    [[C:%.*]] = graph.scan sum [[Z]] dim 0 : tensor<1024xf32>
// CHECK-NEXT:    [[B:%.*]] = graph.broadcast [[C]] dims [0] : tensor<1024xf32> -> tensor<1024x16384xf32>
// CHECK-NEXT:    [[P:%.*]] = graph.scan sum [[X]] dim 1 : tensor<1024x16384xf32>
// CHECK-NEXT:    [[S:%.*]] = graph.add [[B]], [[P]] : tensor<1024x16384xf32>
// CHECK-NEXT:    [[R:%.*]] = graph.reshape [[S]] : tensor<1024x16384xf32> -> tensor<16777216xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @row(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
  %0 = graph.scan sum %x dim 0 : tensor<16777216xf32>
  func.return %0 : tensor<16777216xf32>
}

// From the end, what comes behind each part; a product of halves is accumulated in f32.

// CHECK-LABEL: func.func @from_the_end(
// CHECK-NEXT:    [[W:%.*]] = graph.convert %x : tensor<2x65536xbf16> -> tensor<2x65536xf32>
// CHECK-NEXT:    [[X:%.*]] = graph.reshape [[W]] : tensor<2x65536xf32> -> tensor<2x16x4096xf32>
// CHECK-NEXT:    [[T:%.*]] = graph.reduce prod [[X]] dims [2]
// CHECK-NEXT:    [[O:%.*]] = graph.slice [[T]] starts [0, 1] steps [1, 1] : tensor<2x16xf32> -> tensor<2x15xf32>
// CHECK-NEXT:    [[Z:%.*]] = graph.pad [[O]] low [0, 0] high [0, 1] value 1.0
// CHECK-NEXT:    [[C:%.*]] = graph.scan prod [[Z]] dim 1 reverse : tensor<2x16xf32>
// CHECK-NEXT:    [[B:%.*]] = graph.broadcast [[C]] dims [0, 1]
// CHECK-NEXT:    [[P:%.*]] = graph.scan prod [[X]] dim 2 reverse : tensor<2x16x4096xf32>
// CHECK-NEXT:    [[S:%.*]] = graph.mul [[B]], [[P]]
// CHECK-NEXT:    [[R:%.*]] = graph.reshape [[S]] : tensor<2x16x4096xf32> -> tensor<2x65536xf32>
// CHECK-NEXT:    graph.convert [[R]] : tensor<2x65536xf32> -> tensor<2x65536xbf16>
func.func @from_the_end(%x: tensor<2x65536xbf16>) -> tensor<2x65536xbf16> {
  %0 = graph.scan prod %x dim 1 reverse : tensor<2x65536xbf16>
  func.return %0 : tensor<2x65536xbf16>
}

// Few long columns.

// CHECK-LABEL: func.func @columns(
// CHECK-NEXT:    [[X:%.*]] = graph.reshape %x : tensor<65536x8xi32> -> tensor<512x128x8xi32>
// CHECK-NEXT:    graph.reduce max [[X]] dims [1] : tensor<512x128x8xi32> -> tensor<512x8xi32>
// CHECK:         graph.pad {{%.*}} low [1, 0] high [0, 0] value -2147483648 : tensor<511x8xi32> -> tensor<512x8xi32>
// CHECK:         graph.maximum
func.func @columns(%x: tensor<65536x8xi32>) -> tensor<65536x8xi32> {
  %0 = graph.scan max %x dim 0 : tensor<65536x8xi32>
  func.return %0 : tensor<65536x8xi32>
}

// These stay whole: many rows, a short row, a length without a good divisor, a length that is not known, extrema whose
// positions are looked for, and what has no op that folds two partial results.

// CHECK-LABEL: func.func @whole(
// CHECK-NOT:     graph.reduce
// CHECK:         func.return
func.func @whole(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %a: tensor<132x65536xf32>, %b: tensor<32768xf32>, %c: tensor<65537xf32>, %d: tensor<?xf32, #graph.dims<[s0]>>, %e: tensor<65536xf32>) {
  %0 = graph.scan sum %a dim 1 : tensor<132x65536xf32>
  %1 = graph.scan sum %b dim 0 : tensor<32768xf32>
  %2 = graph.scan sum %c dim 0 : tensor<65537xf32>
  %3 = graph.scan sum %d dim 0 : tensor<?xf32, #graph.dims<[s0]>>
  %4 = graph.scan max %e dim 0 : tensor<65536xf32>
  %5 = graph.scan argmax %e dim 0 : tensor<65536xf32> -> tensor<65536xi64>
  %6 = graph.scan logsumexp %e dim 0 : tensor<65536xf32>
  func.return
}

// RUN: fusir-opt %s --canonicalize | filecheck %s

// A scan of reversed elements that is reversed goes from the end.

// CHECK-LABEL: func.func @reversed(
// CHECK-NEXT: [[S:%.*]] = graph.scan sum %x dim 1 reverse : tensor<4x8xf32>
// CHECK-NEXT: func.return [[S]]
func.func @reversed(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = graph.reverse %x dims [1] : tensor<4x8xf32>
  %1 = graph.scan sum %0 dim 1 : tensor<4x8xf32>
  %2 = graph.reverse %1 dims [1] : tensor<4x8xf32>
  func.return %2 : tensor<4x8xf32>
}

// Along other dims the direction stays.

// CHECK-LABEL: func.func @reversed_rows(
// CHECK-NEXT: [[R:%.*]] = graph.reverse %x dims [0]
// CHECK-NEXT: [[S:%.*]] = graph.scan max [[R]] dim 1 : tensor<4x8xf32>
func.func @reversed_rows(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = graph.scan max %x dim 1 : tensor<4x8xf32>
  %1 = graph.reverse %0 dims [0] : tensor<4x8xf32>
  func.return %1 : tensor<4x8xf32>
}

// Exclusive prefixes: a pad or a concatenation that changes nothing when folded in moves in front of the scan.

// CHECK-LABEL: func.func @shifted(
// CHECK-NEXT: [[X:%.*]] = graph.slice %x starts [0, 0] steps [1, 1]
// CHECK-NEXT: [[P:%.*]] = graph.pad [[X]] low [0, 1] high [0, 0] value 0.0
// CHECK-NEXT: [[S:%.*]] = graph.scan sum [[P]] dim 1 : tensor<4x8xf32>
// CHECK-NEXT: func.return [[S]]
func.func @shifted(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = graph.scan sum %x dim 1 : tensor<4x8xf32>
  %1 = graph.slice %0 starts [0, 0] steps [1, 1] : tensor<4x8xf32> -> tensor<4x7xf32>
  %2 = graph.pad %1 low [0, 1] high [0, 0] value 0.0 : tensor<4x7xf32> -> tensor<4x8xf32>
  func.return %2 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @behind_ones(
// CHECK:      [[C:%.*]] = graph.concat {{%.*}}, %x dim 1
// CHECK-NEXT: [[S:%.*]] = graph.scan prod [[C]] dim 1 : tensor<4x9xf32>
// CHECK-NEXT: func.return [[S]]
func.func @behind_ones(%x: tensor<4x8xf32>) -> tensor<4x9xf32> {
  %0 = graph.full 1.0 : tensor<4x1xf32>
  %1 = graph.scan prod %x dim 1 : tensor<4x8xf32>
  %2 = graph.concat %0, %1 dim 1 : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x9xf32>
  func.return %2 : tensor<4x9xf32>
}

// These change prefixes, or are not the first ones.

// CHECK-LABEL: func.func @not_neutral(
// CHECK-NOT:  graph.scan {{.*}} : tensor<4x9xf32>
// CHECK-NOT:  graph.scan {{.*}} : tensor<4x7xf32>
// CHECK:      func.return
func.func @not_neutral(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %z: tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x7xf32>) {
  %0 = graph.scan sum %x dim 1 : tensor<4x8xf32>
  %1 = graph.pad %0 low [0, 1] high [0, 0] value 1.0 : tensor<4x8xf32> -> tensor<4x9xf32>
  %2 = graph.scan sum %y dim 1 : tensor<4x8xf32>
  %3 = graph.pad %2 low [0, 0] high [0, 1] value 0.0 : tensor<4x8xf32> -> tensor<4x9xf32>
  %4 = graph.scan sum %z dim 1 : tensor<4x8xf32>
  %5 = graph.slice %4 starts [0, 1] steps [1, 1] : tensor<4x8xf32> -> tensor<4x7xf32>
  func.return %1, %3, %5 : tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x7xf32>
}

// Sums of half precision are accumulated in f32 and rounded: what moves the rounded prefixes moves in front of the scan too.

// CHECK-LABEL: func.func @reversed_halves(
// CHECK-NEXT: [[C:%.*]] = graph.convert %x
// CHECK-NEXT: [[S:%.*]] = graph.scan sum [[C]] dim 1 reverse : tensor<4x8xf32>
// CHECK-NEXT: [[R:%.*]] = graph.convert [[S]] : tensor<4x8xf32> -> tensor<4x8xbf16>
// CHECK-NEXT: func.return [[R]]
func.func @reversed_halves(%x: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %0 = graph.reverse %x dims [1] : tensor<4x8xbf16>
  %1 = graph.convert %0 : tensor<4x8xbf16> -> tensor<4x8xf32>
  %2 = graph.scan sum %1 dim 1 : tensor<4x8xf32>
  %3 = graph.convert %2 : tensor<4x8xf32> -> tensor<4x8xbf16>
  %4 = graph.reverse %3 dims [1] : tensor<4x8xbf16>
  func.return %4 : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @behind_zeros_in_half(
// CHECK:      [[S:%.*]] = graph.scan sum {{%.*}} dim 1 : tensor<4x8xf32>
// CHECK-NEXT: [[R:%.*]] = graph.convert [[S]] : tensor<4x8xf32> -> tensor<4x8xf16>
// CHECK-NEXT: func.return [[R]]
func.func @behind_zeros_in_half(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = graph.full 0.0 : tensor<4x1xf16>
  %1 = graph.convert %x : tensor<4x8xf16> -> tensor<4x8xf32>
  %2 = graph.scan sum %1 dim 1 : tensor<4x8xf32>
  %3 = graph.convert %2 : tensor<4x8xf32> -> tensor<4x8xf16>
  %4 = graph.slice %3 starts [0, 0] steps [1, 1] : tensor<4x8xf16> -> tensor<4x7xf16>
  %5 = graph.concat %0, %4 dim 1 : (tensor<4x1xf16>, tensor<4x7xf16>) -> tensor<4x8xf16>
  func.return %5 : tensor<4x8xf16>
}

// Positions are counted from the front: they are not those of reversed elements. Those of single elements are 0.

// CHECK-LABEL: func.func @positions(
// CHECK-NEXT: [[P:%.*]] = graph.scan argmax %x dim 1
// CHECK-NEXT: [[R:%.*]] = graph.reverse [[P]] dims [1]
// CHECK-NEXT: [[S:%.*]] = graph.slice %x starts [0, 0] steps [1, 1] : tensor<4x8xf32> -> tensor<2x8xf32>
// CHECK-NEXT: [[Q:%.*]] = graph.scan argmin [[S]] dim 0 : tensor<2x8xf32> -> tensor<2x8xi64>
// CHECK-NEXT: [[Z:%.*]] = graph.full 0 : tensor<4x1xi64>
// CHECK-NEXT: func.return [[R]], [[Q]], [[Z]]
func.func @positions(%x: tensor<4x8xf32>, %y: tensor<4x1xf32>) -> (tensor<4x8xi64>, tensor<2x8xi64>, tensor<4x1xi64>) {
  %0 = graph.scan argmax %x dim 1 : tensor<4x8xf32> -> tensor<4x8xi64>
  %1 = graph.reverse %0 dims [1] : tensor<4x8xi64>
  %2 = graph.scan argmin %x dim 0 : tensor<4x8xf32> -> tensor<4x8xi64>
  %3 = graph.slice %2 starts [0, 0] steps [1, 1] : tensor<4x8xi64> -> tensor<2x8xi64>
  %4 = graph.scan argmax %y dim 1 : tensor<4x1xf32> -> tensor<4x1xi64>
  func.return %1, %3, %4 : tensor<4x8xi64>, tensor<2x8xi64>, tensor<4x1xi64>
}

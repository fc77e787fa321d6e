// RUN: fusir-opt %s --canonicalize | filecheck %s

// CHECK-LABEL: func.func @neutral(
// CHECK-NEXT: func.return %x, %x, %x, %x, %x, %x
func.func @neutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = graph.full 1.0 : tensor<4xf32>
  %zero = graph.full 0.0 : tensor<4xf32>
  %minus_zero = graph.full -0.0 : tensor<4xf32>
  %minus_inf = graph.full -inf : tensor<4xf32>
  %0 = graph.mul %one, %x : tensor<4xf32>
  %1 = graph.div %x, %one : tensor<4xf32>
  %2 = graph.sub %x, %zero : tensor<4xf32>
  %3 = graph.add %x, %minus_zero : tensor<4xf32>
  %4 = graph.pow %x, %one : tensor<4xf32>
  %5 = graph.maximum %x, %minus_inf : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// These are not identities: 0.0 + -0.0 is 0.0, inf * 0 and inf - inf are NaN, fmax(nan, -inf) is -inf.
// CHECK-LABEL: func.func @not_neutral(
// CHECK: graph.add %x, %zero
// CHECK-NEXT: graph.sub %x, %minus_zero
// CHECK-NEXT: graph.mul %x, %zero
// CHECK-NEXT: graph.sub %x, %x
// CHECK-NEXT: graph.fmax %x, %minus_inf
func.func @not_neutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = graph.full 0.0 : tensor<4xf32>
  %minus_zero = graph.full -0.0 : tensor<4xf32>
  %minus_inf = graph.full -inf : tensor<4xf32>
  %0 = graph.add %x, %zero : tensor<4xf32>
  %1 = graph.sub %x, %minus_zero : tensor<4xf32>
  %2 = graph.mul %x, %zero : tensor<4xf32>
  %3 = graph.sub %x, %x : tensor<4xf32>
  %4 = graph.fmax %x, %minus_inf : tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @negations(
// CHECK-NEXT: %0 = graph.sub %x, %y
// CHECK-NEXT: %1 = graph.add %x, %y
// CHECK-NEXT: %2 = graph.mul %x, %y
// CHECK-NEXT: %3 = graph.abs %x
// CHECK-NEXT: %4 = graph.neg %x
// CHECK-NEXT: func.return %x, %0, %1, %2, %3, %4
func.func @negations(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %minus_one = graph.full -1.0 : tensor<4xf32>
  %nx = graph.neg %x : tensor<4xf32>
  %ny = graph.neg %y : tensor<4xf32>
  %0 = graph.neg %nx : tensor<4xf32>
  %1 = graph.add %x, %ny : tensor<4xf32>
  %2 = graph.sub %x, %ny : tensor<4xf32>
  %3 = graph.mul %nx, %ny : tensor<4xf32>
  %4 = graph.abs %nx : tensor<4xf32>
  %5 = graph.mul %x, %minus_one : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @powers_and_divisions(
// CHECK-NEXT: graph.mul %x, %x
// CHECK-NEXT: graph.reciprocal %x
// CHECK-NEXT: graph.full 1.0
// CHECK-NEXT: graph.full 0.25
// CHECK-NEXT: graph.mul %x,
// CHECK-NEXT: graph.full 3.0
// CHECK-NEXT: graph.div %x,
// CHECK-NEXT: graph.reciprocal %x
func.func @powers_and_divisions(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = graph.full 0.0 : tensor<4xf32>
  %two = graph.full 2.0 : tensor<4xf32>
  %minus_one = graph.full -1.0 : tensor<4xf32>
  %0 = graph.pow %x, %two : tensor<4xf32>
  %1 = graph.pow %x, %minus_one : tensor<4xf32>
  %2 = graph.pow %x, %zero : tensor<4xf32>
  %four = graph.full 4.0 : tensor<4xf32>
  %3 = graph.div %x, %four : tensor<4xf32>
  %three = graph.full 3.0 : tensor<4xf32>
  %4 = graph.div %x, %three : tensor<4xf32>
  %one = graph.full 1.0 : tensor<4xf32>
  %5 = graph.div %one, %x : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @constants(
// CHECK-NEXT: graph.full 3.5 : tensor<4xf32>
// CHECK-NEXT: graph.full 0.333333343 : tensor<f32>
// CHECK-NEXT: graph.full -128 : tensor<4xi8>
// CHECK-NEXT: graph.full true : tensor<4xi1>
// CHECK-NEXT: graph.full 2 : tensor<4xi32>
// CHECK-NEXT: graph.full 7 : tensor<2xi64>
func.func @constants() -> (tensor<4xf32>, tensor<f32>, tensor<4xi8>, tensor<4xi1>, tensor<4xi32>, tensor<2xi64>) {
  %a = graph.full 1.5 : tensor<f32>
  %b = graph.broadcast %a dims [] : tensor<f32> -> tensor<4xf32>
  %c = graph.full 2.0 : tensor<4xf32>
  %0 = graph.add %b, %c : tensor<4xf32>
  %three = graph.full 3.0 : tensor<f32>
  %1 = graph.reciprocal %three : tensor<f32>
  %m = graph.full 127 : tensor<4xi8>
  %n = graph.full 1 : tensor<4xi8>
  %2 = graph.add %m, %n : tensor<4xi8>
  %3 = graph.compare lt %b, %c : tensor<4xf32>
  %4 = graph.convert %c : tensor<4xf32> -> tensor<4xi32>
  %5 = graph.constant dense<7> : tensor<2xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<f32>, tensor<4xi8>, tensor<4xi1>, tensor<4xi32>, tensor<2xi64>
}

// CHECK-LABEL: func.func @integers(
// CHECK-NEXT: graph.full 5 : tensor<4xi32>
// CHECK-NEXT: graph.add %x,
// CHECK-NEXT: graph.full 0 : tensor<4xi32>
// CHECK-NEXT: graph.not %x
func.func @integers(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %two = graph.full 2 : tensor<4xi32>
  %three = graph.full 3 : tensor<4xi32>
  %0 = graph.add %two, %x : tensor<4xi32>
  %1 = graph.add %0, %three : tensor<4xi32>
  %2 = graph.sub %x, %x : tensor<4xi32>
  %ones = graph.full -1 : tensor<4xi32>
  %3 = graph.xor %x, %ones : tensor<4xi32>
  return %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @logic(
// CHECK-NEXT: graph.isnan %x
// CHECK-NEXT: graph.full false : tensor<4xi1>
// CHECK-NEXT: graph.compare ge %i, %j
// CHECK-NEXT: %3 = graph.compare lt %x, %y
// CHECK-NEXT: graph.not %3
// CHECK-NEXT: graph.select %c, %y, %x
// CHECK-NEXT: func.return %0, %1, %2, %4, %5, %c
func.func @logic(%x: tensor<4xf32>, %y: tensor<4xf32>, %i: tensor<4xi32>, %j: tensor<4xi32>, %c: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xi1>) {
  %0 = graph.compare ne %x, %x : tensor<4xf32>
  %1 = graph.compare lt %x, %x : tensor<4xf32>
  %2 = graph.compare lt %i, %j : tensor<4xi32>
  %3 = graph.not %2 : tensor<4xi1>
  %4 = graph.compare lt %x, %y : tensor<4xf32>
  %5 = graph.not %4 : tensor<4xi1>
  %6 = graph.not %c : tensor<4xi1>
  %7 = graph.select %6, %x, %y : tensor<4xf32>
  %true = graph.full true : tensor<4xi1>
  %false = graph.full false : tensor<4xi1>
  %8 = graph.select %c, %true, %false : tensor<4xi1>
  return %0, %1, %3, %5, %7, %8 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xf32>, tensor<4xi1>
}

// CHECK-LABEL: func.func @casts(
// CHECK-NEXT: graph.convert %x : tensor<4xbf16> -> tensor<4xi32>
// CHECK-NEXT: [[H:%.*]] = graph.convert %y : tensor<4xf32> -> tensor<4xf16>
// CHECK-NEXT: graph.convert [[H]] : tensor<4xf16> -> tensor<4xf32>
// CHECK-NEXT: graph.convert %z : tensor<4xi64> -> tensor<4xi8>
// CHECK-NEXT: func.return %x,
func.func @casts(%x: tensor<4xbf16>, %y: tensor<4xf32>, %z: tensor<4xi64>) -> (tensor<4xbf16>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>) {
  %w = graph.convert %x : tensor<4xbf16> -> tensor<4xf32>
  %0 = graph.convert %w : tensor<4xf32> -> tensor<4xbf16>
  %1 = graph.convert %w : tensor<4xf32> -> tensor<4xi32>
  %h = graph.convert %y : tensor<4xf32> -> tensor<4xf16>
  %2 = graph.convert %h : tensor<4xf16> -> tensor<4xf32>
  %i = graph.convert %z : tensor<4xi64> -> tensor<4xi32>
  %3 = graph.convert %i : tensor<4xi32> -> tensor<4xi8>
  return %0, %1, %2, %3 : tensor<4xbf16>, tensor<4xi32>, tensor<4xf32>, tensor<4xi8>
}

// CHECK-LABEL: func.func @views(
// CHECK-NEXT: %0 = graph.broadcast %v dims [1] : tensor<8xf32> -> tensor<4x8x2xf32>
// CHECK-NEXT: %1 = graph.slice %x starts [1, 3] steps [1, 4] : tensor<4x8xf32> -> tensor<2x2xf32>
// CHECK-NEXT: %e = graph.reshape %v : tensor<8xf32> -> tensor<1x8xf32>
// CHECK-NEXT: func.return %x, %x, %0, %1, %e
func.func @views(%x: tensor<4x8xf32>, %v: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8x2xf32>, tensor<2x2xf32>, tensor<1x8xf32>) {
  %a = graph.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  %0 = graph.reshape %a : tensor<32xf32> -> tensor<4x8xf32>
  %b = graph.permute %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %1 = graph.permute %b dims [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %c = graph.reshape %v : tensor<8xf32> -> tensor<8x1xf32>
  %2 = graph.broadcast %c dims [1, 2] : tensor<8x1xf32> -> tensor<4x8x2xf32>
  %d = graph.slice %x starts [1, 1] steps [1, 2] : tensor<4x8xf32> -> tensor<3x4xf32>
  %3 = graph.slice %d starts [0, 1] steps [1, 2] : tensor<3x4xf32> -> tensor<2x2xf32>
  %e = graph.broadcast %v dims [1] : tensor<8xf32> -> tensor<1x8xf32>
  return %0, %1, %2, %3, %e : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8x2xf32>, tensor<2x2xf32>, tensor<1x8xf32>
}

// CHECK-LABEL: func.func @symbolic_views(
// CHECK-NEXT: graph.slice %x starts [s0 + 1] steps [1]
// CHECK-NEXT: func.return
func.func @symbolic_views(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<?xf32, #graph.dims<[s0 * 2]>>) -> tensor<?xf32, #graph.dims<[s0 - 1]>> {
  %0 = graph.slice %x starts [s0] steps [1] : tensor<?xf32, #graph.dims<[s0 * 2]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %1 = graph.slice %0 starts [1] steps [1] : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?xf32, #graph.dims<[s0 - 1]>>
  return %1 : tensor<?xf32, #graph.dims<[s0 - 1]>>
}

// CHECK-LABEL: func.func @movement(
// CHECK-NEXT: graph.pad %x low [1, 0] high [0, 2] value 0.0 : tensor<4x8xf32> -> tensor<5x10xf32>
// CHECK-NEXT: graph.concat %y, %x, %y dim 0
// CHECK-NEXT: func.return %{{.*}}, %{{.*}}, %x, %x
func.func @movement(%x: tensor<4x8xf32>, %y: tensor<2x8xf32>) -> (tensor<5x10xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %a = graph.pad %x low [1, 0] high [0, 1] value 0.0 : tensor<4x8xf32> -> tensor<5x9xf32>
  %0 = graph.pad %a low [0, 0] high [0, 1] value 0.0 : tensor<5x9xf32> -> tensor<5x10xf32>
  %b = graph.concat %y, %x dim 0 : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<6x8xf32>
  %1 = graph.concat %b, %y dim 0 : (tensor<6x8xf32>, tensor<2x8xf32>) -> tensor<8x8xf32>
  %c = graph.slice %x starts [0, 0] steps [1, 1] : tensor<4x8xf32> -> tensor<4x3xf32>
  %d = graph.slice %x starts [0, 3] steps [1, 1] : tensor<4x8xf32> -> tensor<4x5xf32>
  %2 = graph.concat %c, %d dim 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
  %3 = graph.slice %1 starts [2, 0] steps [1, 1] : tensor<8x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2, %3 : tensor<5x10xf32>, tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reductions(
// CHECK-NEXT: graph.reshape %x : tensor<1x4x1xf32> -> tensor<4xf32>
// CHECK-NEXT: graph.full 0 : tensor<4xi64>
// CHECK-NEXT: graph.reduce max %y dims [0, 2] : tensor<2x3x4xf32> -> tensor<3xf32>
// CHECK-NEXT: graph.full 12 : tensor<2xi32>
// CHECK-NEXT: func.return %0, %1, %2, %3, %x
func.func @reductions(%x: tensor<1x4x1xf32>, %y: tensor<2x3x4xf32>) -> (tensor<4xf32>, tensor<4xi64>, tensor<3xf32>, tensor<2xi32>, tensor<1x4x1xf32>) {
  %0 = graph.reduce sum %x dims [0, 2] : tensor<1x4x1xf32> -> tensor<4xf32>
  %1 = graph.reduce argmax %x dims [0, 2] : tensor<1x4x1xf32> -> tensor<4xi64>
  %a = graph.reduce max %y dims [2] : tensor<2x3x4xf32> -> tensor<2x3xf32>
  %2 = graph.reduce max %a dims [0] : tensor<2x3xf32> -> tensor<3xf32>
  %b = graph.full 3 : tensor<2x4xi32>
  %3 = graph.reduce sum %b dims [1] : tensor<2x4xi32> -> tensor<2xi32>
  %4 = graph.scan sum %x dim 0 : tensor<1x4x1xf32>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xi64>, tensor<3xf32>, tensor<2xi32>, tensor<1x4x1xf32>
}

// CHECK-LABEL: func.func @generators(
// CHECK-NEXT: graph.iota dim 2 : tensor<3x2x4xi64>
// CHECK-NEXT: graph.full 0 : tensor<1x4xi64>
// CHECK-NEXT: graph.full 0.0 : tensor<0x4xf32>
func.func @generators(%e: tensor<0x4xf32>) -> (tensor<3x2x4xi64>, tensor<1x4xi64>, tensor<0x4xf32>) {
  %a = graph.iota dim 1 : tensor<2x4xi64>
  %0 = graph.broadcast %a dims [1, 2] : tensor<2x4xi64> -> tensor<3x2x4xi64>
  %1 = graph.iota dim 0 : tensor<1x4xi64>
  %2 = graph.exp %e : tensor<0x4xf32>
  return %0, %1, %2 : tensor<3x2x4xi64>, tensor<1x4xi64>, tensor<0x4xf32>
}

// The layout hint stays on what replaces the op.
// CHECK-LABEL: func.func @attributes(
// CHECK-NEXT: graph.sub %x, %y {graph.strides = #graph.dims<[1, 4]>} : tensor<4x8xf32>
func.func @attributes(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = graph.neg %y : tensor<4x8xf32>
  %1 = graph.add %x, %0 {graph.strides = #graph.dims<[1, 4]>} : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @fusion(
// CHECK-NEXT: %0 = graph.fusion (%b = %y : tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %d = graph.full 2.0 : tensor<4xf32>
// CHECK-NEXT: [[M:%.*]] = graph.mul %b, %d : tensor<4xf32>
// CHECK-NEXT: [[S:%.*]] = graph.add [[M]], %b : tensor<4xf32>
// CHECK-NEXT: graph.yield [[S]] : tensor<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return %0, %0, %y
func.func @fusion(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = graph.full 2.0 : tensor<4xf32>
  %0, %1, %2, %3 = graph.fusion (%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>, %c = %y : tensor<4xf32>, %d = %two : tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %4 = graph.mul %b, %d : tensor<4xf32>
    %5 = graph.add %4, %c : tensor<4xf32>
    %6 = graph.exp %a : tensor<4xf32>
    graph.yield %5, %5, %6, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %0, %1, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// No index is negative, and none reaches the extent: what is so for all indices is a constant.
// CHECK-LABEL: @compare_iota
// CHECK:      %a = graph.full false : tensor<4xi1>
// CHECK-NEXT: %b = graph.full true : tensor<4xi1>
// CHECK-NEXT: %c = graph.compare lt %i, %three : tensor<4xi64>
// CHECK-NEXT: %d = graph.full false : tensor<4xi1>
// CHECK-NEXT: %e = graph.full true : tensor<4xi1>
// CHECK-NEXT: %f = graph.full false : tensor<4xi1>
// CHECK-NEXT: %g = graph.full true : tensor<4xi1>
func.func @compare_iota() -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %i = graph.iota dim 0 : tensor<4xi64>
  %zero = graph.full 0 : tensor<4xi64>
  %three = graph.full 3 : tensor<4xi64>
  %four = graph.full 4 : tensor<4xi64>
  %minus = graph.full -1 : tensor<4xi64>
  %a = graph.compare lt %i, %zero : tensor<4xi64>
  %b = graph.compare lt %i, %four : tensor<4xi64>
  %c = graph.compare lt %i, %three : tensor<4xi64>
  %d = graph.compare gt %i, %three : tensor<4xi64>
  %e = graph.compare ge %i, %zero : tensor<4xi64>
  %f = graph.compare eq %i, %four : tensor<4xi64>
  %g = graph.compare ne %i, %minus : tensor<4xi64>
  return %a, %b, %c, %d, %e, %f, %g : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

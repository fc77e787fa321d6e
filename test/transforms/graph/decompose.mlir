// RUN: fusir-opt %s --decompose | filecheck %s

// CHECK-LABEL: func.func @mod(
// CHECK-NEXT: [[R:%.*]] = graph.rem %x, %y : tensor<4xf32>
// CHECK-NEXT: [[S:%.*]] = graph.add [[R]], %y : tensor<4xf32>
// CHECK: graph.select %{{.*}}, [[S]], [[R]] : tensor<4xf32>
func.func @mod(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.mod %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @half(
// CHECK-NEXT: graph.convert %x : tensor<4xf16> -> tensor<4xf32>
// CHECK-NEXT: graph.convert %y : tensor<4xf16> -> tensor<4xf32>
// CHECK: graph.convert %{{.*}} : tensor<4xf32> -> tensor<4xf16>
func.func @half(%x: tensor<4xf16>, %y: tensor<4xf16>) -> tensor<4xf16> {
  %0 = graph.mod %x, %y : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func.func @unsigned(
// CHECK-NEXT: graph.rem %x, %y : tensor<4xui8>
// CHECK-NEXT: graph.div %x, %y : tensor<4xui8>
// CHECK-NEXT: func.return
func.func @unsigned(%x: tensor<4xui8>, %y: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xui8>) {
  %0 = graph.mod %x, %y : tensor<4xui8>
  %1 = graph.floor_div %x, %y : tensor<4xui8>
  return %0, %1 : tensor<4xui8>, tensor<4xui8>
}

// CHECK-LABEL: func.func @floor_div(
// CHECK-NEXT: graph.div %x, %y : tensor<4xi32>
// CHECK-NEXT: graph.rem %x, %y : tensor<4xi32>
// CHECK-NOT: graph.floor_div
// CHECK: func.return
func.func @floor_div(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = graph.floor_div %x, %y : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// x^5 by squaring.
// CHECK-LABEL: func.func @pow(
// CHECK-NEXT: [[X2:%.*]] = graph.mul %x, %x : tensor<4xi32>
// CHECK-NEXT: [[X4:%.*]] = graph.mul [[X2]], [[X2]] : tensor<4xi32>
// CHECK-NEXT: graph.mul %x, [[X4]] : tensor<4xi32>
// CHECK-NEXT: func.return
func.func @pow(%x: tensor<4xi32>) -> tensor<4xi32> {
  %five = graph.full 5 : tensor<4xi32>
  %0 = graph.pow %x, %five : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @shift_by_constant(
// CHECK-NEXT: [[THREE:%.*]] = graph.full 3
// CHECK-NEXT: graph.shl %x, [[THREE]] : tensor<4xi32>
// CHECK-NEXT: graph.full 0 : tensor<4xi32>
// CHECK-NEXT: [[LAST:%.*]] = graph.full 31 : tensor<4xi32>
// CHECK-NEXT: graph.shr %x, [[LAST]] : tensor<4xi32>
// CHECK-NEXT: func.return
func.func @shift_by_constant(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %three = graph.full 3 : tensor<4xi32>
  %many = graph.full 32 : tensor<4xi32>
  %0 = graph.shl %x, %three : tensor<4xi32>
  %1 = graph.shl %x, %many : tensor<4xi32>
  %2 = graph.shr %x, %many : tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

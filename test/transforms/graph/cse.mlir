// RUN: fusir-opt %s --cse | filecheck %s

// CHECK-LABEL: func.func @equal(
// CHECK-NEXT: %0 = graph.add %x, %y
// CHECK-NEXT: %1 = graph.mul %0, %0
// CHECK-NEXT: func.return %1
func.func @equal(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.add %x, %y : tensor<4xf32>
  %1 = graph.add %y, %x : tensor<4xf32>
  %2 = graph.mul %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Operands of `sub` do not commute; properties and result types count.
// CHECK-LABEL: func.func @different(
// CHECK-COUNT-2: graph.sub
// CHECK-COUNT-2: graph.compare
// CHECK-COUNT-2: graph.convert
// CHECK-COUNT-2: graph.reduce
// CHECK-COUNT-2: graph.full
func.func @different(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = graph.sub %x, %y : tensor<4xf32>
  %1 = graph.sub %y, %x : tensor<4xf32>
  %2 = graph.compare lt %x, %y : tensor<4xf32>
  %3 = graph.compare le %x, %y : tensor<4xf32>
  %4 = graph.convert %x : tensor<4xf32> -> tensor<4xf16>
  %5 = graph.convert %x : tensor<4xf32> -> tensor<4xf64>
  %6 = graph.reduce sum %x dims [0] : tensor<4xf32> -> tensor<f32>
  %7 = graph.reduce max %x dims [0] : tensor<4xf32> -> tensor<f32>
  %8 = graph.full 0.0 : tensor<f32>
  %9 = graph.full -0.0 : tensor<f32>
  return
}

// A call that is not pure is not merged; a pure one is, with its layout hint.
// CHECK-LABEL: func.func @calls(
// CHECK-NEXT: %0 = graph.call_aten "aten.sin.default"(%x) {graph.strides = #graph.dims<[1]>, args = [#graph.operand<0>]}
// CHECK-NEXT: graph.call_aten "aten.rand.default"()
// CHECK-NEXT: graph.call_aten "aten.rand.default"()
// CHECK-NEXT: func.return %0, %0
func.func @calls(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.call_aten "aten.sin.default"(%x) {args = [#graph.operand<0>]} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = graph.call_aten "aten.sin.default"(%x) {args = [#graph.operand<0>], graph.strides = #graph.dims<[1]>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.call_aten "aten.rand.default"() {args = [[4 : i64]], pure = false} : () -> tensor<4xf32>
  %3 = graph.call_aten "aten.rand.default"() {args = [[4 : i64]], pure = false} : () -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Two random tensors with one seed and offset are the same tensor.
// CHECK-LABEL: func.func @random(
// CHECK-COUNT-2: graph.random
// CHECK-NOT: graph.random
func.func @random(%seed: tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.random uniform %seed offset 0 : tensor<i64> -> tensor<4xf32>
  %1 = graph.random uniform %seed offset 0 : tensor<i64> -> tensor<4xf32>
  %2 = graph.random uniform %seed offset 1 : tensor<i64> -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// The body of a fusion is a scope of its own.
// CHECK-LABEL: func.func @scopes(
// CHECK-NEXT: graph.exp %x
// CHECK-NEXT: graph.fusion
// CHECK-NEXT: [[E:%.*]] = graph.exp %a
// CHECK-NEXT: graph.add [[E]], [[E]]
func.func @scopes(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.exp %x : tensor<4xf32>
  %1 = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %2 = graph.exp %a : tensor<4xf32>
    %3 = graph.exp %a : tensor<4xf32>
    %4 = graph.add %2, %3 : tensor<4xf32>
    graph.yield %4 : tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

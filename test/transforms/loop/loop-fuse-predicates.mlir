// RUN: fusir-opt %s --convert-graph-to-loop --loop-fuse --split-input-file | filecheck %s

// Ranges decide predicates: the second half of a concatenation reads its second operand only.

// CHECK-LABEL: loop.kernel @fused_concat_neg_0(%in0: memref<4xf32>, %in1: memref<4xf32>, %out0: memref<4xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %in1{{\[}}[[I]]] : memref<4xf32>
// CHECK-NEXT:      [[N:%.*]] = arith.negf [[X]] : f32
// CHECK-NEXT:      loop.store [[N]], %out0{{\[}}[[I]]] : memref<4xf32>
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.fusion (%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> {
    %c = graph.concat %a, %b dim 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %n = graph.neg %c : tensor<8xf32>
    %d = graph.slice %n starts [4] steps [1] : tensor<8xf32> -> tensor<4xf32>
    graph.yield %d : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Where the ranges do not decide, the load of a computed operand has the predicate.

// CHECK-LABEL: loop.kernel @fused_exp_concat_0
// CHECK:         loop.parallel ([[I:%.*]]) in (8) {
// CHECK-NEXT:      [[HIGH:%.*]] = arith.cmpi sge, [[I]], %{{.*}} : index
// CHECK-NEXT:      [[B:%.*]] = loop.load %in1{{\[}}[[I]] - 4] if [[HIGH]]
// CHECK-NEXT:      [[LOW:%.*]] = arith.cmpi slt, [[I]], %{{.*}} : index
// CHECK-NEXT:      [[A:%.*]] = loop.load %in0{{\[}}[[I]]] if [[LOW]]
// CHECK-NEXT:      [[E:%.*]] = math.exp [[A]] : f32
// CHECK-NEXT:      [[R:%.*]] = arith.select [[LOW]], [[E]], [[B]] : f32
// CHECK-NEXT:      loop.store [[R]], %out0
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  %0 = graph.fusion (%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<8xf32> {
    %e = graph.exp %a : tensor<4xf32>
    %c = graph.concat %e, %b dim 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    graph.yield %c : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// A padded value is computed where there is one.

// CHECK-LABEL: loop.kernel @fused_exp_pad_0
// CHECK:         loop.parallel ([[I:%.*]]) in (8) {
// CHECK:           [[INSIDE:%.*]] = arith.andi
// CHECK-NEXT:      [[X:%.*]] = loop.load %in0{{\[}}[[I]] - 2] if [[INSIDE]] : memref<4xf32>
// CHECK-NEXT:      [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:      arith.select [[INSIDE]], [[E]]
func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %0 = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<8xf32> {
    %e = graph.exp %a : tensor<4xf32>
    %c = graph.pad %e low [2] high [2] value 0.0 : tensor<4xf32> -> tensor<8xf32>
    graph.yield %c : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// A slice that misses the padding needs no predicate, one that lies in it reads nothing.

// CHECK-LABEL: loop.kernel @fused_pad_0
// CHECK-NEXT:    [[FILL:%.*]] = arith.constant 7.000000e+00 : f32
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (2) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %in0{{\[}}[[I]] + 1] : memref<4xf32>
// CHECK-NEXT:      loop.store [[X]], %out0
// CHECK-NEXT:      loop.store [[FILL]], %out1
func.func @main(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0, %1 = graph.fusion (%a = %x : tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
    %c = graph.pad %a low [2] high [2] value 7.0 : tensor<4xf32> -> tensor<8xf32>
    %d = graph.slice %c starts [3] steps [1] : tensor<8xf32> -> tensor<2xf32>
    %e = graph.slice %c starts [6] steps [1] : tensor<8xf32> -> tensor<2xf32>
    graph.yield %d, %e : tensor<2xf32>, tensor<2xf32>
  }
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

// A gather of a computed tensor computes the gathered elements; an index that is out of range reads nothing.

// CHECK-LABEL: loop.kernel @fused_exp_gather_0
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (3, 4) {
// CHECK-NEXT:      [[P:%.*]] = loop.load %in1{{\[}}[[I]]] : memref<3xi64>
// CHECK-NEXT:      [[Q:%.*]] = arith.index_cast [[P]] : i64 to index
// CHECK:           [[INSIDE:%.*]] = arith.andi
// CHECK-NEXT:      [[X:%.*]] = loop.load %in0{{\[}}[[Q]], [[J]]] if [[INSIDE]] : memref<10x4xf32>
// CHECK-NEXT:      [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:      arith.select [[INSIDE]], [[E]]
func.func @main(%x: tensor<10x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  %0 = graph.fusion (%a = %x : tensor<10x4xf32>, %b = %i : tensor<3xi64>) -> tensor<3x4xf32> {
    %e = graph.exp %a : tensor<10x4xf32>
    %c = graph.gather %e[%b] dims [0] : (tensor<10x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    graph.yield %c : tensor<3x4xf32>
  }
  return %0 : tensor<3x4xf32>
}

// -----

// Indices that the program computes itself need neither memory nor a check.

// CHECK-LABEL: loop.kernel @fused_gather_0
// CHECK-NEXT:    loop.parallel ([[I:%.*]], [[J:%.*]]) in (3, 4) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %in0{{\[}}[[I]] * 3 + 1, [[J]]] : memref<10x4xf32>
// CHECK-NEXT:      loop.store [[X]], %out0
func.func @main(%x: tensor<10x4xf32>) -> tensor<3x4xf32> {
  %0 = graph.fusion (%a = %x : tensor<10x4xf32>) -> tensor<3x4xf32> {
    %i = graph.iota dim 0 : tensor<8xi64>
    %b = graph.slice %i starts [1] steps [3] : tensor<8xi64> -> tensor<3xi64>
    %c = graph.gather %a[%b] dims [0] : (tensor<10x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    graph.yield %c : tensor<3x4xf32>
  }
  return %0 : tensor<3x4xf32>
}

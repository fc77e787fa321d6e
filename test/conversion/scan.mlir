// RUN: fusir-opt %s --convert-graph-to-loop --split-input-file | filecheck %s

// A scan becomes a nest whose inner loop has an order, at the place of the scanned dim.

// CHECK-LABEL: loop.kernel
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (4, 6) {
// CHECK-NEXT:      loop.scan ([[K:%.*]]) in (5) {
// CHECK-NEXT:        [[X:%.*]] = loop.load %in0{{\[}}[[I]], [[K]], [[J]]] : memref<4x5x6xf32>
// CHECK-NEXT:        [[P:%.*]] = loop.prefix max [[X]] : f32
// CHECK-NEXT:        loop.store [[P]], %out0{{\[}}[[I]], [[K]], [[J]]] : memref<4x5x6xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @main(%x: tensor<4x5x6xf32>) -> tensor<4x5x6xf32> {
  %0 = graph.fusion (%a = %x : tensor<4x5x6xf32>) -> tensor<4x5x6xf32> {
    %s = graph.scan max %a dim 1 : tensor<4x5x6xf32>
    graph.yield %s : tensor<4x5x6xf32>
  }
  return %0 : tensor<4x5x6xf32>
}

// -----

// From the end, over unsigned elements.

// CHECK-LABEL: loop.kernel
// CHECK:         loop.parallel ({{%.*}}) in (1) {
// CHECK-NEXT:      loop.scan reverse ([[K:%.*]]) in (5) {
// CHECK-NEXT:        [[X:%.*]] = loop.load %in0{{\[}}[[K]]] : memref<5xi8>
// CHECK-NEXT:        [[P:%.*]] = loop.prefix umin [[X]] : i8
// CHECK-NEXT:        loop.store [[P]], %out0{{\[}}[[K]]] : memref<5xi8>
func.func @main(%x: tensor<5xui8>) -> tensor<5xui8> {
  %0 = graph.fusion (%a = %x : tensor<5xui8>) -> tensor<5xui8> {
    %s = graph.scan min %a dim 0 reverse : tensor<5xui8>
    graph.yield %s : tensor<5xui8>
  }
  return %0 : tensor<5xui8>
}

// -----

// A symbolic length.

// CHECK-LABEL: loop.kernel
// CHECK:         loop.parallel ({{%.*}}) in (4) {
// CHECK-NEXT:      loop.scan ({{%.*}}) in (%s0) {
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<4x?xf32, #graph.dims<[4, s0]>>) -> tensor<4x?xf32, #graph.dims<[4, s0]>> {
  %0 = graph.fusion (%a = %x : tensor<4x?xf32, #graph.dims<[4, s0]>>) -> tensor<4x?xf32, #graph.dims<[4, s0]>> {
    %s = graph.scan sum %a dim 1 : tensor<4x?xf32, #graph.dims<[4, s0]>>
    graph.yield %s : tensor<4x?xf32, #graph.dims<[4, s0]>>
  }
  return %0 : tensor<4x?xf32, #graph.dims<[4, s0]>>
}

// -----

// Positions are folded with their values, of which unsigned ones are compared in more bits.

// CHECK-LABEL: loop.kernel
// CHECK:           loop.scan ([[K:%.*]]) in (5) {
// CHECK-NEXT:        [[X:%.*]] = loop.load %in0{{\[}}{{%.*}}, [[K]]] : memref<4x5xi8>
// CHECK-NEXT:        [[W:%.*]] = arith.extui [[X]] : i8 to i16
// CHECK-NEXT:        [[I:%.*]] = arith.index_cast [[K]] : index to i64
// CHECK-NEXT:        {{%.*}}, [[P:%.*]] = loop.prefix last_argmax [[W]], [[I]] : i16, i64
// CHECK-NEXT:        loop.store [[P]], %out0
func.func @main(%x: tensor<4x5xui8>) -> tensor<4x5xi64> {
  %0 = graph.fusion (%a = %x : tensor<4x5xui8>) -> tensor<4x5xi64> {
    %s = graph.scan argmax %a dim 1 : tensor<4x5xui8> -> tensor<4x5xi64>
    graph.yield %s : tensor<4x5xi64>
  }
  return %0 : tensor<4x5xi64>
}

// -----

// Sums of exponentials are folded relative to the maximum.

// CHECK-LABEL: loop.kernel
// CHECK:         [[ONE:%.*]] = arith.constant 1.000000e+00 : f32
// CHECK:             [[X:%.*]] = loop.load %in0
// CHECK-NEXT:        [[M:%.*]], [[S:%.*]] = loop.prefix sumexp [[X]], [[ONE]] : f32, f32
// CHECK-NEXT:        [[L:%.*]] = math.log [[S]] : f32
// CHECK-NEXT:        [[R:%.*]] = arith.addf [[M]], [[L]] : f32
// CHECK-NEXT:        loop.store [[R]], %out0
func.func @main(%x: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = graph.fusion (%a = %x : tensor<4x5xf32>) -> tensor<4x5xf32> {
    %s = graph.scan logsumexp %a dim 1 : tensor<4x5xf32>
    graph.yield %s : tensor<4x5xf32>
  }
  return %0 : tensor<4x5xf32>
}

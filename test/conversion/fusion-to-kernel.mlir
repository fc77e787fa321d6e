// RUN: fusir-opt %s --convert-graph-to-loop --split-input-file | filecheck %s

// A view of an argument is an index map, and a result of its own is a copy.

// CHECK-LABEL: loop.kernel
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (24) {
// CHECK-NEXT:      [[V:%.*]] = loop.load %in0{{\[}}[[I]] floordiv 6, [[I]] mod 6] : memref<4x6xf32>
// CHECK-NEXT:      loop.store [[V]], %out0{{\[}}[[I]]] : memref<24xf32>
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (6, 4) {
// CHECK-NEXT:      loop.load %in0{{\[}}[[J]], [[I]]]
// CHECK:         loop.parallel ([[B:%.*]], [[I:%.*]], [[J:%.*]]) in (2, 4, 6) {
// CHECK-NEXT:      loop.load %in0{{\[}}[[I]], [[J]]]
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (2, 2) {
// CHECK-NEXT:      loop.load %in0{{\[}}[[I]] * 2 + 1, [[J]] * 4]
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (4, 6) {
// CHECK-NEXT:      loop.load %in0{{\[}}[[I]] * -1 + 3, [[J]]]
func.func @main(%x: tensor<4x6xf32>) -> (tensor<24xf32>, tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<2x2xf32>, tensor<4x6xf32>) {
  %0, %1, %2, %3, %4 = graph.fusion (%a = %x : tensor<4x6xf32>) -> (tensor<24xf32>, tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<2x2xf32>, tensor<4x6xf32>) {
    %b = graph.reshape %a : tensor<4x6xf32> -> tensor<24xf32>
    %c = graph.permute %a dims [1, 0] : tensor<4x6xf32> -> tensor<6x4xf32>
    %d = graph.broadcast %a dims [1, 2] : tensor<4x6xf32> -> tensor<2x4x6xf32>
    %e = graph.slice %a starts [1, 0] steps [2, 4] : tensor<4x6xf32> -> tensor<2x2xf32>
    %f = graph.reverse %a dims [0] : tensor<4x6xf32>
    graph.yield %b, %c, %d, %e, %f : tensor<24xf32>, tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<2x2xf32>, tensor<4x6xf32>
  }
  return %0, %1, %2, %3, %4 : tensor<24xf32>, tensor<6x4xf32>, tensor<2x4x6xf32>, tensor<2x2xf32>, tensor<4x6xf32>
}

// -----

// Constants and positions are computed where they are read.

// CHECK-LABEL: loop.kernel
// CHECK-NEXT:    [[TWO:%.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    loop.parallel
// CHECK-NEXT:      [[X:%.*]] = loop.load %in0
// CHECK-NEXT:      arith.mulf [[X]], [[TWO]] : f32
// CHECK:         loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      [[P:%.*]] = arith.index_cast [[I]] : index to i64
// CHECK-NEXT:      loop.store [[P]], %out0{{\[}}[[I]]] : memref<4xi64>
func.func @main(%x: tensor<4x6xf32>) -> (tensor<4xi64>, tensor<4x6xf32>) {
  %0, %1 = graph.fusion (%a = %x : tensor<4x6xf32>) -> (tensor<4xi64>, tensor<4x6xf32>) {
    %c = graph.full 2.0 : tensor<4x6xf32>
    %m = graph.mul %a, %c : tensor<4x6xf32>
    %i = graph.iota dim 0 : tensor<4xi64>
    graph.yield %i, %m : tensor<4xi64>, tensor<4x6xf32>
  }
  return %0, %1 : tensor<4xi64>, tensor<4x6xf32>
}

// -----

// A random number is drawn from the row-major position.

// CHECK-LABEL: loop.kernel
// CHECK-NEXT:    [[OFFSET:%.*]] = arith.constant 3 : i64
// CHECK-NEXT:    loop.parallel ([[I:%.*]], [[J:%.*]]) in (4, 6) {
// CHECK-NEXT:      [[SEED:%.*]] = loop.load %in0[] : memref<i64>
// CHECK-NEXT:      [[FLAT:%.*]] = affine.apply affine_map<(d0, d1) -> (((d0 * 6) + d1))> ([[I]], [[J]])
// CHECK-NEXT:      [[P:%.*]] = arith.index_cast [[FLAT]] : index to i64
// CHECK-NEXT:      loop.random [[SEED]], [[OFFSET]], [[P]]
func.func @main(%s: tensor<i64>) -> tensor<4x6xf32> {
  %0 = graph.fusion (%a = %s : tensor<i64>) -> tensor<4x6xf32> {
    %r = graph.random uniform %a offset 3 : tensor<i64> -> tensor<4x6xf32>
    graph.yield %r : tensor<4x6xf32>
  }
  return %0 : tensor<4x6xf32>
}

// -----

// A concatenation selects by position; an operand without elements has no part in it.

// CHECK-LABEL: loop.kernel
// CHECK-NEXT:    [[FOUR:%.*]] = arith.constant 4 : index
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (6) {
// CHECK-NEXT:      [[PAST:%.*]] = arith.cmpi sge, [[I]], [[FOUR]] : index
// CHECK-NEXT:      [[Z:%.*]] = loop.load %in2{{\[}}[[I]] - 4] if [[PAST]]
// CHECK:           [[X:%.*]] = loop.load %in0{{\[}}[[I]]] if
// CHECK:           arith.select %{{.*}}, [[X]], [[Z]] : f32
func.func @main(%x: tensor<4xf32>, %y: tensor<0xf32>, %z: tensor<2xf32>) -> tensor<6xf32> {
  %0 = graph.fusion (%a = %x : tensor<4xf32>, %b = %y : tensor<0xf32>, %c = %z : tensor<2xf32>) -> tensor<6xf32> {
    %r = graph.concat %a, %b, %c dim 0 : (tensor<4xf32>, tensor<0xf32>, tensor<2xf32>) -> tensor<6xf32>
    graph.yield %r : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}

// -----

// A gather checks its indices, and reads 0 where one is out of range.

// CHECK-LABEL: loop.kernel
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (7, 4) {
// CHECK-NEXT:      [[P:%.*]] = loop.load %in1{{\[}}[[I]]] : memref<7xi64>
// CHECK-NEXT:      [[Q:%.*]] = arith.index_cast [[P]] : i64 to index
// CHECK:           [[R:%.*]] = loop.load %in2{{\[}}[[I]]] : memref<7xi8>
// CHECK-NEXT:      [[R64:%.*]] = arith.extui [[R]] : i8 to i64
// CHECK-NEXT:      [[S:%.*]] = arith.index_cast [[R64]] : i64 to index
// CHECK:           [[V:%.*]] = loop.load %in0{{\[}}[[Q]], [[J]], [[S]]] if [[INSIDE:%.*]] : memref<3x4x5xf32>
// CHECK-NEXT:      arith.select [[INSIDE]], [[V]]
func.func @main(%x: tensor<3x4x5xf32>, %i: tensor<7xi64>, %j: tensor<7xui8>) -> tensor<7x4xf32> {
  %0 = graph.fusion (%a = %x : tensor<3x4x5xf32>, %b = %i : tensor<7xi64>, %c = %j : tensor<7xui8>) -> tensor<7x4xf32> {
    %r = graph.gather %a[%b, %c] dims [0, 2] : (tensor<3x4x5xf32>, tensor<7xi64>, tensor<7xui8>) -> tensor<7x4xf32>
    graph.yield %r : tensor<7x4xf32>
  }
  return %0 : tensor<7x4xf32>
}

// -----

// Reductions. The attribute tells where the reduced dims stand; argmin yields the row-major position over them.

// CHECK-LABEL: loop.kernel
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (2, 5) {
// CHECK-NEXT:      loop.reduce [add] ([[K:%.*]]) in (3) -> f32 {
// CHECK-NEXT:        loop.load %in0{{\[}}[[I]], [[K]], [[J]]]
// CHECK:           } {loop.reduced_dims = [#builtin.int<1>]}
// CHECK:           loop.reduce [mul]
// CHECK:           loop.reduce [min]
// CHECK:           %{{.*}}, [[AT:%.*]] = loop.reduce [argmin] ([[K:%.*]], [[L:%.*]]) in (2, 5) -> f32, i32 {
// CHECK:             affine.apply affine_map<(d0, d1) -> (((d0 * 5) + d1))> ([[K]], [[L]])
// CHECK:           } {loop.reduced_dims = [#builtin.int<0>, #builtin.int<2>]}
// CHECK-NEXT:      [[WIDE:%.*]] = arith.extsi [[AT]] : i32 to i64
// CHECK-NEXT:      loop.store [[WIDE]], %out3
func.func @main(%x: tensor<2x3x5xf32>) -> (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<3xi64>) {
  %0, %1, %2, %3 = graph.fusion (%a = %x : tensor<2x3x5xf32>) -> (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<3xi64>) {
    %s = graph.reduce sum %a dims [1] : tensor<2x3x5xf32> -> tensor<2x5xf32>
    %p = graph.reduce prod %a dims [1] : tensor<2x3x5xf32> -> tensor<2x5xf32>
    %m = graph.reduce min %a dims [1] : tensor<2x3x5xf32> -> tensor<2x5xf32>
    %g = graph.reduce argmin %a dims [0, 2] : tensor<2x3x5xf32> -> tensor<3xi64>
    graph.yield %s, %p, %m, %g : tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<3xi64>
  }
  return %0, %1, %2, %3 : tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, tensor<3xi64>
}

// -----

// Bytes compare unsigned: by the combiner, or in more bits. Booleans fold by bits.

// CHECK-LABEL: loop.kernel
// CHECK-SAME:    (%in0: memref<4x5xi8>, %in1: memref<4x5xi1>, %out0: memref<4xi8>
// CHECK:           loop.reduce [add] (%{{.*}}) in (5) -> i8 {
// CHECK:           loop.reduce [umax] (%{{.*}}) in (5) -> i8 {
// CHECK:           loop.reduce [argmax] (%{{.*}}) in (5) -> i16, i32 {
// CHECK:             arith.extui %{{.*}} : i8 to i16
// CHECK:           loop.reduce [or] (%{{.*}}) in (5) -> i1 {
// CHECK:           loop.reduce [and] (%{{.*}}) in (5) -> i1 {
func.func @main(%x: tensor<4x5xui8>, %y: tensor<4x5xi1>) -> (tensor<4xui8>, tensor<4xui8>, tensor<4xi64>, tensor<4xi1>, tensor<4xi1>) {
  %0, %1, %2, %3, %4 = graph.fusion (%a = %x : tensor<4x5xui8>, %b = %y : tensor<4x5xi1>) -> (tensor<4xui8>, tensor<4xui8>, tensor<4xi64>, tensor<4xi1>, tensor<4xi1>) {
    %s = graph.reduce sum %a dims [1] : tensor<4x5xui8> -> tensor<4xui8>
    %m = graph.reduce max %a dims [1] : tensor<4x5xui8> -> tensor<4xui8>
    %g = graph.reduce argmax %a dims [1] : tensor<4x5xui8> -> tensor<4xi64>
    %n = graph.reduce any %b dims [1] : tensor<4x5xi1> -> tensor<4xi1>
    %l = graph.reduce all %b dims [1] : tensor<4x5xi1> -> tensor<4xi1>
    graph.yield %s, %m, %g, %n, %l : tensor<4xui8>, tensor<4xui8>, tensor<4xi64>, tensor<4xi1>, tensor<4xi1>
  }
  return %0, %1, %2, %3, %4 : tensor<4xui8>, tensor<4xui8>, tensor<4xi64>, tensor<4xi1>, tensor<4xi1>
}

// -----

// A kernel takes the symbols that it uses, numbered from 0; a value between two ops has a buffer in the kernel.

// CHECK-LABEL: func.func
// CHECK:         host.launch @{{.*}}(%x, %{{.*}}, %s1)
// CHECK:       loop.kernel @{{.*}}(%in0: memref<?xf32>, %out0: memref<?x4xf32>, %s0: index) {
// CHECK-NEXT:    [[E:%.*]] = loop.local : memref<?xf32>
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (%s0 * 4) {
// CHECK:           loop.store %{{.*}}, [[E]]{{\[}}[[I]]] : memref<?xf32>
// CHECK:         loop.parallel ([[I:%.*]], [[J:%.*]]) in (%s0, 4) {
// CHECK-NEXT:      loop.load [[E]]{{\[}}[[I]] * 4 + [[J]]] : memref<?xf32>
func.func @main(%x: tensor<?xf32, #graph.dims<[s1 * 4]>>, %s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %s1: index {graph.symbol = #graph.symbol<1, min = 2>}) -> tensor<?x4xf32, #graph.dims<[s1, 4]>> {
  %0 = graph.fusion (%a = %x : tensor<?xf32, #graph.dims<[s1 * 4]>>) -> tensor<?x4xf32, #graph.dims<[s1, 4]>> {
    %e = graph.exp %a : tensor<?xf32, #graph.dims<[s1 * 4]>>
    %r = graph.reshape %e : tensor<?xf32, #graph.dims<[s1 * 4]>> -> tensor<?x4xf32, #graph.dims<[s1, 4]>>
    graph.yield %r : tensor<?x4xf32, #graph.dims<[s1, 4]>>
  }
  return %0 : tensor<?x4xf32, #graph.dims<[s1, 4]>>
}

// -----

// Positions that i32 cannot hold are i64.

// CHECK-LABEL: func.func @main(%x: memref<4294967296xf32>)
// CHECK:           loop.reduce [argmax] (%{{.*}}) in (4294967296) -> f32, i64 {
func.func @main(%x: tensor<4294967296xf32>) -> tensor<i64> {
  %0 = graph.fusion (%a = %x : tensor<4294967296xf32>) -> tensor<i64> {
    %g = graph.reduce argmax %a dims [0] : tensor<4294967296xf32> -> tensor<i64>
    graph.yield %g : tensor<i64>
  }
  return %0 : tensor<i64>
}

// RUN: fusir-opt %s --loop-fuse --split-input-file | filecheck %s

// Dims that every access walks as one become one dim; the buffers are viewed so.

// CHECK-LABEL: loop.kernel @collapse(%x: memref<60xf32>, %y: memref<60xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (60) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %x{{\[}}[[I]]] : memref<60xf32>
// CHECK-NEXT:      loop.store [[X]], %y{{\[}}[[I]]] : memref<60xf32>
loop.kernel @collapse(%x: memref<3x4x5xf32>, %y: memref<3x4x5xf32>) {
  loop.parallel (%i, %j, %k) in (3, 4, 5) {
    %a = loop.load %x[%i, %j, %k] : memref<3x4x5xf32>
    loop.store %a, %y[%i, %j, %k] : memref<3x4x5xf32>
  }
}

// -----

// Both reduced dims collapse, and the kept ones with each other.

// CHECK-LABEL: loop.kernel @reduced(%x: memref<12x35xf32>, %y: memref<12xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (12) {
// CHECK-NEXT:      loop.reduce [add] ([[K:%.*]]) in (35) -> f32 {
// CHECK-NEXT:        loop.load %x{{\[}}[[I]], [[K]]] : memref<12x35xf32>
loop.kernel @reduced(%x: memref<3x4x5x7xf32>, %y: memref<3x4xf32>) {
  loop.parallel (%i, %j) in (3, 4) {
    %r = loop.reduce [add] (%k, %l) in (5, 7) -> f32 {
      %a = loop.load %x[%i, %j, %k, %l] : memref<3x4x5x7xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<2>, #builtin.int<3>]}
    loop.store %r, %y[%i, %j] : memref<3x4xf32>
  }
}

// -----

// The position that argmax yields is part of the accesses: its dims collapse too.

// CHECK-LABEL: loop.kernel @argmax(%x: memref<35xf32>, %y: memref<i64>) {
// CHECK:           [[V:%.*]], [[AT:%.*]] = loop.reduce [argmax] ([[K:%.*]]) in (35) -> f32, i64 {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[K]]] : memref<35xf32>
// CHECK:             [[P:%.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-NEXT:        loop.yield [[X]], [[P]] : f32, i64
loop.kernel @argmax(%x: memref<5x7xf32>, %y: memref<i64>) {
  loop.parallel (%i) in (1) {
    %v, %r = loop.reduce [argmax] (%k, %l) in (5, 7) -> f32, i64 {
      %a = loop.load %x[%k, %l] : memref<5x7xf32>
      %p = affine.apply affine_map<(d0, d1) -> (d0 * 7 + d1)>(%k, %l)
      %q = arith.index_cast %p : index to i64
      loop.yield %a, %q : f32, i64
    } {loop.reduced_dims = [#builtin.int<0>, #builtin.int<1>]}
    loop.store %r, %y[] : memref<i64>
  }
}

// -----

// The loops of a transposed copy follow the stores.

// CHECK-LABEL: loop.kernel @permuted(%x: memref<3x5xf32>, %y: memref<3x5xf32, strided<[1, 3]>>) {
// CHECK-NEXT:    loop.parallel ([[J:%.*]], [[I:%.*]]) in (5, 3) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %x{{\[}}[[I]], [[J]]]
// CHECK-NEXT:      loop.store [[X]], %y{{\[}}[[I]], [[J]]]
loop.kernel @permuted(%x: memref<3x5xf32>, %y: memref<3x5xf32, strided<[1, 3]>>) {
  loop.parallel (%i, %j) in (3, 5) {
    %a = loop.load %x[%i, %j] : memref<3x5xf32>
    loop.store %a, %y[%i, %j] : memref<3x5xf32, strided<[1, 3]>>
  }
}

// -----

// Channels last on both sides: reordered to the order in memory, then one dim.

// CHECK-LABEL: loop.kernel @channels_last
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (30) {
// CHECK-NEXT:      loop.load %x{{\[}}[[I]] floordiv 15, [[I]] mod 3, [[I]] floordiv 3 mod 5]
loop.kernel @channels_last(%x: memref<2x3x5xf32, strided<[15, 1, 3]>>, %y: memref<2x3x5xf32, strided<[15, 1, 3]>>) {
  loop.parallel (%i, %j, %k) in (2, 3, 5) {
    %a = loop.load %x[%i, %j, %k] : memref<2x3x5xf32, strided<[15, 1, 3]>>
    loop.store %a, %y[%i, %j, %k] : memref<2x3x5xf32, strided<[15, 1, 3]>>
  }
}

// -----

// A broadcast operand keeps its dims apart; the two dims that it does not have collapse.

// CHECK-LABEL: loop.kernel @broadcast
// CHECK-NEXT:    loop.parallel ([[I:%.*]], [[J:%.*]]) in (12, 5) {
// CHECK-NEXT:      loop.load %x{{\[}}[[I]], [[J]]] : memref<12x5xf32>
// CHECK-NEXT:      loop.load %b{{\[}}[[J]]] : memref<5xf32>
loop.kernel @broadcast(%x: memref<3x4x5xf32>, %b: memref<5xf32>, %y: memref<3x4x5xf32>) {
  loop.parallel (%i, %j, %k) in (3, 4, 5) {
    %a = loop.load %x[%i, %j, %k] : memref<3x4x5xf32>
    %c = loop.load %b[%k] : memref<5xf32>
    %d = arith.addf %a, %c : f32
    loop.store %d, %y[%i, %j, %k] : memref<3x4x5xf32>
  }
}

// -----

// So does an index that is used as a value.

// CHECK-LABEL: loop.kernel @index_as_value
// CHECK-NEXT:    loop.parallel ([[I:%.*]], [[J:%.*]]) in (3, 4) {
// CHECK-NEXT:      [[V:%.*]] = arith.index_cast [[J]] : index to i64
loop.kernel @index_as_value(%y: memref<3x4xi64>) {
  loop.parallel (%i, %j) in (3, 4) {
    %a = arith.index_cast %j : index to i64
    loop.store %a, %y[%i, %j] : memref<3x4xi64>
  }
}

// -----

// A buffer with a gap after each row does not collapse, one with a gap after each matrix in its last dims only.

// CHECK-LABEL: loop.kernel @gap_after_rows
// CHECK-NEXT:    loop.parallel (%{{.*}}, %{{.*}}) in (3, 4) {
loop.kernel @gap_after_rows(%x: memref<3x4xf32, strided<[6, 1]>>, %y: memref<3x4xf32>) {
  loop.parallel (%i, %j) in (3, 4) {
    %a = loop.load %x[%i, %j] : memref<3x4xf32, strided<[6, 1]>>
    loop.store %a, %y[%i, %j] : memref<3x4xf32>
  }
}

// CHECK-LABEL: loop.kernel @gap_after_matrices(%x: memref<3x20xf32, strided<[30, 1]>>, %y: memref<3x20xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]], [[J:%.*]]) in (3, 20) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %x{{\[}}[[I]], [[J]]]
// CHECK-NEXT:      loop.store [[X]], %y{{\[}}[[I]], [[J]]]
loop.kernel @gap_after_matrices(%x: memref<3x4x5xf32, strided<[30, 5, 1]>>, %y: memref<3x4x5xf32>) {
  loop.parallel (%i, %j, %k) in (3, 4, 5) {
    %a = loop.load %x[%i, %j, %k] : memref<3x4x5xf32, strided<[30, 5, 1]>>
    loop.store %a, %y[%i, %j, %k] : memref<3x4x5xf32>
  }
}

// -----

// A stride of two over the whole is still one dim.

// CHECK-LABEL: loop.kernel @every_other
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (12) {
// CHECK-NEXT:      loop.load %x{{\[}}[[I]] * 2] : memref<24xf32>
loop.kernel @every_other(%x: memref<3x8xf32>, %y: memref<3x4xf32>) {
  loop.parallel (%i, %j) in (3, 4) {
    %a = loop.load %x[%i, %j * 2] : memref<3x8xf32>
    loop.store %a, %y[%i, %j] : memref<3x4xf32>
  }
}

// -----

// Symbolic extents collapse, with the buffer's stride as proof.

// CHECK-LABEL: loop.kernel @symbolic
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (%s0 * 8) {
loop.kernel @symbolic(%x: memref<?x8xf32>, %y: memref<?x8xf32>, %s0: index) {
  loop.parallel (%i, %j) in (%s0, 8) {
    %a = loop.load %x[%i, %j] : memref<?x8xf32>
    loop.store %a, %y[%i, %j] : memref<?x8xf32>
  }
}

// CHECK-LABEL: loop.kernel @symbolic_inside
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (%s0 * 8) {
loop.kernel @symbolic_inside(%x: memref<8x?xf32, #loop.strided<[s0, 1]>>, %y: memref<8x?xf32, #loop.strided<[s0, 1]>>, %s0: index) {
  loop.parallel (%i, %j) in (8, %s0) {
    %a = loop.load %x[%i, %j] : memref<8x?xf32, #loop.strided<[s0, 1]>>
    loop.store %a, %y[%i, %j] : memref<8x?xf32, #loop.strided<[s0, 1]>>
  }
}

// Two symbols say nothing about each other.

// CHECK-LABEL: loop.kernel @unknown_stride
// CHECK-NEXT:    loop.parallel ([[I:%.*]], [[J:%.*]]) in (8, %s0) {
loop.kernel @unknown_stride(%x: memref<8x?xf32, #loop.strided<[s1, 1]>>, %y: memref<8x?xf32, #loop.strided<[s0, 1]>>, %s0: index, %s1: index) {
  loop.parallel (%i, %j) in (8, %s0) {
    %a = loop.load %x[%i, %j] : memref<8x?xf32, #loop.strided<[s1, 1]>>
    loop.store %a, %y[%i, %j] : memref<8x?xf32, #loop.strided<[s0, 1]>>
  }
}

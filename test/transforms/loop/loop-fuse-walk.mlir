// RUN: fusir-opt %s --loop-fuse --split-input-file | filecheck %s

// Reductions over rows and over columns: the rows are walked in one `loop.reduce`, which holds the row reductions and the
// stores; the columns are parallel outside of it. What depends on neither row nor column is computed once.

// CHECK-LABEL: loop.kernel @gradients
// CHECK:         loop.parallel ([[P:%.*]], [[J:%.*]]) in (4, 16) {
// CHECK-NEXT:      [[W:%.*]] = loop.load %w{{\[}}[[J]]]
// CHECK-NEXT:      [[COLUMNS:%.*]] = loop.reduce [add] ([[R:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        [[S:%.*]] = loop.reduce [add] ([[K:%.*]]) in (16) -> f32 {
// CHECK-NEXT:          [[XK:%.*]] = loop.load %x{{\[}}[[P]] * 8 + [[R]], [[K]]]
// CHECK-NEXT:          loop.yield [[XK]] : f32
// CHECK-NEXT:        }
// CHECK-NEXT:        loop.store [[S]], %rows{{\[}}[[P]] * 8 + [[R]]]
// CHECK-NEXT:        [[XJ:%.*]] = loop.load %x{{\[}}[[P]] * 8 + [[R]], [[J]]]
// CHECK-NEXT:        [[T:%.*]] = arith.mulf [[XJ]], [[S]] : f32
// CHECK-NEXT:        [[Y:%.*]] = arith.mulf [[T]], [[W]] : f32
// CHECK-NEXT:        loop.store [[Y]], %y{{\[}}[[P]] * 8 + [[R]], [[J]]]
// CHECK-NEXT:        loop.yield [[T]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      loop.store [[COLUMNS]], %part{{\[}}[[P]], [[J]]]
// CHECK-NEXT:      [[FIRST:%.*]] = arith.cmpi eq, [[P]],
// CHECK:           loop.store {{.*}}, %one[0] if [[FIRST]]
loop.kernel @gradients(%x: memref<32x16xf32>, %w: memref<16xf32>, %rows: memref<32xf32>, %y: memref<32x16xf32>,
                       %part: memref<4x16xf32>, %one: memref<1xf32>) {
  %two = arith.constant 2.0 : f32
  %t = loop.local : memref<32x16xf32>
  loop.parallel (%i) in (32) {
    %s = loop.reduce [add] (%k) in (16) -> f32 {
      %a = loop.load %x[%i, %k] : memref<32x16xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %s, %rows[%i] : memref<32xf32>
  }
  loop.parallel (%i, %j) in (32, 16) {
    %a = loop.load %x[%i, %j] : memref<32x16xf32>
    %s = loop.load %rows[%i] : memref<32xf32>
    %b = arith.mulf %a, %s : f32
    loop.store %b, %t[%i, %j] : memref<32x16xf32>
  }
  loop.parallel (%i, %j) in (32, 16) {
    %a = loop.load %t[%i, %j] : memref<32x16xf32>
    %b = loop.load %w[%j] : memref<16xf32>
    %c = arith.mulf %a, %b : f32
    loop.store %c, %y[%i, %j] : memref<32x16xf32>
  }
  loop.parallel (%p, %j) in (4, 16) {
    %s = loop.reduce [add] (%r) in (8) -> f32 {
      %a = loop.load %t[%p * 8 + %r, %j] : memref<32x16xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %s, %part[%p, %j] : memref<4x16xf32>
  }
  loop.parallel (%i) in (1) {
    loop.store %two, %one[%i] : memref<1xf32>
  }
}

// -----

// A transposed copy stores what the walk has, and the columns of a program may be some of the row.

// CHECK-LABEL: loop.kernel @tiles
// CHECK:         loop.parallel ([[P:%.*]], [[Q:%.*]], [[J:%.*]]) in (4, 2, 8) {
// CHECK-NEXT:      [[COLUMNS:%.*]] = loop.reduce [max] ([[R:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        [[S:%.*]] = loop.reduce [add] ([[K:%.*]]) in (8) -> f32 {
// CHECK-NEXT:          [[XK:%.*]] = loop.load %x{{\[}}[[P]] * 8 + [[R]], [[Q]] * 8 + [[K]]]
// CHECK-NEXT:          loop.yield [[XK]] : f32
// CHECK-NEXT:        }
// CHECK-NEXT:        loop.store [[S]], %rows{{\[}}[[P]] * 8 + [[R]], [[Q]]]
// CHECK-NEXT:        [[XJ:%.*]] = loop.load %x{{\[}}[[P]] * 8 + [[R]], [[Q]] * 8 + [[J]]]
// CHECK-NEXT:        loop.store [[XJ]], %t{{\[}}[[Q]] * 8 + [[J]], [[P]] * 8 + [[R]]]
// CHECK-NEXT:        loop.yield [[XJ]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      loop.store [[COLUMNS]], %part{{\[}}[[P]], [[Q]] * 8 + [[J]]]
loop.kernel @tiles(%x: memref<32x16xf32>, %t: memref<16x32xf32>, %rows: memref<32x2xf32>, %part: memref<4x16xf32>) {
  loop.parallel (%j, %i) in (16, 32) {
    %a = loop.load %x[%i, %j] : memref<32x16xf32>
    loop.store %a, %t[%j, %i] : memref<16x32xf32>
  } {loop.walked_order = [#builtin.int<1>, #builtin.int<0>]}
  loop.parallel (%p, %j) in (4, 16) {
    %s = loop.reduce [max] (%r) in (8) -> f32 {
      %a = loop.load %x[%p * 8 + %r, %j] : memref<32x16xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %s, %part[%p, %j] : memref<4x16xf32>
  }
  loop.parallel (%i, %q) in (32, 2) {
    %s = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %q * 8 + %k] : memref<32x16xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<2>]}
    loop.store %s, %rows[%i, %q] : memref<32x2xf32>
  }
}

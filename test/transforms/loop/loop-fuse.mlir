// RUN: fusir-opt %s --loop-fuse --split-input-file | filecheck %s

// Store-to-load forwarding: a buffer that only the kernel knows vanishes.

// CHECK-LABEL: loop.kernel @forward(%x: memref<8xf32>, %y: memref<8xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (8) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %x{{\[}}[[I]]] : memref<8xf32>
// CHECK-NEXT:      [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:      [[N:%.*]] = arith.negf [[E]] : f32
// CHECK-NEXT:      loop.store [[N]], %y{{\[}}[[I]]] : memref<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
loop.kernel @forward(%x: memref<8xf32>, %y: memref<8xf32>) {
  %t = loop.local : memref<8xf32>
  loop.parallel (%i) in (8) {
    %a = loop.load %x[%i] : memref<8xf32>
    %b = math.exp %a : f32
    loop.store %b, %t[%i] : memref<8xf32>
  }
  loop.parallel (%i) in (8) {
    %a = loop.load %t[%i] : memref<8xf32>
    %b = arith.negf %a : f32
    loop.store %b, %y[%i] : memref<8xf32>
  }
}

// -----

// A view of what a nest computes is an index map: the scalar is computed at the place where it is read.

// CHECK-LABEL: loop.kernel @reversed_and_transposed
// CHECK-NEXT:    loop.parallel ([[I:%.*]], [[J:%.*]]) in (8, 4) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %x{{\[}}[[J]] * -1 + 3, [[I]]] : memref<4x8xf32>
// CHECK-NEXT:      [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:      loop.store [[E]], %y{{\[}}[[I]], [[J]]] : memref<8x4xf32>
loop.kernel @reversed_and_transposed(%x: memref<4x8xf32>, %y: memref<8x4xf32>) {
  %t = loop.local : memref<4x8xf32>
  loop.parallel (%i, %j) in (4, 8) {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    %b = math.exp %a : f32
    loop.store %b, %t[%i, %j] : memref<4x8xf32>
  }
  loop.parallel (%i, %j) in (8, 4) {
    %a = loop.load %t[%j * -1 + 3, %i] : memref<4x8xf32>
    loop.store %a, %y[%i, %j] : memref<8x4xf32>
  }
}

// -----

// Sibling nests: what has the same box, up to a reshape, shares the loops and the loads.

// CHECK-LABEL: loop.kernel @siblings
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (32) {
// CHECK-NEXT:      [[X:%.*]] = loop.load %x{{\[}}[[I]]]
// CHECK-NEXT:      [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:      loop.store [[E]], %y{{\[}}[[I]]]
// CHECK-NEXT:      [[S:%.*]] = math.sqrt [[X]] : f32
// CHECK-NEXT:      loop.store [[S]], %z{{\[}}[[I]]]
// CHECK-NEXT:    }
loop.kernel @siblings(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %z: memref<32xf32>) {
  loop.parallel (%i, %j) in (4, 8) {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    %b = math.exp %a : f32
    loop.store %b, %y[%i, %j] : memref<4x8xf32>
  }
  loop.parallel (%i) in (32) {
    %a = loop.load %x[%i floordiv 8, %i mod 8] : memref<4x8xf32>
    %b = math.sqrt %a : f32
    loop.store %b, %z[%i] : memref<32xf32>
  }
}

// -----

// Sibling reductions: one reduce with several results, one load.

// CHECK-LABEL: loop.kernel @sibling_reductions
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      [[M:%.*]], [[S:%.*]] = loop.reduce [max, add] ([[K:%.*]]) in (8) -> f32, f32 {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[I]], [[K]]]
// CHECK-NEXT:        loop.yield [[X]], [[X]] : f32, f32
// CHECK-NEXT:      }
// CHECK-NEXT:      loop.store [[M]], %m{{\[}}[[I]]]
// CHECK-NEXT:      loop.store [[S]], %s{{\[}}[[I]]]
// CHECK-NEXT:    }
loop.kernel @sibling_reductions(%x: memref<4x8xf32>, %m: memref<4xf32>, %s: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %r = loop.reduce [max] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %m[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %r = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %s[%i] : memref<4xf32>
  }
}

// -----

// A result that needs no reduction is stored in the loop of the first one, and the reduction reads the scalar.

// CHECK-LABEL: loop.kernel @store_rides_along
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      [[S:%.*]] = loop.reduce [add] ([[K:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[I]], [[K]]]
// CHECK-NEXT:        [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:        loop.store [[E]], %y{{\[}}[[I]], [[K]]]
// CHECK-NEXT:        loop.yield [[E]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      loop.store [[S]], %s{{\[}}[[I]]]
loop.kernel @store_rides_along(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %s: memref<4xf32>) {
  loop.parallel (%i, %j) in (4, 8) {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    %d = math.exp %a : f32
    loop.store %d, %y[%i, %j] : memref<4x8xf32>
  }
  loop.parallel (%i) in (4) {
    %r = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %y[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %s[%i] : memref<4xf32>
  }
}

// -----

// Reductions in levels, then the stores that need all of them. What does not depend on the inner loop is outside of it.

// CHECK-LABEL: loop.kernel @levels
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      [[M:%.*]] = loop.reduce [max] ([[K:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        loop.load %x{{\[}}[[I]], [[K]]]
// CHECK-NEXT:        loop.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      [[S:%.*]] = loop.reduce [add] ([[L:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[I]], [[L]]]
// CHECK-NEXT:        [[C:%.*]] = arith.subf [[X]], [[M]] : f32
// CHECK-NEXT:        [[E:%.*]] = math.exp [[C]] : f32
// CHECK-NEXT:        loop.yield [[E]] : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      [[ROOT:%.*]] = math.sqrt [[S]] : f32
// CHECK-NEXT:      loop.parallel ([[J:%.*]]) in (8) {
// CHECK-NEXT:        loop.load %x{{\[}}[[I]], [[J]]]
// CHECK-NEXT:        arith.subf
// CHECK-NEXT:        [[E:%.*]] = math.exp
// CHECK-NEXT:        [[Y:%.*]] = arith.divf [[E]], [[ROOT]] : f32
// CHECK-NEXT:        loop.store [[Y]], %y{{\[}}[[I]], [[J]]]
// CHECK-NEXT:      }
// CHECK-NEXT:    }
loop.kernel @levels(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  %m = loop.local : memref<4xf32>
  %e = loop.local : memref<4x8xf32>
  %s = loop.local : memref<4xf32>
  loop.parallel (%i) in (4) {
    %r = loop.reduce [max] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %m[%i] : memref<4xf32>
  }
  loop.parallel (%i, %j) in (4, 8) {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    %b = loop.load %m[%i] : memref<4xf32>
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    loop.store %d, %e[%i, %j] : memref<4x8xf32>
  }
  loop.parallel (%i) in (4) {
    %r = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %e[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %s[%i] : memref<4xf32>
  }
  loop.parallel (%i, %j) in (4, 8) {
    %a = loop.load %e[%i, %j] : memref<4x8xf32>
    %b = loop.load %s[%i] : memref<4xf32>
    %c = math.sqrt %b : f32
    %d = arith.divf %a, %c : f32
    loop.store %d, %y[%i, %j] : memref<4x8xf32>
  }
}

// -----

// Hoisting by support: the load and the exponential of a row's scalar leave the reduction.

// CHECK-LABEL: loop.kernel @hoist
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      [[B:%.*]] = loop.load %b{{\[}}[[I]]]
// CHECK-NEXT:      [[E:%.*]] = math.exp [[B]] : f32
// CHECK-NEXT:      loop.reduce [add] ([[K:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[I]], [[K]]]
// CHECK-NEXT:        arith.mulf [[X]], [[E]] : f32
loop.kernel @hoist(%x: memref<4x8xf32>, %b: memref<4xf32>, %s: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %r = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      %c = loop.load %b[%i] : memref<4xf32>
      %d = math.exp %c : f32
      %e = arith.mulf %a, %d : f32
      loop.yield %e : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %s[%i] : memref<4xf32>
  }
}

// -----

// A dim that is partly reduced is split: channels 6 are 2 groups of 3, as in group norm.

// CHECK-LABEL: loop.kernel @groups(%x: memref<12xf32>, %y: memref<12xf32>) {
// CHECK-NEXT:    loop.parallel ([[G:%.*]]) in (4) {
// CHECK-NEXT:      [[S:%.*]] = loop.reduce [add] ([[K:%.*]]) in (3) -> f32 {
// CHECK-NEXT:        loop.load %x{{\[}}[[G]] * 3 + [[K]]]
// CHECK:           loop.parallel ([[J:%.*]]) in (3) {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[G]] * 3 + [[J]]]
// CHECK-NEXT:        [[Y:%.*]] = arith.divf [[X]], [[S]] : f32
// CHECK-NEXT:        loop.store [[Y]], %y{{\[}}[[G]] * 3 + [[J]]]
loop.kernel @groups(%x: memref<2x6xf32>, %y: memref<2x6xf32>) {
  %s = loop.local : memref<2x2xf32>
  loop.parallel (%i, %g) in (2, 2) {
    %r = loop.reduce [add] (%k) in (3) -> f32 {
      %a = loop.load %x[%i, %g * 3 + %k] : memref<2x6xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<2>]}
    loop.store %r, %s[%i, %g] : memref<2x2xf32>
  }
  loop.parallel (%i, %j) in (2, 6) {
    %a = loop.load %x[%i, %j] : memref<2x6xf32>
    %b = loop.load %s[%i, %j floordiv 3] : memref<2x2xf32>
    %c = arith.divf %a, %b : f32
    loop.store %c, %y[%i, %j] : memref<2x6xf32>
  }
}

// -----

// Symbolic extents are split and merged likewise.

// CHECK-LABEL: loop.kernel @symbolic
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (%s0) {
// CHECK-NEXT:      loop.reduce [add] ([[K:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[I]] * 8 + [[K]]] : memref<?xf32>
// CHECK-NEXT:        [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:        loop.yield [[E]] : f32
// CHECK-NOT:     loop.parallel
loop.kernel @symbolic(%x: memref<?xf32>, %y: memref<?xf32>, %s0: index) {
  %t = loop.local : memref<?xf32>
  loop.parallel (%i) in (%s0 * 8) {
    %a = loop.load %x[%i] : memref<?xf32>
    %b = math.exp %a : f32
    loop.store %b, %t[%i] : memref<?xf32>
  }
  loop.parallel (%i) in (%s0) {
    %r = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %t[%i * 8 + %k] : memref<?xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %y[%i] : memref<?xf32>
  }
}

// -----

// A single element beside a box is stored by the first iteration.

// CHECK-LABEL: loop.kernel @single_element
// CHECK:         loop.parallel ([[I:%.*]]) in (32) {
// CHECK:           [[FIRST:%.*]] = arith.cmpi eq, [[I]], %{{.*}} : index
// CHECK-NEXT:      loop.store %{{.*}}, %z[0] if [[FIRST]] : memref<1xf32>
loop.kernel @single_element(%x: memref<1xf32>, %y: memref<4x8xf32>, %z: memref<1xf32>) {
  %one = arith.constant 1.0 : f32
  loop.parallel (%i, %j) in (4, 8) {
    loop.store %one, %y[%i, %j] : memref<4x8xf32>
  }
  loop.parallel (%i) in (1) {
    %a = loop.load %x[%i] : memref<1xf32>
    loop.store %a, %z[%i] : memref<1xf32>
  }
}

// -----

// Loops without iterations: the reduction gives its identity.

// CHECK-LABEL: loop.kernel @empty
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      [[S:%.*]] = loop.reduce [add] ([[K:%.*]]) in (0) -> f32 {
// CHECK:           loop.store [[S]], %y{{\[}}[[I]]]
loop.kernel @empty(%x: memref<4x0xf32>, %y: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %r = loop.reduce [add] (%k) in (0) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x0xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %y[%i] : memref<4xf32>
  }
}

// -----

// An extremum beside the position of the same value is what the arg reduction has anyway, and equal reductions are one.

// CHECK-LABEL: loop.kernel @extremum_and_position
// CHECK:           [[M:%.*]], [[AT:%.*]] = loop.reduce [argmax] ([[K:%.*]]) in (8) -> f32, i32 {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x[%{{.*}}, [[K]]] : memref<4x8xf32>
// CHECK-NEXT:        [[P:%.*]] = arith.index_cast [[K]] : index to i32
// CHECK-NEXT:        loop.yield [[X]], [[P]] : f32, i32
// CHECK-NEXT:      }
// CHECK-DAG:       loop.store [[M]], %m
// CHECK-DAG:       loop.store [[M]], %n
// CHECK-DAG:       loop.store [[AT]], %p
loop.kernel @extremum_and_position(%x: memref<4x8xf32>, %m: memref<4xf32>, %n: memref<4xf32>, %p: memref<4xi32>) {
  loop.parallel (%i) in (4) {
    %r = loop.reduce [max] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %m[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %r = loop.reduce [max] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %n[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %v, %r = loop.reduce [argmax] (%k) in (8) -> f32, i32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      %q = arith.index_cast %k : index to i32
      loop.yield %a, %q : f32, i32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %p[%i] : memref<4xi32>
  }
}

// -----

// Not an extremum of the other end, nor one of another value.

// CHECK-LABEL: loop.kernel @other_extrema
// CHECK:           loop.reduce [min, max, argmax] (%{{.*}}) in (8) -> f32, f32, f32, i32 {
loop.kernel @other_extrema(%x: memref<4x8xf32>, %m: memref<4xf32>, %n: memref<4xf32>, %p: memref<4xi32>) {
  loop.parallel (%i) in (4) {
    %r = loop.reduce [min] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %m[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %r = loop.reduce [max] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      %b = math.absf %a : f32
      loop.yield %b : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %n[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %v, %r = loop.reduce [argmax] (%k) in (8) -> f32, i32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      %q = arith.index_cast %k : index to i32
      loop.yield %a, %q : f32, i32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %p[%i] : memref<4xi32>
  }
}

// RUN: fusir-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

loop.kernel @k(%s: index) {
}
// CHECK: a kernel has at least one buffer

// -----

loop.kernel @k(%s: index, %x: memref<4xf32>) {
}
// CHECK: the buffers of a kernel come before its symbols

// -----

loop.kernel @k(%x: memref<4xf32>, %s: f32) {
}
// CHECK: a kernel argument is a memref or an index, got f32

// -----

loop.kernel @k(%x: memref<4xui8>) {
}
// CHECK: a kernel buffer has a signless element type, got memref<4xui8>

// -----

loop.kernel @k(%x: memref<4xf32>) schedule 4 : i32 {
}
// CHECK: expected a #loop.schedule attribute

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4) {
  }
}
// CHECK: a scheduled kernel needs 'axes' on every loop, missing on loop.parallel

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 4>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4) axes ["y"] {
  }
}
// CHECK: the schedule has no axis 'y'

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [#loop.axis<"r", tile, 4>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4) axes ["r"] {
  }
  loop.parallel (%i) in (3) axes ["r"] {
  }
}
// CHECK: loops that share axis 'r' must have equal extents on it

// -----

loop.kernel @k(%x: memref<4xf32>) attributes {a = #loop.axis<"x", program, 3>} {
}
// CHECK: the size of axis 'x' must be a power of two, got 3

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 4>, #loop.axis<"x", tile, 4>], num_warps = 1, num_stages = 1, index_bits = 32> {
}
// CHECK: a schedule must not have two axes of one name

// -----

loop.kernel @k(%x: memref<4xf32>) attributes {a = #loop.axis<"x", program, 8, groups of 4 from affine_map<(d0) -> (d0)>>} {
}
// CHECK: program axis 'x' must not have segments

// -----

loop.kernel @k(%x: memref<4xf32>) attributes {a = #loop.axis<"x", shared, 8, groups of 4 from affine_map<(d0) -> (d0)>>} {
}
// CHECK: shared axis 'x' must not have segments

// -----

loop.kernel @k(%x: memref<4xf32>) attributes {a = #loop.axis<"r", tile, 8, groups of 16 from affine_map<(d0) -> (d0)>>} {
}
// CHECK: the groups of axis 'r' must have a power of two of elements, at least 2 and at most the size, got 16

// -----

loop.kernel @k(%x: memref<4xf32>) attributes {a = #loop.axis<"r", tile, 8, groups of 6 from affine_map<(d0) -> (d0)>>} {
}
// CHECK: the groups of axis 'r' must have a power of two of elements, at least 2 and at most the size, got 6

// -----

loop.kernel @k(%x: memref<4xf32>) attributes {a = #loop.axis<"r", tile, 8, groups of 4 from affine_map<(d0) -> (d0, d0)>>} {
}
// CHECK: the rows of axis 'r' must have one offset

// -----

loop.kernel @k(%x: memref<4xf32>) attributes {a = #loop.axis<"r", tile, 8, groups of 4 from 3 : i32>} {
}
// CHECK: expected an affine map

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [#loop.axis<"r", tile, 8, groups of 4 from affine_map<(d0, d1) -> (d0 + d1)>>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4) axes ["r"] {
  }
}
// CHECK: the offset of the rows of axis 'r' must be over the indices of the outermost loop and the symbols of the kernel

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", tile, 8, groups of 4 from affine_map<(d0) -> (d0)>>, #loop.axis<"r", tile, 8, groups of 4 from affine_map<(d0) -> (d0)>>], num_warps = 1, num_stages = 1, index_bits = 32> {
}
// CHECK: a schedule must not have two axes with segments

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [], num_warps = 3, num_stages = 1, index_bits = 32> {
}
// CHECK: num_warps must be a power of two, got 3

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [], num_warps = 1, num_stages = 0, index_bits = 32> {
}
// CHECK: num_stages must be positive, got 0

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [], num_warps = 1, num_stages = 1, index_bits = 16> {
}
// CHECK: index_bits must be 32 or 64, got 16

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel () in () {
  }
}
// CHECK: a loop has at least one dimension

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4, 4) {
  }
}
// CHECK: expected 2 loop indices, got 1

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (-1) {
  }
}
// CHECK: a loop extent is not negative, got -1

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    loop.parallel (%j) in (%i) {
    }
  }
}
// CHECK: a loop extent is made of the symbols of the kernel

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) axes ["x", "y"] {
  }
}
// CHECK: expected an axis for each of 1 dims, got 2

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) axes [1 : i32] {
  }
}
// CHECK: expected an array of axis names

// -----

loop.kernel @k(%x: memref<4xf32>) {
  "loop.parallel"() <{bounds = affine_map<(d0) -> (d0)>}> ({
  ^bb0(%i: index):
  }) : () -> ()
}
// CHECK: loop bounds are made of constants and symbols only

// -----

loop.kernel @k(%x: memref<4xf32>) {
  "loop.parallel"() <{bounds = affine_map<()[s0] -> (s0)>}> ({
  ^bb0(%i: index):
  }) : () -> ()
}
// CHECK: the bounds take 1 symbols, got 0

// -----

loop.kernel @k(%x: memref<4xf32>) {
  "loop.parallel"() <{bounds = affine_map<() -> (4)>}> ({
  ^bb0(%i: i32):
  }) : () -> ()
}
// CHECK: a loop index has type index, got i32

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %r = loop.reduce [add] (%i) in (4) -> f32 {
    %v = loop.load %x[%i] : memref<4xf32>
  }
}
// CHECK: Operation loop.load terminates block in single-block region but is not a terminator

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %r = loop.reduce [] (%i) in (4) -> f32 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.yield %v : f32
  }
}
// CHECK: loop.reduce needs a combiner

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %r = loop.reduce [add] (%i) in (4) -> f64 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.yield %v : f32
  }
}
// CHECK: the yielded types must be the result types of loop.reduce

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %r = loop.reduce [argmax] (%i) in (4) -> f32 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.yield %v : f32
  }
}
// CHECK: the combiners take 2 values, 1 are yielded

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %r = loop.reduce [add] (%i) in (4) -> index {
    loop.yield %i : index
  }
}
// CHECK: combiner add folds numbers, got index

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %r = loop.reduce [or] (%i) in (4) -> f32 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.yield %v : f32
  }
}
// CHECK: combiner or folds integers, got f32

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %r, %q = loop.reduce [argmin] (%i) in (4) -> f32, f32 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.yield %v, %v : f32, f32
  }
}
// CHECK: the second value of combiner argmin is an i32 or i64 index

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i, %i] : memref<4xf32>
  }
}
// CHECK: expected 1 indices into memref<4xf32>, got 2

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = "loop.load"(%x, %i, %i) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 2, 0, 0>}> : (memref<4xf32>, index, index) -> f32
  }
}
// CHECK: the map takes 1 operands, got 2

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = "loop.load"(%x, %i) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xf32>, index) -> f64
  }
}
// CHECK: a load from memref<4xf32> gives f32, got f64

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %c = arith.constant 1.0 : f32
  loop.parallel (%i) in (4) {
    %v = "loop.load"(%x, %i, %c) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (memref<4xf32>, index, f32) -> f32
  }
}
// CHECK: a load with 'else' needs a predicate

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    "loop.store"(%i, %x, %i) <{map = affine_map<(d0) -> (d0)>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (index, memref<4xf32>, index) -> ()
  }
}
// CHECK: a store to memref<4xf32> takes f32, got index

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %w = loop.libm "sinc"(%v) : (f32) -> f32
  }
}
// CHECK: unknown math function 'sinc', known are

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %w = loop.libm "fmod"(%v) : (f32) -> f32
  }
}
// CHECK: 'fmod' takes 2 arguments, got 1

// -----

loop.kernel @k(%x: memref<4xi32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xi32>
    %w = loop.libm "erfc"(%v) : (i32) -> i32
  }
}
// CHECK: 'erfc' computes floats, got i32

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i] : f32
  }
}
// CHECK: expected a memref type, got f32

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i + ] : memref<4xf32>
  }
}
// CHECK: expected an index expression

// -----

loop.kernel @k(%x: memref<?xf32, #loop.strided<[n]>>) {
}
// CHECK: expected a symbol s0, s1, ..., got 'n'

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %p = loop.prefix add %v : f32
  }
}
// CHECK: loop.prefix stands in the body of a loop.scan

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.scan (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %p = loop.prefix argmax %v : f32
  }
}
// CHECK: loop.prefix folds with one of add, mul, max, min, umax, umin, last_argmax, last_argmin, sumexp, got argmax

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.scan (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %p = loop.prefix last_argmax %v : f32
  }
}
// CHECK: combiner last_argmax takes 2 values, got 1

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.scan (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %p, %q = loop.prefix last_argmin %v, %v : f32, f32
  }
}
// CHECK: the second value of combiner last_argmin is an i32 or i64 index

// -----

loop.kernel @k(%x: memref<4xi32>) {
  loop.scan (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xi32>
    %p, %q = loop.prefix sumexp %v, %v : i32, i32
  }
}
// CHECK: combiner sumexp folds two floats, got i32 and i32

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.scan (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %p = "loop.prefix"(%v) <{combiner = #loop<combiner add>}> : (f32) -> f64
  }
}
// CHECK: the results of loop.prefix have the types of its values

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.scan (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %p = loop.prefix umax %v : f32
  }
}
// CHECK: combiner umax folds integers, got f32

// -----

loop.kernel @k(%x: memref<4xi1>) {
  loop.scan (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xi1>
    %p = loop.prefix add %v : i1
  }
}
// CHECK: loop.prefix folds numbers, got i1

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.scan (%i, %j) in (4) {
  }
}
// CHECK: expected 1 loop indices, got 2

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %v = loop.load %x[%i] : memref<4xf32>
    %p = loop.fold add %v : f32
  }
}
// CHECK: loop.fold stands in the body or the merge of a loop.online

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %n = loop.walked
  }
}
// CHECK: loop.walked stands in the body of a loop.online

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32 {
    %v = loop.load %x[%i] : memref<4xf32>
    %b = loop.fold argmax %v : f32
    loop.yield %b : f32
  }
}
// CHECK: combiner argmax takes 2 values, got 1

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32 {
    %v = loop.load %x[%i] : memref<4xf32>
    %b = loop.fold umax %v : f32
    loop.yield %b : f32
  }
}
// CHECK: combiner umax folds integers, got f32

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.yield %a, %a : f32, f32
  }
}
// CHECK: the yielded types of loop.online must be those of its initial values

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32, f32 {
    loop.yield %a : f32
  }
}
// CHECK: expected 1 types, one for each carried value, got 2

// -----

loop.kernel @k(%x: memref<4xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", shared, 4>, #loop.axis<"y", shared, 4>], num_warps = 1, num_stages = 1, index_bits = 32> {
}
// CHECK: a schedule must not have two shared axes

// -----

loop.kernel @k(%x: memref<4xf32>) {
  loop.scan reverse (%i) in (4) {
  } {loop.lane_group = 3 : i64}
}
// CHECK: loop.lane_group must be a power of two, got 3

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32 {
    loop.yield %a : f32
  } merge (%p, %q) {
    loop.yield %p : f32
  }
}
// CHECK: expected 1 values to merge, one for each carried one, got 2

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32 {
    loop.yield %a : f32
  } merge (%p) {
    %t = loop.fold add %p : f32
    loop.yield %t, %t : f32, f32
  }
}
// CHECK: the yielded types of a merge must be those of the initial values of loop.online

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = "loop.online"(%zero) <{bounds = affine_map<() -> (4)>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%i: index, %a: f32):
    "loop.yield"(%a) : (f32) -> ()
  }, {
  ^bb1(%p: f64):
    "loop.yield"(%zero) : (f32) -> ()
  }) : (f32) -> f32
}
// CHECK: the merged types of a merge must be those of the initial values of loop.online

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32 {
    loop.yield %a : f32
  } merge (%p) {
    loop.store %p, %x[0] : memref<4xf32>
    loop.yield %p : f32
  }
}
// CHECK: the merge of loop.online is made of scalars alone, got loop.store

// -----

loop.kernel @k(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = loop.online (%i) in (4) carry (%a = %zero) -> f32 {
    loop.yield %a : f32
  } merge (%p) {
    %n = loop.walked
    loop.yield %p : f32
  }
}
// CHECK: loop.walked stands in the body of a loop.online

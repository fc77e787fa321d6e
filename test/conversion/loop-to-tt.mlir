// RUN: fusir-opt %s --convert-loop-to-tt | filecheck %s

// A block size that divides the extent needs no mask. The grid, the block sizes and the warps are attributes.

// CHECK-LABEL: tt.func public @exact(
// CHECK-SAME:    %x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32})
// CHECK-SAME:    attributes {fusir.grid = affine_map<() -> (4)>, fusir.num_warps = 4 : i32, fusir.num_stages = 1 : i32, fusir.constexprs = {XBLOCK = 1024 : i32}}
// CHECK:         [[BLOCK:%.*]] = arith.constant {fusir.name = "XBLOCK"} 1024 : i32
// CHECK-NEXT:    [[PID:%.*]] = tt.get_program_id x : i32
// CHECK-NEXT:    [[START:%.*]] = arith.muli [[PID]], [[BLOCK]] : i32
// CHECK-NEXT:    [[LANES:%.*]] = tt.make_range {fusir.name = "XBLOCK", start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
// CHECK-NEXT:    [[SPLAT:%.*]] = tt.splat [[START]]
// CHECK-NEXT:    [[I:%.*]] = arith.addi [[SPLAT]], [[LANES]] : tensor<1024xi32>
// CHECK:         [[P:%.*]] = tt.addptr %{{.*}}, [[I]]
// CHECK-NEXT:    [[A:%.*]] = tt.load [[P]] : tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT:    [[B:%.*]] = math.exp [[A]] : tensor<1024xf32>
// CHECK:         tt.store %{{.*}}, [[B]] : tensor<1024x!tt.ptr<f32>>
// CHECK-NEXT:    tt.return
loop.kernel @exact(%x: memref<4096xf32>, %y: memref<4096xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1024>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4096) axes ["x"] {
    %a = loop.load %x[%i] : memref<4096xf32>
    %b = math.exp %a : f32
    loop.store %b, %y[%i] : memref<4096xf32>
  }
}

// Otherwise loads and stores are masked.

// CHECK-LABEL: tt.func public @ragged(
// CHECK:         [[END:%.*]] = arith.constant 4000 : i32
// CHECK:         [[N:%.*]] = tt.splat [[END]]
// CHECK-NEXT:    [[MASK:%.*]] = arith.cmpi slt, %{{.*}}, [[N]] : tensor<1024xi32>
// CHECK:         [[A:%.*]] = tt.load %{{.*}}, [[MASK]], %{{.*}} : tensor<1024x!tt.ptr<f32>>
// CHECK:         tt.store %{{.*}}, [[A]], [[MASK]] : tensor<1024x!tt.ptr<f32>>
loop.kernel @ragged(%x: memref<4000xf32>, %y: memref<4000xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1024>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4000) axes ["x"] {
    %a = loop.load %x[%i] : memref<4000xf32>
    loop.store %a, %y[%i] : memref<4000xf32>
  }
}

// A symbolic extent is an argument, in the width of the indices, and always masked.

// CHECK-LABEL: tt.func public @symbolic(
// CHECK-SAME:    %s0: i64) attributes {fusir.grid = affine_map<()[s0] -> (((s0 + 63) floordiv 64))>
// CHECK:         [[PID:%.*]] = tt.get_program_id x : i32
// CHECK-NEXT:    arith.extsi [[PID]] : i32 to i64
// CHECK:         [[N:%.*]] = tt.splat %s0 : i64 -> tensor<64xi64>
// CHECK-NEXT:    [[MASK:%.*]] = arith.cmpi slt, %{{.*}}, [[N]] : tensor<64xi64>
// CHECK:         tt.load %{{.*}}, [[MASK]]
loop.kernel @symbolic(%x: memref<?xf32>, %y: memref<?xf32>, %s0: index) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 64> {
  loop.parallel (%i) in (%s0) axes ["x"] {
    %a = loop.load %x[%i] : memref<?xf32>
    loop.store %a, %y[%i] : memref<?xf32>
  }
}

// An axis of size 1 is a scalar.

// CHECK-LABEL: tt.func public @size_one(
// CHECK-SAME:    fusir.grid = affine_map<() -> (4)>, {{.*}} fusir.constexprs = {XBLOCK = 64 : i32}
// CHECK:         [[Y:%.*]] = tt.get_program_id x : i32
// CHECK:         [[ROW:%.*]] = arith.muli [[Y]], %{{.*}} : i32
// CHECK-NEXT:    tt.splat [[ROW]] : i32 -> tensor<64xi32>
loop.kernel @size_one(%x: memref<4x64xf32>, %y: memref<4x64xf32>) schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i, %j) in (4, 64) axes ["y", "x"] {
    %a = loop.load %x[%i, %j] : memref<4x64xf32>
    loop.store %a, %y[%i, %j] : memref<4x64xf32>
  }
}

// The last program axis varies fastest.

// CHECK-LABEL: tt.func public @two_program_axes(
// CHECK-SAME:    fusir.grid = affine_map<() -> (6)>
// CHECK:         [[PID:%.*]] = tt.get_program_id x : i32
// CHECK-NEXT:    arith.remsi [[PID]], [[TWO:%.*]] : i32
// CHECK:         arith.divsi [[PID]], [[TWO]] : i32
loop.kernel @two_program_axes(%x: memref<3x128xf32>, %y: memref<3x128xf32>) schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i, %j) in (3, 128) axes ["y", "x"] {
    %a = loop.load %x[%i, %j] : memref<3x128xf32>
    loop.store %a, %y[%i, %j] : memref<3x128xf32>
  }
}

// Dims that share an axis are quotients and remainders of its index; offsets are simplified.

// CHECK-LABEL: tt.func public @flattened(
// CHECK:         [[X:%.*]] = arith.addi
// CHECK:         tt.addptr %{{.*}}, [[X]]
// CHECK:         [[J:%.*]] = arith.remsi [[X]], %{{.*}} : tensor<64xi32>
// CHECK-NEXT:    [[B:%.*]] = tt.splat %b
// CHECK-NEXT:    tt.addptr [[B]], [[J]]
loop.kernel @flattened(%x: memref<4x32xf32>, %b: memref<32xf32>, %y: memref<4x32xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i, %j) in (4, 32) axes ["x", "x"] {
    %a = loop.load %x[%i, %j] : memref<4x32xf32>
    %c = loop.load %b[%j] : memref<32xf32>
    %d = arith.addf %a, %c : f32
    loop.store %d, %y[%i, %j] : memref<4x32xf32>
  }
}

// A value is a tensor over the axes that it depends on; unlike values meet by broadcast.

// CHECK-LABEL: tt.func public @tile_and_supports(
// CHECK:         [[E:%.*]] = math.exp %{{.*}} : tensor<64xf32>
// CHECK:         [[B:%.*]] = tt.load %{{.*}} : tensor<32x!tt.ptr<f32>>
// CHECK:         [[E1:%.*]] = tt.expand_dims [[E]] {axis = 1 : i32}
// CHECK-NEXT:    [[E2:%.*]] = tt.broadcast [[E1]] : tensor<64x1xf32> -> tensor<64x32xf32>
// CHECK-NEXT:    [[B1:%.*]] = tt.expand_dims [[B]] {axis = 0 : i32}
// CHECK-NEXT:    [[B2:%.*]] = tt.broadcast [[B1]] : tensor<1x32xf32> -> tensor<64x32xf32>
// CHECK-NEXT:    arith.addf [[E2]], [[B2]] : tensor<64x32xf32>
loop.kernel @tile_and_supports(%x: memref<64xf32>, %b: memref<32xf32>, %y: memref<64x32xf32>) schedule #loop.schedule<axes = [#loop.axis<"y", program, 64>, #loop.axis<"x", program, 32>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i, %j) in (64, 32) axes ["y", "x"] {
    %a = loop.load %x[%i] : memref<64xf32>
    %e = math.exp %a : f32
    %c = loop.load %b[%j] : memref<32xf32>
    %d = arith.addf %e, %c : f32
    loop.store %d, %y[%i, %j] : memref<64x32xf32>
  }
}

// A reduction along a tile axis: the identity in the lanes past the end, then one fold.

// CHECK-LABEL: tt.func public @persistent(
// CHECK:         [[MASK:%.*]] = arith.cmpi slt, %r, %{{.*}} : tensor<1024xi32>
// CHECK:         [[E:%.*]] = math.exp %{{.*}} : tensor<2x1024xf32>
// CHECK-NEXT:    [[ZERO:%.*]] = tt.splat %{{.*}} : f32 -> tensor<2x1024xf32>
// CHECK-NEXT:    [[T:%.*]] = arith.select %{{.*}}, [[E]], [[ZERO]] : tensor<2x1024xi1>, tensor<2x1024xf32>
// CHECK-NEXT:    [[R:%.*]] = "tt.reduce"([[T]]) <{axis = 1 : i32}> ({
// CHECK:           arith.addf
// CHECK:         }) : (tensor<2x1024xf32>) -> tensor<2xf32>
// CHECK:         tt.store %{{.*}}, [[R]]
loop.kernel @persistent(%x: memref<8x1000xf32>, %y: memref<8xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 2>, #loop.axis<"r", tile, 1024>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %r = loop.reduce [add] (%k) in (1000) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x1000xf32>
      %e = math.exp %a : f32
      loop.yield %e : f32
    }
    loop.store %r, %y[%i] : memref<8xf32>
  }
}

// A reduction along a loop axis: a tile of partial results, folded after the loop.

// CHECK-LABEL: tt.func public @looped(
// CHECK:         [[IDENTITY:%.*]] = tt.splat %{{.*}} : f32 -> tensor<1024xf32>
// CHECK-NEXT:    [[ACC:%.*]] = scf.for [[START:%.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args([[T:%.*]] = [[IDENTITY]]) -> (tensor<1024xf32>) : i32 {
// CHECK:           [[A:%.*]] = tt.load
// CHECK-NEXT:      [[S:%.*]] = arith.select %{{.*}}, [[A]], [[IDENTITY]]
// CHECK-NEXT:      [[M:%.*]] = arith.maximumf [[T]], [[S]] : tensor<1024xf32>
// CHECK-NEXT:      scf.yield [[M]] : tensor<1024xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    "tt.reduce"([[ACC]]) <{axis = 0 : i32}>
loop.kernel @looped(%x: memref<8x5000xf32>, %y: memref<8xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, 1024>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %r = loop.reduce [max] (%k) in (5000) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x5000xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<8xf32>
  }
}

// argmax folds pairs of value and index: NaN first, the smaller index of equals.

// CHECK-LABEL: tt.func public @argmax(
// CHECK:         [[P:%.*]] = arith.extsi %r : tensor<256xi32> to tensor<256xi64>
// CHECK-NEXT:    [[V:%.*]], [[AT:%.*]] = "tt.reduce"(%{{.*}}, [[P]]) <{axis = 0 : i32}> ({
// CHECK-NEXT:    ^bb0([[A:%.*]]: f32, [[I:%.*]]: i64, [[B:%.*]]: f32, [[J:%.*]]: i64):
// CHECK-NEXT:      arith.cmpi slt, [[I]], [[J]] : i64
// CHECK-NEXT:      arith.cmpf ogt, [[A]], [[B]] : f32
// CHECK-NEXT:      arith.cmpf oeq, [[A]], [[B]] : f32
// CHECK-NEXT:      arith.cmpf uno, [[A]], [[A]] : f32
// CHECK:           arith.select [[FIRST:%.*]], [[A]], [[B]] : f32
// CHECK-NEXT:      arith.select [[FIRST]], [[I]], [[J]] : i64
// CHECK:         tt.store %{{.*}}, [[AT]]
loop.kernel @argmax(%x: memref<8x256xf32>, %y: memref<8xi64>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 256>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %v, %r = loop.reduce [argmax] (%k) in (256) axes ["r"] -> f32, i64 {
      %a = loop.load %x[%i, %k] : memref<8x256xf32>
      %p = arith.index_cast %k : index to i64
      loop.yield %a, %p : f32, i64
    }
    loop.store %r, %y[%i] : memref<8xi64>
  }
}

// In a loop that walks the rows upwards the accumulator has the smaller index: it stays unless a value is better. Where
// every value is the least there is, index 0 is right; out of range only the value is masked.

// CHECK-LABEL: tt.func public @argmax_looped(
// CHECK-DAG:     [[ZERO:%.*]] = arith.constant 0 : i32
// CHECK-DAG:     [[LEAST:%.*]] = arith.constant 0xff800000 : f32
// CHECK:         [[LEASTS:%.*]] = tt.splat [[LEAST]] : f32 -> tensor<256xf32>
// CHECK-NEXT:    [[ZEROS:%.*]] = tt.splat [[ZERO]] : i32 -> tensor<256xi32>
// CHECK-NEXT:    scf.for %rstart = {{.*}} iter_args([[A:%.*]] = [[LEASTS]], [[I:%.*]] = [[ZEROS]]) ->
// CHECK:           [[B:%.*]] = arith.select %rmask, %a, [[LEASTS]]
// CHECK-NEXT:      [[NO_WORSE:%.*]] = arith.cmpf oge, [[A]], [[B]]
// CHECK-NEXT:      [[NAN:%.*]] = arith.cmpf uno, [[A]], [[A]]
// CHECK-NEXT:      [[STAYS:%.*]] = arith.ori [[NO_WORSE]], [[NAN]]
// CHECK-NEXT:      arith.select [[STAYS]], [[A]], [[B]]
// CHECK-NEXT:      arith.select [[STAYS]], [[I]], %r
// CHECK-NEXT:      scf.yield
// CHECK:         "tt.reduce"
// CHECK:           arith.cmpi slt
loop.kernel @argmax_looped(%x: memref<8x1000xf32>, %y: memref<8xi32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, 256>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %v, %r = loop.reduce [argmax] (%k) in (1000) axes ["r"] -> f32, i32 {
      %a = loop.load %x[%i, %k] : memref<8x1000xf32>
      %p = arith.index_cast %k : index to i32
      loop.yield %a, %p : f32, i32
    }
    loop.store %r, %y[%i] : memref<8xi32>
  }
}

// Downwards, the index decides between equals.

// CHECK-LABEL: tt.func public @argmin_backwards(
// CHECK:         scf.for
// CHECK:           arith.cmpi slt
// CHECK:           arith.cmpf olt
// CHECK:           scf.yield
loop.kernel @argmin_backwards(%x: memref<8x1024xf32>, %y: memref<8xi32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, 256>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %v, %r = loop.reduce [argmin] (%k) in (1024) axes ["r"] -> f32, i32 {
      %a = loop.load %x[%i, %k] : memref<8x1024xf32>
      %n = affine.apply affine_map<(d0) -> (d0 * -1 + 1023)>(%k)
      %p = arith.index_cast %n : index to i32
      loop.yield %a, %p : f32, i32
    }
    loop.store %r, %y[%i] : memref<8xi32>
  }
}

// Unsigned maximum of bytes; the identity is the least byte.

// CHECK-LABEL: tt.func public @unsigned(
// CHECK:         arith.constant 0 : i8
// CHECK:         "tt.reduce"
// CHECK:           arith.maxui %{{.*}}, %{{.*}} : i8
loop.kernel @unsigned(%x: memref<8x256xi8>, %y: memref<8xi8>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 256>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %r = loop.reduce [umax] (%k) in (256) axes ["r"] -> i8 {
      %a = loop.load %x[%i, %k] : memref<8x256xi8>
      loop.yield %a : i8
    }
    loop.store %r, %y[%i] : memref<8xi8>
  }
}

// Booleans are bytes in memory: not zero is true.

// CHECK-LABEL: tt.func public @booleans(
// CHECK-SAME:    %x: !tt.ptr<i8> {{.*}}, %y: !tt.ptr<i8>
// CHECK:         [[BYTE:%.*]] = tt.load %{{.*}} : tensor<64x!tt.ptr<i8>>
// CHECK:         [[A:%.*]] = arith.cmpi ne, [[BYTE]], %{{.*}} : tensor<64xi8>
// CHECK:         [[B:%.*]] = arith.xori [[A]], %{{.*}} : tensor<64xi1>
// CHECK-NEXT:    [[C:%.*]] = arith.extui [[B]] : tensor<64xi1> to tensor<64xi8>
// CHECK:         tt.store %{{.*}}, [[C]] : tensor<64x!tt.ptr<i8>>
loop.kernel @booleans(%x: memref<64xi1>, %y: memref<64xi1>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  %true = arith.constant true
  loop.parallel (%i) in (64) axes ["x"] {
    %a = loop.load %x[%i] : memref<64xi1>
    %b = arith.xori %a, %true : i1
    loop.store %b, %y[%i] : memref<64xi1>
  }
}

// Functions of half precision are computed in f32; arithmetic is not.

// CHECK-LABEL: tt.func public @half(
// CHECK:         [[A:%.*]] = tt.load
// CHECK-NEXT:    [[WIDE:%.*]] = arith.extf [[A]] : tensor<64xf16> to tensor<64xf32>
// CHECK-NEXT:    [[E:%.*]] = math.exp [[WIDE]] : tensor<64xf32>
// CHECK-NEXT:    [[B:%.*]] = arith.truncf [[E]] : tensor<64xf32> to tensor<64xf16>
// CHECK-NEXT:    arith.addf [[B]], [[A]] : tensor<64xf16>
loop.kernel @half(%x: memref<64xf16>, %y: memref<64xf16>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (64) axes ["x"] {
    %a = loop.load %x[%i] : memref<64xf16>
    %b = math.exp %a : f16
    %c = arith.addf %b, %a : f16
    loop.store %c, %y[%i] : memref<64xf16>
  }
}

// Functions that Triton does not have are calls of the device library.

// CHECK-LABEL: tt.func public @libm(
// CHECK:         tt.extern_elementwise %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"}
// CHECK:         tt.extern_elementwise %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_erfcf"}
// CHECK:         tt.precise_sqrt
// CHECK:         [[MINUS:%.*]] = tt.splat %{{.*}} : f32 -> tensor<64xf32>
// CHECK-NEXT:    arith.mulf %{{.*}}, [[MINUS]]
loop.kernel @libm(%x: memref<64xf32>, %y: memref<64xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (64) axes ["x"] {
    %a = loop.load %x[%i] : memref<64xf32>
    %b = math.tanh %a : f32
    %c = loop.libm "erfc"(%b) : (f32) -> f32
    %d = math.sqrt %c : f32
    %e = arith.negf %d : f32
    loop.store %e, %y[%i] : memref<64xf32>
  }
}

// An index from memory has 64 bits, and its predicate masks the load.

// CHECK-LABEL: tt.func public @gather(
// CHECK:         [[Q:%.*]] = tt.load %{{.*}} : !tt.ptr<i64>
// CHECK-NEXT:    [[IN:%.*]] = arith.cmpi slt, [[Q]], %{{.*}} : i64
// CHECK-NEXT:    arith.muli [[Q]], %{{.*}} : i64
// CHECK:         [[MASK:%.*]] = tt.splat [[IN]] : i1 -> tensor<32xi1>
// CHECK:         tt.load %{{.*}}, [[MASK]], %{{.*}} : tensor<32x!tt.ptr<f32>>
loop.kernel @gather(%x: memref<10x32xf32>, %p: memref<4xi64>, %y: memref<4x32xf32>) schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"x", program, 32>], num_warps = 4, num_stages = 1, index_bits = 32> {
  %ten = arith.constant 10 : index
  loop.parallel (%i, %j) in (4, 32) axes ["y", "x"] {
    %a = loop.load %p[%i] : memref<4xi64>
    %q = arith.index_cast %a : i64 to index
    %in = arith.cmpi slt, %q, %ten : index
    %c = loop.load %x[%q, %j] if %in : memref<10x32xf32>
    loop.store %c, %y[%i, %j] : memref<4x32xf32>
  }
}

// A loop without iterations reads nothing, and its reduction gives the identity.

// CHECK-LABEL: tt.func public @empty(
// CHECK:         [[ONE:%.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         [[NONE:%.*]] = arith.cmpi slt, [[ZERO:%.*]], [[ZERO]] : i32
// CHECK:         [[A:%.*]] = tt.load %{{.*}}, [[NONE]], %{{.*}} : !tt.ptr<f32>
// CHECK-NEXT:    [[R:%.*]] = arith.select [[NONE]], [[A]], [[ONE]] : f32
// CHECK:         [[T:%.*]] = tt.splat [[R]]
// CHECK-NEXT:    tt.store %{{.*}}, [[T]]
loop.kernel @empty(%x: memref<4x0xf32>, %y: memref<4xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 4>, #loop.axis<"r", tile, 1>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4) axes ["x"] {
    %r = loop.reduce [mul] (%k) in (0) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x0xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<4xf32>
  }
}

// Philox: what does not depend on the lane is computed as scalars.

// CHECK-LABEL: tt.func public @random(
// CHECK:         [[SEED:%.*]] = tt.load %s : !tt.ptr<i64>
// CHECK:         arith.trunci [[SEED]] : i64 to i32
// CHECK:         tt.mulhiui %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK:         tt.mulhiui %{{.*}}, %{{.*}} : i32
// CHECK:         [[W:%.*]] = arith.shrui %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK-NEXT:    [[F:%.*]] = arith.sitofp [[W]] : tensor<64xi32> to tensor<64xf32>
// CHECK:         arith.mulf [[F]], %{{.*}} : tensor<64xf32>
loop.kernel @random(%s: memref<i64>, %y: memref<64xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  %three = arith.constant 3 : i64
  loop.parallel (%i) in (64) axes ["x"] {
    %a = loop.load %s[] : memref<i64>
    %p = arith.index_cast %i : index to i64
    %c = loop.random %a, %three, %p
    loop.store %c, %y[%i] : memref<64xf32>
  }
}

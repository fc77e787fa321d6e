// RUN: fusir-opt %s | fusir-opt | filecheck %s
// RUN: fusir-opt %s --print-op-generic | fusir-opt | filecheck %s
// RUN: fusir-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// Every op: its own text and the generic text say the same.

tt.func public @types(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i8>, %x: tensor<4x!tt.ptr<bf16>>) attributes {fusir.num_warps = 4 : i64} {
  tt.return
}
// CHECK:      tt.func public @types(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i8>, %x: tensor<4x!tt.ptr<bf16>>) attributes {fusir.num_warps = 4 : i64} {
// CHECK-NEXT:   tt.return
// GENERIC:    "tt.func"() <{sym_name = "types", function_type = (!tt.ptr<f32>, {{.*}}) -> (), sym_visibility = "public", arg_attrs = [{tt.divisibility = 16 : i32}, {}, {}]}>

tt.func private @values(%a: i32) -> i32 {
  tt.return %a : i32
}
// CHECK:      tt.func private @values(%a: i32) -> i32 {
// CHECK-NEXT:   tt.return %a : i32

tt.func public @grid() {
  %x = tt.get_program_id x : i32
  %y = tt.get_program_id y : i32
  %n = tt.get_num_programs z : i32
  tt.return
}
// CHECK-LABEL: @grid
// CHECK:      %x = tt.get_program_id x : i32
// CHECK-NEXT: %y = tt.get_program_id y : i32
// CHECK-NEXT: %n = tt.get_num_programs z : i32
// GENERIC:    "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32

tt.func public @shapes(%s: f32) {
  %range = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "XBLOCK"} : tensor<64xi32>
  %splat = tt.splat %s : f32 -> tensor<4x8xf32>
  %expand = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %broadcast = tt.broadcast %expand : tensor<64x1xi32> -> tensor<64x16xi32>
  %reshape = tt.reshape %splat : tensor<4x8xf32> -> tensor<32xf32>
  %reorder = tt.reshape %splat allow_reorder : tensor<4x8xf32> -> tensor<2x16xf32>
  %trans = tt.trans %splat {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
  %join = tt.join %reshape, %reshape : tensor<32xf32> -> tensor<32x2xf32>
  %lhs, %rhs = tt.split %join : tensor<32x2xf32> -> tensor<32xf32>
  %cat = tt.cat %lhs, %rhs : tensor<32xf32> -> tensor<64xf32>
  %one = tt.splat %s : f32 -> tensor<1xf32>
  %scalar = tt.unsplat %one : tensor<1xf32>
  %histogram = tt.histogram %range : tensor<64xi32> -> tensor<16xi32>
  %gather = tt.gather %cat[%range] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  tt.return
}
// CHECK-LABEL: @shapes
// CHECK:      %range = tt.make_range {{{.*}}} : tensor<64xi32>
// CHECK-NEXT: %splat = tt.splat %s : f32 -> tensor<4x8xf32>
// CHECK-NEXT: %expand = tt.expand_dims %range {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
// CHECK-NEXT: %broadcast = tt.broadcast %expand : tensor<64x1xi32> -> tensor<64x16xi32>
// CHECK-NEXT: %reshape = tt.reshape %splat : tensor<4x8xf32> -> tensor<32xf32>
// CHECK-NEXT: %reorder = tt.reshape %splat allow_reorder : tensor<4x8xf32> -> tensor<2x16xf32>
// CHECK-NEXT: %trans = tt.trans %splat {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<8x4xf32>
// CHECK-NEXT: %join = tt.join %reshape, %reshape : tensor<32xf32> -> tensor<32x2xf32>
// CHECK-NEXT: %lhs, %rhs = tt.split %join : tensor<32x2xf32> -> tensor<32xf32>
// CHECK-NEXT: %cat = tt.cat %lhs, %rhs : tensor<32xf32> -> tensor<64xf32>
// CHECK:      %scalar = tt.unsplat %one : tensor<1xf32>
// CHECK-NEXT: %histogram = tt.histogram %range : tensor<64xi32> -> tensor<16xi32>
// CHECK-NEXT: %gather = tt.gather %cat[%range] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
// GENERIC:    "tt.trans"(%splat) <{order = array<i32: 1, 0>}>

tt.func public @elementwise(%f: tensor<4xf32>, %i: tensor<4xi64>, %s: f64) {
  %ptr = tt.int_to_ptr %i : tensor<4xi64> -> tensor<4x!tt.ptr<f32>>
  %int = tt.ptr_to_int %ptr : tensor<4x!tt.ptr<f32>> -> tensor<4xi64>
  %bits = tt.bitcast %f : tensor<4xf32> -> tensor<4xi32>
  %f8 = tt.fp_to_fp %f, rounding = rtne : tensor<4xf32> -> tensor<4xf8E5M2>
  %bf = tt.fp_to_fp %f, rounding = rtz : tensor<4xf32> -> tensor<4xbf16>
  %wide = tt.fp_to_fp %f8 : tensor<4xf8E5M2> -> tensor<4xf32>
  %clamp = tt.clampf %f, %wide, %f, propagateNan = none : tensor<4xf32>
  %clampn = tt.clampf %s, %s, %s, propagateNan = all : f64
  %sqrt = tt.precise_sqrt %f : tensor<4xf32>
  %div = tt.precise_divf %f, %sqrt : tensor<4xf32>
  %hi = tt.mulhiui %bits, %bits : tensor<4xi32>
  %tanh = tt.extern_elementwise %f {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<4xf32>) -> tensor<4xf32>
  tt.return
}
// CHECK-LABEL: @elementwise
// CHECK:      %ptr = tt.int_to_ptr %i : tensor<4xi64> -> tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: %int = tt.ptr_to_int %ptr : tensor<4x!tt.ptr<f32>> -> tensor<4xi64>
// CHECK-NEXT: %bits = tt.bitcast %f : tensor<4xf32> -> tensor<4xi32>
// CHECK-NEXT: %f8 = tt.fp_to_fp %f, rounding = rtne : tensor<4xf32> -> tensor<4xf8E5M2>
// CHECK-NEXT: %bf = tt.fp_to_fp %f, rounding = rtz : tensor<4xf32> -> tensor<4xbf16>
// CHECK-NEXT: %wide = tt.fp_to_fp %f8 : tensor<4xf8E5M2> -> tensor<4xf32>
// CHECK-NEXT: %clamp = tt.clampf %f, %wide, %f, propagateNan = none : tensor<4xf32>
// CHECK-NEXT: %clampn = tt.clampf %s, %s, %s, propagateNan = all : f64
// CHECK-NEXT: %sqrt = tt.precise_sqrt %f : tensor<4xf32>
// CHECK-NEXT: %div = tt.precise_divf %f, %sqrt : tensor<4xf32>
// CHECK-NEXT: %hi = tt.mulhiui %bits, %bits : tensor<4xi32>
// CHECK-NEXT: %tanh = tt.extern_elementwise %f {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<4xf32>) -> tensor<4xf32>
// GENERIC:    "tt.fp_to_fp"(%f) <{rounding = 1 : i32}>
// GENERIC:    "tt.clampf"(%f, %wide, %f) <{propagateNan = 0 : i32}>
// GENERIC:    "tt.clampf"(%s, %s, %s) <{propagateNan = 65535 : i32}>

tt.func public @memory(%p: !tt.ptr<f32>, %i: tensor<4xi32>, %m: tensor<4xi1>, %o: tensor<4xf32>, %c: !tt.ptr<i32>, %k: i32) {
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %q = tt.addptr %ps, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %plain = tt.load %p : !tt.ptr<f32>
  %masked = tt.load %q, %m : tensor<4x!tt.ptr<f32>>
  %other = tt.load %q, %m, %o cacheModifier = cg evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
  %volatile = tt.load %q {isVolatile = true} : tensor<4x!tt.ptr<f32>>
  tt.store %p, %plain : !tt.ptr<f32>
  tt.store %q, %masked, %m cacheModifier = wt evictionPolicy = evict_last : tensor<4x!tt.ptr<f32>>
  %add = tt.atomic_rmw fadd, acq_rel, gpu, %q, %o, %m : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
  %max = tt.atomic_rmw umax, relaxed, sys, %c, %k : (!tt.ptr<i32>, i32) -> i32
  %cas = tt.atomic_cas acquire, cta, %c, %k, %max : (!tt.ptr<i32>, i32, i32) -> i32
  tt.assert %m, "out of range" : tensor<4xi1>
  tt.return
}
// CHECK-LABEL: @memory
// CHECK:      %q = tt.addptr %ps, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
// CHECK-NEXT: %plain = tt.load %p : !tt.ptr<f32>
// CHECK-NEXT: %masked = tt.load %q, %m : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: %other = tt.load %q, %m, %o cacheModifier = cg evictionPolicy = evict_first : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: %volatile = tt.load %q {isVolatile = true} : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: tt.store %p, %plain : !tt.ptr<f32>
// CHECK-NEXT: tt.store %q, %masked, %m cacheModifier = wt evictionPolicy = evict_last : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: %add = tt.atomic_rmw fadd, acq_rel, gpu, %q, %o, %m : (tensor<4x!tt.ptr<f32>>, tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>
// CHECK-NEXT: %max = tt.atomic_rmw umax, relaxed, sys, %c, %k : (!tt.ptr<i32>, i32) -> i32
// CHECK-NEXT: %cas = tt.atomic_cas acquire, cta, %c, %k, %max : (!tt.ptr<i32>, i32, i32) -> i32
// CHECK-NEXT: tt.assert %m, "out of range" : tensor<4xi1>
// GENERIC:    "tt.load"(%q, %m, %o) <{cache = 3 : i32, evict = 2 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1>}>
// GENERIC:    "tt.atomic_rmw"(%q, %o, %m) <{atomic_rmw_op = 5 : i32, sem = 4 : i32, scope = 1 : i32}>

tt.func public @combine(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %a: tensor<16x16xf32>, %h: tensor<2x16x16xf16>, %c: tensor<2x16x16xf32>) {
  %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x8xf32>) -> tensor<4xf32>
  %all = "tt.reduce"(%sum) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.addf %l, %r : f32
    tt.reduce.return %s : f32
  }) : (tensor<4xf32>) -> f32
  %two:2 = "tt.reduce"(%x, %i) <{axis = 0 : i32}> ({
  ^bb0(%l: f32, %li: i32, %r: f32, %ri: i32):
    %g = arith.cmpf ogt, %l, %r : f32
    %v = arith.select %g, %l, %r : f32
    %w = arith.select %g, %li, %ri : i32
    tt.reduce.return %v, %w : f32, i32
  }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  %scan = "tt.scan"(%x) <{axis = 1 : i32, reverse = true}> ({
  ^bb0(%l: f32, %r: f32):
    %s = arith.mulf %l, %r : f32
    tt.scan.return %s : f32
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %dot = tt.dot %a, %a, %a, inputPrecision = tf32x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %batch = tt.dot %h, %h, %c : tensor<2x16x16xf16> * tensor<2x16x16xf16> -> tensor<2x16x16xf32>
  tt.return
}
// CHECK-LABEL: @combine
// CHECK:      %sum = "tt.reduce"(%x) <{axis = 1 : i32}> ({
// CHECK-NEXT: ^bb{{.*}}(%l: f32, %r: f32):
// CHECK-NEXT:   %s = arith.addf %l, %r : f32
// CHECK-NEXT:   tt.reduce.return %s : f32
// CHECK-NEXT: }) : (tensor<4x8xf32>) -> tensor<4xf32>
// CHECK:      (tensor<4xf32>) -> f32
// CHECK:      tt.reduce.return %v, %w : f32, i32
// CHECK-NEXT: }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
// CHECK:      "tt.scan"(%x) <{axis = 1 : i32, reverse = true}>
// CHECK:      tt.scan.return
// CHECK:      %dot = tt.dot %a, %a, %a, inputPrecision = tf32x3 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
// CHECK-NEXT: %batch = tt.dot %h, %h, %c : tensor<2x16x16xf16> * tensor<2x16x16xf16> -> tensor<2x16x16xf32>
// GENERIC:    "tt.dot"(%a, %a, %a) <{inputPrecision = 1 : i32}>

tt.func public @wait(%c: !tt.ptr<i32>, %n: i32, %zero: i32) {
  scf.while () : () -> () {
    %arrived = tt.atomic_rmw add, acquire, gpu, %c, %zero : (!tt.ptr<i32>, i32) -> i32
    %early = arith.cmpi slt, %arrived, %n : i32
    scf.condition(%early)
  } do {
    scf.yield
  }
  tt.return
}
// CHECK-LABEL: @wait
// CHECK:      scf.while () : () -> () {
// CHECK-NEXT:   %arrived = tt.atomic_rmw add, acquire, gpu, %c, %zero : (!tt.ptr<i32>, i32) -> i32
// CHECK-NEXT:   %early = arith.cmpi slt, %arrived, %n : i32
// CHECK-NEXT:   scf.condition(%early)
// CHECK-NEXT: } do {
// CHECK-NEXT:   scf.yield
// CHECK-NEXT: }

tt.func public @same(%x: tensor<4xbf16>) {
  %y = tt.elementwise_inline_asm "" {constraints = "=r,0", packed_element = 2 : i32, pure = true} %x : tensor<4xbf16> -> tensor<4xbf16>
  tt.return
}
// CHECK-LABEL: @same
// CHECK:      %y = tt.elementwise_inline_asm "" {constraints = "=r,0", packed_element = 2 : i32, pure = true} %x : tensor<4xbf16> -> tensor<4xbf16>

tt.func public @descriptors(%p: !tt.ptr<bf16>, %m: i32, %n: i32, %s: i64, %i: i32) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %one] : <bf16>, <tensor<16x32xbf16>>
  %x = tt.descriptor_load %d[%i, %m] : !tt.tensordesc<tensor<16x32xbf16>> -> tensor<16x32xbf16>
  %y = tt.descriptor_load %d[%i, %m] cacheModifier = cg evictionPolicy = evict_last {tt.a = 1 : i32} : !tt.tensordesc<tensor<16x32xbf16>> -> tensor<16x32xbf16>
  tt.descriptor_store %d[%m, %i], %y : !tt.tensordesc<tensor<16x32xbf16>>, tensor<16x32xbf16>
  %nan = tt.make_tensor_descriptor %p, [%n], [%one] {padding = 2 : i32} : !tt.ptr<bf16>, !tt.tensordesc<tensor<32xbf16>>
  tt.return
}
// CHECK-LABEL: @descriptors
// CHECK:      %d = tt.make_tensor_descriptor %p, [%m, %n], [%s, %one] : <bf16>, <tensor<16x32xbf16>>
// CHECK-NEXT: %x = tt.descriptor_load %d[%i, %m] : !tt.tensordesc<tensor<16x32xbf16>> -> tensor<16x32xbf16>
// CHECK-NEXT: %y = tt.descriptor_load %d[%i, %m] cacheModifier = cg evictionPolicy = evict_last {tt.a = 1 : i32} : !tt.tensordesc<tensor<16x32xbf16>> -> tensor<16x32xbf16>
// CHECK-NEXT: tt.descriptor_store %d[%m, %i], %y : !tt.tensordesc<tensor<16x32xbf16>>, tensor<16x32xbf16>
// CHECK-NEXT: %nan = tt.make_tensor_descriptor %p, [%n], [%one] {padding = 2 : i32} : <bf16>, <tensor<32xbf16>>
// GENERIC:    "tt.make_tensor_descriptor"(%p, %n, %one) <{padding = 2 : i32}>

tt.func public @batches(%q: !tt.ptr<i8>, %m: i32, %n: i32, %s: i64, %i: i32) {
  %one = arith.constant 1 : i64
  %b = tt.make_tensor_descriptor %q, [%m, %m, %n], [%s, %s, %one] : <i8>, <tensor<1x16x32xsi8>>
  %z = tt.descriptor_load %b[%i, %m, %n] : !tt.tensordesc<tensor<1x16x32xsi8>> -> tensor<16x32xi8>
  tt.descriptor_store %b[%i, %m, %n], %z : !tt.tensordesc<tensor<1x16x32xsi8>>, tensor<16x32xi8>
  tt.return
}
// CHECK-LABEL: @batches
// CHECK:      %b = tt.make_tensor_descriptor %q, [%m, %m, %n], [%s, %s, %one] : <i8>, <tensor<1x16x32xsi8>>
// CHECK-NEXT: %z = tt.descriptor_load %b[%i, %m, %n] : !tt.tensordesc<tensor<1x16x32xsi8>> -> tensor<16x32xi8>
// CHECK-NEXT: tt.descriptor_store %b[%i, %m, %n], %z : !tt.tensordesc<tensor<1x16x32xsi8>>, tensor<16x32xi8>

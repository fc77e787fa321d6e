// RUN: fusir-opt %s -t triton | filecheck %s

// CHECK-LABEL: def _recomputed(x):
// CHECK:           return tl.inline_asm_elementwise("", "=r,0", [x], dtype=x.dtype, is_pure=True, pack=2)

// A looped reduction with two carried values that depend on each other, a pipelined matmul loop, and a branch.

tt.func public @online(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) attributes {fusir.constexprs = {RBLOCK = 256 : i64}} {
  %c0 = arith.constant 0 : i32
  %block = arith.constant {fusir.name = "RBLOCK"} 256 : i32
  %r = tt.make_range {end = 256 : i32, start = 0 : i32, fusir.name = "RBLOCK"} : tensor<256xi32>
  %low = arith.constant dense<0xFF800000> : tensor<256xf32>
  %zero = arith.constant dense<0.0> : tensor<256xf32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %sn = tt.splat %n : i32 -> tensor<256xi32>
  %res:2 = scf.for %k = %c0 to %n step %block iter_args(%m = %low, %s = %zero) -> (tensor<256xf32>, tensor<256xf32>) : i32 {
    %sk = tt.splat %k : i32 -> tensor<256xi32>
    %rindex = arith.addi %sk, %r : tensor<256xi32>
    %rmask = arith.cmpi slt, %rindex, %sn : tensor<256xi32>
    %q = tt.addptr %p, %rindex : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v = tt.load %q, %rmask, %low : tensor<256x!tt.ptr<f32>>
    %nm = arith.maximumf %m, %v : tensor<256xf32>
    %d = arith.subf %m, %nm : tensor<256xf32>
    %e = math.exp2 %d : tensor<256xf32>
    %f = arith.mulf %s, %e : tensor<256xf32>
    %g = arith.subf %v, %nm : tensor<256xf32>
    %h = math.exp2 %g : tensor<256xf32>
    %ns = arith.addf %f, %h : tensor<256xf32>
    scf.yield %nm, %ns : tensor<256xf32>, tensor<256xf32>
  }
  %o = tt.splat %out : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
  %oq = tt.addptr %o, %r : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
  %sum = arith.addf %res#0, %res#1 : tensor<256xf32>
  tt.store %oq, %sum : tensor<256x!tt.ptr<f32>>
  %few = arith.cmpi slt, %n, %block : i32
  %scale = scf.if %few -> (f32) {
    %one = arith.constant 1.0 : f32
    scf.yield %one : f32
  } else {
    %nf = arith.sitofp %n : i32 to f32
    scf.yield %nf : f32
  }
  scf.if %few {
    tt.store %out, %scale : !tt.ptr<f32>
  }
  tt.return
}

// CHECK-LABEL: def online(
// CHECK:           m = tl.full([RBLOCK], float("-inf"), tl.float32)
// CHECK-NEXT:      s = tl.full([RBLOCK], 0.0, tl.float32)
// CHECK-NEXT:      for k in range(0, n, RBLOCK):
// CHECK:               rindex = k + r
// CHECK:               nm = tl.maximum(m, v, propagate_nan=tl.PropagateNan.ALL)
// CHECK:               m = nm
// CHECK-NEXT:          s = ns
// CHECK:           tl.store(out_ptr + r, sum_1)
// CHECK:           if few:
// CHECK-NEXT:          scale = tl.full([], 1.0, tl.float32)
// CHECK-NEXT:      else:
// CHECK:               scale = nf
// CHECK-NEXT:      if few:
// CHECK-NEXT:          tl.store(out_ptr, scale)

tt.func public @matmul(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %k: i32) attributes {fusir.num_stages = 3 : i64} {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %i = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %i0 = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %i1 = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %ld = arith.constant dense<32> : tensor<32x1xi32>
  %row = arith.muli %i0, %ld : tensor<32x1xi32>
  %rowb = tt.broadcast %row : tensor<32x1xi32> -> tensor<32x32xi32>
  %colb = tt.broadcast %i1 : tensor<1x32xi32> -> tensor<32x32xi32>
  %o = arith.addi %rowb, %colb : tensor<32x32xi32>
  %pa = tt.splat %a : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %qa = tt.addptr %pa, %o : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %pb = tt.splat %b : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %qb = tt.addptr %pb, %o : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %zero = arith.constant dense<0.0> : tensor<32x32xf32>
  %acc:3 = scf.for %kk = %c0 to %k step %c32 iter_args(%s = %zero, %ra = %qa, %rb = %qb) -> (tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>) : i32 {
    %va = tt.load %ra : tensor<32x32x!tt.ptr<f16>>
    %vb = tt.load %rb : tensor<32x32x!tt.ptr<f16>>
    %d = tt.dot %va, %vb, %s : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
    %fa = arith.extf %va : tensor<32x32xf16> to tensor<32x32xf32>
    %e = tt.dot %fa, %fa, %d, inputPrecision = tf32x3 : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
    %step = arith.constant dense<32> : tensor<32x32xi32>
    %na = tt.addptr %ra, %step : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    %nb = tt.addptr %rb, %step : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
    scf.yield %e, %na, %nb : tensor<32x32xf32>, tensor<32x32x!tt.ptr<f16>>, tensor<32x32x!tt.ptr<f16>>
  } {tt.num_stages = 3 : i32}
  %pc = tt.splat %c : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %qc = tt.addptr %pc, %o : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  tt.store %qc, %acc#0 : tensor<32x32x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: def matmul(
// CHECK:           for kk in tl.range(0, k, 32, num_stages=3):
// CHECK:               d = tl.dot(va, vb, s)
// CHECK:               s = tl.dot({{.*}}, {{.*}}, d, input_precision="tf32x3")
// CHECK-NEXT:          ra = ra + 32

// A loop that waits for other programs; the number that it counts is no tile.

tt.func public @exchange(%c: !tt.ptr<i32>, %x: !tt.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 3 : i32
  %pid = tt.atomic_rmw add, relaxed, gpu, %c, %c1 {fusir.ticket} : (!tt.ptr<i32>, i32) -> i32
  %counter = tt.addptr %c, %c1 : !tt.ptr<i32>, i32
  %old = tt.atomic_rmw add, release, gpu, %counter, %c1 : (!tt.ptr<i32>, i32) -> i32
  scf.while () : () -> () {
    %arrived = tt.atomic_rmw add, acquire, gpu, %counter, %c0 : (!tt.ptr<i32>, i32) -> i32
    %early = arith.cmpi slt, %arrived, %n : i32
    scf.condition(%early)
  } do {
    scf.yield
  }
  %p = tt.addptr %x, %pid : !tt.ptr<f32>, i32
  %v = tt.load %p cacheModifier = cg : !tt.ptr<f32>
  tt.store %p, %v : !tt.ptr<f32>
  tt.return
}
// CHECK-LABEL: def exchange(c_ptr, x_ptr):
// CHECK-NEXT:    pid = tl.atomic_add(c_ptr, 1, sem="relaxed")
// CHECK-NEXT:    counter = c_ptr + 1
// CHECK-NEXT:    tl.atomic_add(counter, 1, sem="release")
// CHECK-NEXT:    while tl.atomic_add(counter, 0, sem="acquire") < 3:
// CHECK-NEXT:        pass
// CHECK-NEXT:    p = x_ptr + pid
// CHECK-NEXT:    v = tl.load(p, cache_modifier=".cg")

// What is computed of the halves is computed again.

tt.func public @again(%x: !tt.ptr<f16>, %y: !tt.ptr<f32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %p = tt.addptr %xs, %r : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %v = tt.load %p : tensor<64x!tt.ptr<f16>>
  %w = tt.elementwise_inline_asm "" {constraints = "=r,0", packed_element = 2 : i32, pure = true} %v : tensor<64xf16> -> tensor<64xf16>
  %e = arith.extf %w : tensor<64xf16> to tensor<64xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %q = tt.addptr %ys, %r : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %q, %e : tensor<64x!tt.ptr<f32>>
  tt.return
}
// CHECK-LABEL: def again(x_ptr, y_ptr):
// CHECK:         w = _recomputed(v)
// CHECK-NEXT:    tl.store(y_ptr + {{.*}}, w.to(tl.float32))

// RUN: fusir-opt %s | filecheck %s
// RUN: fusir-opt %s | fusir-opt | filecheck %s
// RUN: fusir-opt %s --print-op-generic | fusir-opt | filecheck %s

// CHECK-LABEL: loop.kernel @all(%x: memref<4x8xf32>, %y: memref<4x8xf32, strided<[16, 2]>>, %out: memref<4xf32>, %arg: memref<4xi64>) {
loop.kernel @all(%x: memref<4x8xf32>, %y: memref<4x8xf32, strided<[16, 2]>>, %out: memref<4xf32>, %arg: memref<4xi64>) {
  %zero = arith.constant 0.0 : f32
  // CHECK: %t = loop.local : memref<4x8xf32>
  %t = loop.local : memref<4x8xf32>
  // CHECK: loop.parallel (%i, %j) in (4, 8) {
  loop.parallel (%i, %j) in (4, 8) {
    %in = arith.cmpi slt, %j, %i : index
    // CHECK: loop.load %x[%i, %j] : memref<4x8xf32>
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    // CHECK: loop.load %y[%i, %j * -1 + 7] : memref<4x8xf32, strided<[16, 2]>>
    %b = loop.load %y[%i, 7 - %j] : memref<4x8xf32, strided<[16, 2]>>
    // CHECK: loop.load %x[%i, (%j + 1) floordiv 2] if %in : memref<4x8xf32>
    %c = loop.load %x[%i, (%j + 1) floordiv 2] if %in : memref<4x8xf32>
    // CHECK: loop.load %x[%i, %j mod 3] if %in else %zero : memref<4x8xf32>
    %d = loop.load %x[%i, %j mod 3] if %in else %zero : memref<4x8xf32>
    // CHECK: loop.libm "fmod"(%a, %b) : (f32, f32) -> f32
    %e = loop.libm "fmod"(%a, %b) : (f32, f32) -> f32
    // CHECK: loop.store %e, %t[%i, %j] if %in : memref<4x8xf32>
    loop.store %e, %t[%i, %j] if %in : memref<4x8xf32>
  }
  // CHECK: loop.parallel (%i2) in (4) {
  loop.parallel (%i2) in (4) {
    // CHECK: %s, %m, %at = loop.reduce [add, argmax] (%k) in (8) -> f32, f32, i64 {
    %s, %m, %at = loop.reduce [add, argmax] (%k) in (8) -> f32, f32, i64 {
      %v = loop.load %t[%i2, %k] : memref<4x8xf32>
      %n = arith.index_cast %k : index to i64
      // CHECK: loop.yield %v, %v, %n : f32, f32, i64
      loop.yield %v, %v, %n : f32, f32, i64
    }
    // CHECK: loop.random %at, %at, %at
    %r = loop.random %at, %at, %at
    %sr = arith.addf %s, %r : f32
    loop.store %sr, %out[%i2] : memref<4xf32>
    loop.store %at, %arg[%i2] : memref<4xi64>
  }
}

// CHECK-LABEL: loop.kernel @symbolic(%x: memref<?x?xf32, #loop.strided<[s1 * 2, 1]>>, %out: memref<?xf32>, %s0: index, %s1: index) {
loop.kernel @symbolic(%x: memref<?x?xf32, #loop.strided<[s1 * 2, 1]>>, %out: memref<?xf32>, %s0: index, %s1: index) {
  // CHECK: loop.parallel (%i) in (%s0) {
  loop.parallel (%i) in (%s0) {
    // CHECK: loop.reduce [max] (%k) in (%s1 * 2) -> f32 {
    %m = loop.reduce [max] (%k) in (%s1 * 2) -> f32 {
      // CHECK: loop.load %x[%i, %k + %s0 * %k - 3] : memref<?x?xf32, #loop.strided<[s1 * 2, 1]>>
      %v = loop.load %x[%i, %k + %s0 * %k - 3] : memref<?x?xf32, #loop.strided<[s1 * 2, 1]>>
      loop.yield %v : f32
    }
    loop.store %m, %out[%i] : memref<?xf32>
  }
}

// CHECK-LABEL: loop.kernel @scheduled(%x: memref<64xi1>, %out: memref<64xi1>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 32>, #loop.axis<"r", loop, 8>], num_warps = 2, num_stages = 1, index_bits = 32> {
loop.kernel @scheduled(%x: memref<64xi1>, %out: memref<64xi1>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 32>, #loop.axis<"r", loop, 8>], num_warps = 2, num_stages = 1, index_bits = 32> {
  // CHECK: loop.parallel (%i) in (64) axes ["x"] {
  loop.parallel (%i) in (64) axes ["x"] {
    // CHECK: loop.reduce [or] (%k, %l) in (4, 2) axes ["r", "r"] -> i1 {
    %o = loop.reduce [or] (%k, %l) in (4, 2) axes ["r", "r"] -> i1 {
      %v = loop.load %x[%i] : memref<64xi1>
      loop.yield %v : i1
    }
    loop.store %o, %out[%i] : memref<64xi1>
  }
}

// CHECK-LABEL: loop.kernel @segments(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 64, groups of 8 from affine_map<(d0) -> ((d0 * 65))>>], num_warps = 1,
loop.kernel @segments(%x: memref<4x65xbf16>, %out: memref<4x65xbf16>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 64, groups of 8 from affine_map<(d0) -> (d0 * 65)>>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (4) axes ["x"] {
    loop.parallel (%k) in (65) axes ["r"] {
      %v = loop.load %x[%i, %k] : memref<4x65xbf16>
      loop.store %v, %out[%i, %k] : memref<4x65xbf16>
    }
  }
}

// CHECK-LABEL: loop.kernel @scan(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
loop.kernel @scan(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  loop.parallel (%i) in (4) {
    // CHECK: loop.scan (%k, %l) in (4, 2) {
    loop.scan (%k, %l) in (4, 2) {
      %v = loop.load %x[%i, %k * 2 + %l] : memref<4x8xf32>
      // CHECK: %p = loop.prefix add %v : f32
      %p = loop.prefix add %v : f32
      // CHECK-NEXT: %m = loop.prefix max %p : f32
      %m = loop.prefix max %p : f32
      loop.store %m, %y[%i, %k * 2 + %l] : memref<4x8xf32>
    }
    // CHECK: loop.scan reverse (%r) in (8) {
    loop.scan reverse (%r) in (8) {
      // CHECK-NEXT: }
    }
  }
}

// CHECK-LABEL: loop.kernel @scheduled_scan
loop.kernel @scheduled_scan(%x: memref<64xi32>) schedule #loop.schedule<axes = [#loop.axis<"r", loop, 8>], num_warps = 2, num_stages = 1, index_bits = 32> {
  // CHECK: loop.scan reverse (%i) in (64) axes ["r"] {
  loop.scan reverse (%i) in (64) axes ["r"] {
    %v = loop.load %x[%i] : memref<64xi32>
    // CHECK: loop.prefix umin %v : i32
    %p = loop.prefix umin %v : i32
    loop.store %p, %x[%i] : memref<64xi32>
  }
}

// CHECK-LABEL: loop.kernel @online
loop.kernel @online(%x: memref<4x8xf32>, %y: memref<4xf32>, %at: memref<4xi64>) {
  %low = arith.constant 0xff800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %none = arith.constant 0 : i64
  loop.parallel (%i) in (4) {
    // CHECK: %m, %p, %s = loop.online (%k, %l) in (4, 2) carry (%m0 = %low, %p0 = %none, %s0 = %zero) -> f32, i64, f32 {
    %m, %p, %s = loop.online (%k, %l) in (4, 2) carry (%m0 = %low, %p0 = %none, %s0 = %zero) -> f32, i64, f32 {
      %v = loop.load %x[%i, %k * 2 + %l] : memref<4x8xf32>
      %place = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%k, %l)
      %j = arith.index_cast %place : index to i64
      // CHECK: %b, %q = loop.fold argmax %v, %j : f32, i64
      %b, %q = loop.fold argmax %v, %j : f32, i64
      %i32 = arith.index_cast %place : index to i32
      // CHECK: loop.fold last_argmin %v, %i32 : f32, i32
      %u, %w = loop.fold last_argmin %v, %i32 : f32, i32
      // CHECK-NEXT: %n = loop.walked
      %n = loop.walked
      %c = arith.index_cast %n : index to i64
      %f = arith.sitofp %c : i64 to f32
      // CHECK: loop.yield %b, %q, %f : f32, i64, f32
      loop.yield %b, %q, %f : f32, i64, f32
    }
    loop.store %s, %y[%i] : memref<4xf32>
    loop.store %p, %at[%i] : memref<4xi64>
  }
}

// A walk over each part of the iterations, and the results of what they end with.
// CHECK-LABEL: loop.kernel @merged
loop.kernel @merged(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %low = arith.constant 0xff800000 : f32
  %zero = arith.constant 0.000000e+00 : f32
  loop.parallel (%i) in (4) {
    %m, %s = loop.online (%k) in (8) carry (%m0 = %low, %s0 = %zero) -> f32, f32 {
      %v = loop.load %x[%i, %k] : memref<4x8xf32>
      %b = loop.fold max %v : f32
      %m1 = arith.maximumf %m0, %b : f32
      %c = loop.fold add %v : f32
      %s1 = arith.addf %s0, %c : f32
      loop.yield %m1, %s1 : f32, f32
    // CHECK: } merge (%mp, %sp) {
    } merge (%mp, %sp) {
      // CHECK-NEXT: %m2 = loop.fold max %mp : f32
      %m2 = loop.fold max %mp : f32
      %s2 = loop.fold add %sp : f32
      // CHECK: loop.yield %m2, %s2 : f32, f32
      loop.yield %m2, %s2 : f32, f32
    // CHECK-NEXT: } {note = 1 : i64}
    } {note = 1 : i64}
    loop.store %s, %y[%i] : memref<4xf32>
  }
}

// CHECK-LABEL: loop.kernel @scheduled_online
loop.kernel @scheduled_online(%x: memref<?xf32, #loop.strided<[1]>>, %y: memref<1xf32>, %s0: index) schedule #loop.schedule<axes = [#loop.axis<"r", loop, 8>], num_warps = 2, num_stages = 1, index_bits = 64> {
  %zero = arith.constant 0.000000e+00 : f32
  // CHECK: %s = loop.online (%k) in (%s0) axes ["r"] carry (%a = %zero) -> f32 {
  %s = loop.online (%k) in (%s0) axes ["r"] carry (%a = %zero) -> f32 {
    %v = loop.load %x[%k] : memref<?xf32, #loop.strided<[1]>>
    // CHECK: loop.fold add %v : f32
    %b = loop.fold add %v : f32
    %c = arith.addf %a, %b : f32
    loop.yield %c : f32
  }
}

// CHECK-LABEL: loop.kernel @shared
// CHECK-SAME: #loop.axis<"r", shared, 16>
loop.kernel @shared(%x: memref<64xi32>) schedule #loop.schedule<axes = [#loop.axis<"r", shared, 16>], num_warps = 2, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (64) axes ["r"] {
  }
}

// CHECK-LABEL: loop.kernel @pairs
loop.kernel @pairs(%x: memref<64xf32>, %y: memref<64xi64>) {
  %one = arith.constant 1.0 : f32
  loop.scan (%i) in (64) {
    %v = loop.load %x[%i] : memref<64xf32>
    %k = arith.index_cast %i : index to i64
    // CHECK: %m, %p = loop.prefix last_argmax %v, %k : f32, i64
    %m, %p = loop.prefix last_argmax %v, %k : f32, i64
    // CHECK: {{%.*}}, {{%.*}} = loop.prefix sumexp %v, %one : f32, f32
    %n, %s = loop.prefix sumexp %v, %one : f32, f32
    loop.store %p, %y[%i] : memref<64xi64>
  }
  // CHECK: loop.reduce [last_argmin, sumexp] (%r) in (64) -> f32, i64, f32, f32
  %a, %b, %c, %d = loop.reduce [last_argmin, sumexp] (%r) in (64) -> f32, i64, f32, f32 {
    %v = loop.load %x[%r] : memref<64xf32>
    %k = arith.index_cast %r : index to i64
    loop.yield %v, %k, %v, %one : f32, i64, f32, f32
  }
}

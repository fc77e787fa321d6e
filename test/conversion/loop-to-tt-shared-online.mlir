// RUN: fusir-opt %s --convert-loop-to-tt | filecheck %s

// A row of 40 shared by three programs: each walks its part, they exchange maximum and sum at once, and merge them.

// CHECK-LABEL: tt.func public @softmax
// CHECK:       %{{.*}} = tt.atomic_rmw add, relaxed, gpu, %counters
// CHECK:       tt.load
// CHECK:       "tt.reduce"
// CHECK:         arith.maximumf
// CHECK:       math.exp
// CHECK:       "tt.reduce"
// CHECK:         arith.addf
// Both are written before the only counter is raised.
// CHECK:       tt.store %{{.*}}, %m1 :
// CHECK:       tt.store %{{.*}}, %s1 :
// CHECK:       tt.atomic_rmw add, release, gpu, %counter
// CHECK:       scf.while
// CHECK:         tt.atomic_rmw add, acquire, gpu, %counter
// Four lanes for three parts: the last one has the initial values, and identities in the folds.
// CHECK:       %mp_parts = tt.load {{.*}} cacheModifier = cg
// CHECK:       %sp_parts = tt.load {{.*}} cacheModifier = cg
// CHECK:       arith.select %{{.*}}, %mp_parts
// CHECK:       "tt.reduce"
// CHECK:         arith.maximumf
// CHECK:       %[[SCALE:.*]] = math.exp %{{.*}} : tensor<4xf32>
// CHECK:       arith.mulf %sp_parts, %[[SCALE]]
// CHECK:       arith.select
// CHECK:       "tt.reduce"
// CHECK:         arith.addf
// CHECK-NOT:   scf.while
// CHECK:       tt.return
loop.kernel @softmax(%x: memref<3x40xf32>, %y: memref<3x40xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  %low = arith.constant 0xff800000 : f32
  %zero = arith.constant 0.0 : f32
  loop.parallel (%i) in (3) axes ["x"] {
    %m, %s = loop.online (%k) in (40) axes ["r"] carry (%m0 = %low, %s0 = %zero) -> f32, f32 {
      %a = loop.load %x[%i, %k] : memref<3x40xf32>
      %b = loop.fold max %a : f32
      %m1 = arith.maximumf %m0, %b : f32
      %d = arith.subf %a, %m1 : f32
      %e = math.exp %d : f32
      %t = loop.fold add %e : f32
      %c = arith.subf %m0, %m1 : f32
      %f = math.exp %c : f32
      %g = arith.mulf %s0, %f : f32
      %s1 = arith.addf %g, %t : f32
      loop.yield %m1, %s1 : f32, f32
    } merge (%mp, %sp) {
      %m2 = loop.fold max %mp : f32
      %c = arith.subf %mp, %m2 : f32
      %f = math.exp %c : f32
      %g = arith.mulf %sp, %f : f32
      %s2 = loop.fold add %g : f32
      loop.yield %m2, %s2 : f32, f32
    }
    loop.parallel (%j) in (40) axes ["r"] {
      %a = loop.load %x[%i, %j] : memref<3x40xf32>
      %d = arith.subf %a, %m : f32
      %e = math.exp %d : f32
      %r = arith.divf %e, %s : f32
      loop.store %r, %y[%i, %j] : memref<3x40xf32>
    }
  }
}

// The number of iterations is that of the part: 16, 16 and 8.

// CHECK-LABEL: tt.func public @count
// CHECK-DAG:   %[[LENGTH:.*]] = arith.constant 16 : i32
// CHECK-DAG:   %[[EXTENT:.*]] = arith.constant 40 : i32
// CHECK:       %[[REST:.*]] = arith.subi %[[EXTENT]], %{{.*}} : i32
// CHECK:       %[[N:.*]] = arith.minsi %[[REST]], %[[LENGTH]] : i32
// CHECK:       %[[WIDE:.*]] = arith.extsi %[[N]] : i32 to i64
// CHECK:       tt.store %{{.*}}, %[[WIDE]] : !tt.ptr<i64>
loop.kernel @count(%x: memref<3x40xf32>, %y: memref<3xi64>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  %none = arith.constant 0 : i64
  loop.parallel (%i) in (3) axes ["x"] {
    %s = loop.online (%k) in (40) axes ["r"] carry (%s0 = %none) -> i64 {
      %n = loop.walked
      %c = arith.index_cast %n : index to i64
      loop.yield %c : i64
    } merge (%sp) {
      %s2 = loop.fold add %sp : i64
      loop.yield %s2 : i64
    }
    loop.store %s, %y[%i] : memref<3xi64>
  }
}

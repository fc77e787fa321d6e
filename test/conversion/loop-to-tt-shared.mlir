// RUN: fusir-opt %s --convert-loop-to-tt | filecheck %s

// Programs that share an axis: numbered by a ticket, each folds its part, writes the result, counts itself, waits for the
// others of its group, and folds the results of all. The launch gets the workspace, with zeros for the counters.

// CHECK:      %0 = host.alloc zero dims [4] strides [1] : memref<4xi32>
// CHECK-NEXT: %1 = host.alloc dims [9] strides [1] : memref<9xf32>
// CHECK-NEXT: host.launch @rows(%x, %y, %s, %0, %1) {fusion = 0 : i64, workspace = 2 : i64}
func.func @main(%x: memref<3x70xf32>, %y: memref<3x70xf32>, %s: memref<3xf32>) {
  host.launch @rows(%x, %y, %s) {fusion = 0 : i64} : (memref<3x70xf32>, memref<3x70xf32>, memref<3xf32>) -> ()
  return
}

// CHECK-LABEL: tt.func public @rows
// CHECK-SAME: %counters: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %partials: !tt.ptr<f32> {tt.divisibility = 16 : i32})
// CHECK-SAME: fusir.grid = affine_map<() -> (9)>
// CHECK-SAME: fusir.constexprs = {RBLOCK = 32 : i32, PARTS = 4 : i32}
// CHECK-SAME: fusir.together = 3 : i32, fusir.workspace = [memref<4xi32>, memref<9xf32>]
// CHECK:      %pid = tt.atomic_rmw add, relaxed, gpu, %counters, %{{.*}} {fusir.ticket}
// CHECK-NOT:  tt.get_program_id
// CHECK:      %part = arith.remsi %pid, [[THREE:%.*]] : i32
// CHECK-NEXT: %x0 = arith.divsi %pid, [[THREE]] : i32
// CHECK-NEXT: %rstart = arith.muli %part, [[LENGTH:%.*]] : i32
// CHECK:      %rmask = arith.cmpi slt, %r,
// CHECK:      tt.load
// CHECK:      [[MINE:%.*]] = "tt.reduce"
// CHECK:      tt.store %{{.*}}, [[MINE]] : !tt.ptr<f32>
// CHECK:      %counter = tt.addptr %counters
// CHECK-NEXT: tt.atomic_rmw add, release, gpu, %counter
// CHECK-NEXT: scf.while
// CHECK-NEXT:   [[ARRIVED:%.*]] = tt.atomic_rmw add, acquire, gpu, %counter
// CHECK-NEXT:   arith.cmpi slt, [[ARRIVED]], [[THREE]] : i32
// CHECK:      tt.load {{.*}} cacheModifier = cg : tensor<4x!tt.ptr<f32>>
// CHECK-NEXT: %m = "tt.reduce"
// The row is not read again.
// CHECK-NOT:  tt.load
// What is no part of the row is written by the first program.
// CHECK:      [[FIRST:%.*]] = arith.cmpi eq, %part
// CHECK:      tt.store %{{.*}}, %m, [[FIRST]] : !tt.ptr<f32>
// CHECK:      tt.store {{.*}} : tensor<32x!tt.ptr<f32>>
// CHECK-NEXT: tt.return
loop.kernel @rows(%x: memref<3x70xf32>, %y: memref<3x70xf32>, %s: memref<3xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 32>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (3) axes ["x"] {
    %m = loop.reduce [max] (%k) in (70) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<3x70xf32>
      loop.yield %a : f32
    }
    loop.store %m, %s[%i] : memref<3xf32>
    loop.parallel (%k) in (70) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<3x70xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<3x70xf32>
    }
  }
}

// A part that does not fill its tile: 700 elements in two parts of 384.
// CHECK-LABEL: tt.func public @part
// CHECK:      [[LENGTH:%.*]] = arith.constant 384 : i32
// CHECK:      %rmask = arith.cmpi slt, %r,
// CHECK-NEXT: [[SPLAT:%.*]] = tt.splat [[LENGTH]] : i32 -> tensor<512xi32>
// CHECK-NEXT: [[OWN:%.*]] = arith.cmpi slt, {{.*}}, [[SPLAT]] : tensor<512xi32>
// CHECK:      [[MASK:%.*]] = arith.andi [[OWN]], %rmask
// CHECK:      tt.load {{.*}}, [[MASK]]
loop.kernel @part(%x: memref<3x700xf32>, %s: memref<3xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 512>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (3) axes ["x"] {
    %m = loop.reduce [max] (%k) in (700) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<3x700xf32>
      loop.yield %a : f32
    }
    loop.store %m, %s[%i] : memref<3xf32>
  }
}

// Values of several types and pairs have a buffer for each type; a byte for i1. Both reductions count apart.
// CHECK-LABEL: tt.func public @types
// CHECK-SAME: %partials_f32: !tt.ptr<f32>
// CHECK-SAME: %partials_i64: !tt.ptr<i64>
// CHECK-SAME: %partials_i8: !tt.ptr<i8>
// CHECK-SAME: fusir.workspace = [memref<7xi32>, memref<6xf32>, memref<6xi64>, memref<6xi8>]
loop.kernel @types(%x: memref<3x50xf32>, %y: memref<3xi64>, %z: memref<3xi1>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 32>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (3) axes ["x"] {
    %v, %w = loop.reduce [argmax] (%k) in (50) axes ["r"] -> f32, i64 {
      %a = loop.load %x[%i, %k] : memref<3x50xf32>
      %n = arith.index_cast %k : index to i64
      loop.yield %a, %n : f32, i64
    }
    %any = loop.reduce [or] (%k) in (50) axes ["r"] -> i1 {
      %a = loop.load %x[%i, %k] : memref<3x50xf32>
      %c = arith.cmpf oeq, %a, %v : f32
      loop.yield %c : i1
    }
    loop.store %w, %y[%i] : memref<3xi64>
    loop.store %any, %z[%i] : memref<3xi1>
  }
}

// Halves are kept as they were loaded: what was computed of them before the exchange is computed again behind it.
// CHECK-LABEL: tt.func public @halves
// CHECK:      %a = tt.load
// CHECK:      arith.extf %a
// CHECK:      scf.while
// CHECK:      %a_1 = tt.elementwise_inline_asm "" {{.*}} %a
// CHECK-NEXT: arith.extf %a_1
// CHECK-NOT:  tt.load
loop.kernel @halves(%x: memref<3x64xf16>, %y: memref<3x64xf16>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 32>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (3) axes ["x"] {
    %m = loop.reduce [max] (%k) in (64) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<3x64xf16>
      %e = arith.extf %a : f16 to f32
      loop.yield %e : f32
    }
    loop.parallel (%k) in (64) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<3x64xf16>
      %e = arith.extf %a : f16 to f32
      %b = arith.subf %e, %m : f32
      %h = arith.truncf %b : f32 to f16
      loop.store %h, %y[%i, %k] : memref<3x64xf16>
    }
  }
}

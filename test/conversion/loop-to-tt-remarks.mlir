// RUN: fusir-opt %s --convert-loop-to-tt | filecheck %s
// RUN: fusir-opt %s --convert-loop-to-tt --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// A kernel that has no form at tile level stays, and the user is told.

// CHECK-LABEL: loop.kernel @no_schedule
loop.kernel @no_schedule(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
}

// CHECK-LABEL: loop.kernel @reduction_over_programs
loop.kernel @reduction_over_programs(%x: memref<64xf32>, %y: memref<f32>) schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (1) axes ["y"] {
    %r = loop.reduce [add] (%k) in (64) axes ["x"] -> f32 {
      %a = loop.load %x[%k] : memref<64xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[] : memref<f32>
  }
}

// CHECK-LABEL: loop.kernel @racing_store
loop.kernel @racing_store(%x: memref<64xf32>, %y: memref<f32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (64) axes ["x"] {
    %a = loop.load %x[%i] : memref<64xf32>
    loop.store %a, %y[] : memref<f32>
  }
}

// CHECK-LABEL: loop.kernel @unknown_op
loop.kernel @unknown_op(%x: memref<64xf32>, %y: memref<64xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 64>], num_warps = 4, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (64) axes ["x"] {
    %a = loop.load %x[%i] : memref<64xf32>
    %b = math.cbrt %a : f32
    loop.store %b, %y[%i] : memref<64xf32>
  }
}

// CHECK-LABEL: loop.kernel @cannot_merge
loop.kernel @cannot_merge(%x: memref<64xf32>, %y: memref<1xf32>) schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"r", shared, 16>], num_warps = 4, num_stages = 1, index_bits = 32> {
  %zero = arith.constant 0.0 : f32
  loop.parallel (%i) in (1) axes ["y"] {
    %r = loop.online (%k) in (64) axes ["r"] carry (%r0 = %zero) -> f32 {
      %a = loop.load %x[%k] : memref<64xf32>
      %b = loop.fold add %a : f32
      %c = arith.addf %r0, %b : f32
      loop.yield %c : f32
    }
    loop.store %r, %y[%i] : memref<1xf32>
  }
}

// REMARK: remark: [convert-loop-to-tt] fallback: @no_schedule has no schedule
// REMARK-NEXT: remark: [convert-loop-to-tt] fallback: @reduction_over_programs: a reduction along a program axis
// REMARK-NEXT: remark: [convert-loop-to-tt] fallback: @racing_store: a store whose address does not depend on all that its value depends on
// REMARK-NEXT: remark: [convert-loop-to-tt] fallback: @unknown_op: math.cbrt has no form at tile level
// REMARK-NEXT: remark: [convert-loop-to-tt] fallback: @cannot_merge: an online reduction without a merge along a shared axis

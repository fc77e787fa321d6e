// RUN: fusir-opt %s --loop-fuse --remarks 2>&1 >/dev/null | filecheck %s

// Kernels that stay as they are, and why.

// CHECK: remark: [loop-fuse] not fused: @two_boxes: a buffer of extents 6 does not lie in the box 4
loop.kernel @two_boxes(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<6xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (6) {
    %a = loop.load %x[%i floordiv 2] : memref<4xf32>
    loop.store %a, %z[%i] : memref<6xf32>
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @rows_and_all: reductions or scans over different dims: dims [1, 2] of 1x4x8, dims [1] of 4x8
loop.kernel @rows_and_all(%x: memref<4x8xf32>, %r: memref<4xf32>, %c: memref<1xf32>) {
  loop.parallel (%i) in (4) {
    %s = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %s, %r[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (1) {
    %s = loop.reduce [add] (%k, %l) in (4, 8) -> f32 {
      %a = loop.load %x[%k, %l] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>, #builtin.int<2>]}
    loop.store %s, %c[%i] : memref<1xf32>
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @columns_in_rows: a buffer of extents 4x8 is not one of columns of 4x8
loop.kernel @columns_in_rows(%x: memref<4x8xf32>, %r: memref<4xf32>, %y: memref<4x8xf32>) {
  %t = loop.local : memref<8xf32>
  loop.parallel (%i) in (4) {
    %s = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %s, %r[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (8) {
    %s = loop.reduce [add] (%k) in (4) -> f32 {
      %a = loop.load %x[%k, %i] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<0>]}
    loop.store %s, %t[%i] : memref<8xf32>
  }
  loop.parallel (%i, %j) in (4, 8) {
    %a = loop.load %t[%j] : memref<8xf32>
    loop.store %a, %y[%i, %j] : memref<4x8xf32>
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @elsewhere: a reduction is read at another place than where it is computed
loop.kernel @elsewhere(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %s = loop.local : memref<4xf32>
  loop.parallel (%i) in (4) {
    %r = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %r, %s[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %a = loop.load %s[%i * -1 + 3] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @nothing_stored: nothing is stored to an argument of the kernel
loop.kernel @nothing_stored(%x: memref<4xf32>) {
  %s = loop.local : memref<4xf32>
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %s[%i] : memref<4xf32>
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @no_programs: a single element beside a box without elements
loop.kernel @no_programs(%y: memref<0x4xf32>, %z: memref<1xf32>) {
  %one = arith.constant 1.0 : f32
  loop.parallel (%i, %j) in (0, 4) {
    loop.store %one, %y[%i, %j] : memref<0x4xf32>
  }
  loop.parallel (%i) in (1) {
    loop.store %one, %z[%i] : memref<1xf32>
  }
}

// Kernels of another form are left alone: several stores in a nest, a buffer that is read before it is written.

// CHECK-NOT: remark
loop.kernel @not_nests(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
}
loop.kernel @in_place(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    %b = math.exp %a : f32
    loop.store %b, %x[%i] : memref<4xf32>
  }
}

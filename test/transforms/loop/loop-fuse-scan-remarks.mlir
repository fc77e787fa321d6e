// RUN: fusir-opt %s --loop-fuse --remarks 2>&1 >/dev/null | filecheck %s

// Prefixes exist in their loop only.

// CHECK: remark: [loop-fuse] not fused: @reduction_of_prefixes: a reduction of prefixes
loop.kernel @reduction_of_prefixes(%x: memref<8x16xf32>, %y: memref<8xf32>) {
  %t = loop.local : memref<8x16xf32>
  loop.parallel (%i) in (8) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %t[%i, %k] : memref<8x16xf32>
    }
  }
  loop.parallel (%i) in (8) {
    %m = loop.reduce [max] (%k) in (16) -> f32 {
      %a = loop.load %t[%i, %k] : memref<8x16xf32>
      loop.yield %a : f32
    }
    loop.store %m, %y[%i] : memref<8xf32>
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @both_ends: prefixes from both ends
loop.kernel @both_ends(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) {
  loop.parallel (%i) in (1) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%k] : memref<16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%k] : memref<16xf32>
    }
  }
  loop.parallel (%i) in (1) {
    loop.scan reverse (%k) in (16) {
      %a = loop.load %x[%k] : memref<16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %z[%k] : memref<16xf32>
    }
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @other_place: a prefix is read at another place than where it is computed
loop.kernel @other_place(%x: memref<16xf32>, %y: memref<16xf32>) {
  %t = loop.local : memref<16xf32>
  loop.parallel (%i) in (1) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%k] : memref<16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %t[%k] : memref<16xf32>
    }
  }
  loop.parallel (%k) in (16) {
    %a = loop.load %t[%k * -1 + 15] : memref<16xf32>
    loop.store %a, %y[%k] : memref<16xf32>
  }
}

// CHECK-NEXT: remark: [loop-fuse] not fused: @other_dim: reductions or scans over different dims: dims [1] of 8x16, dims [0] of 8x16
loop.kernel @other_dim(%x: memref<8x16xf32>, %y: memref<8x16xf32>, %z: memref<8x16xf32>) {
  loop.parallel (%k) in (16) {
    loop.scan (%i) in (8) {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%i, %k] : memref<8x16xf32>
    }
  }
  loop.parallel (%i) in (8) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %z[%i, %k] : memref<8x16xf32>
    }
  }
}

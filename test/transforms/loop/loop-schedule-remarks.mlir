// RUN: fusir-opt %s --loop-schedule --remarks 2>&1 >/dev/null | filecheck %s

// CHECK: remark: [loop-schedule] @flat: pointwise, {{[0-9]+}} elements a program
loop.kernel @flat(%x: memref<1048576xf32>, %y: memref<1048576xf32>) {
  loop.parallel (%i) in (1048576) {
    %a = loop.load %x[%i] : memref<1048576xf32>
    loop.store %a, %y[%i] : memref<1048576xf32>
  }
}

// CHECK: remark: [loop-schedule] @transpose: tiles of {{[0-9]+x[0-9]+}}: operands are contiguous along different dims
loop.kernel @transpose(%x: memref<1024x512xf32>, %y: memref<512x1024xf32>) {
  loop.parallel (%i, %j) in (512, 1024) {
    %a = loop.load %x[%j, %i] : memref<1024x512xf32>
    loop.store %a, %y[%i, %j] : memref<512x1024xf32>
  }
}

// CHECK: remark: [loop-schedule] @persistent: persistent reduction, {{[0-9]+}} rows of 1000 in registers
loop.kernel @persistent(%x: memref<8192x1000xf32>, %y: memref<8192xf32>) {
  loop.parallel (%i) in (8192) {
    %r = loop.reduce [add] (%k) in (1000) -> f32 {
      %a = loop.load %x[%i, %k] : memref<8192x1000xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<8192xf32>
  }
}

// CHECK: remark: [loop-schedule] @looped: looped reduction of rows of 100000, {{[0-9]+}} elements a step
loop.kernel @looped(%x: memref<512x100000xf32>, %y: memref<512xf32>) {
  loop.parallel (%i) in (512) {
    %r = loop.reduce [add] (%k) in (100000) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x100000xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<512xf32>
  }
}

// CHECK: remark: [loop-schedule] @outer: outer reduction, {{[0-9]+}} columns a program, {{[0-9]+}} of 2048 rows a step
loop.kernel @outer(%x: memref<2048x4096xf32>, %y: memref<4096xf32>) {
  loop.parallel (%j) in (4096) {
    %r = loop.reduce [add] (%k) in (2048) -> f32 {
      %a = loop.load %x[%k, %j] : memref<2048x4096xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%j] : memref<4096xf32>
  }
}

// Few columns: narrower blocks, so that more programs reduce them.
// CHECK: remark: [loop-schedule] @narrow: outer reduction, 16 columns a program, 256 of 256 rows a step
loop.kernel @narrow(%x: memref<256x4096xf32>, %y: memref<4096xf32>) {
  loop.parallel (%j) in (4096) {
    %r = loop.reduce [add] (%k) in (256) -> f32 {
      %a = loop.load %x[%k, %j] : memref<256x4096xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%j] : memref<4096xf32>
  }
}

// CHECK: remark: [loop-schedule] @walk: rows and columns in one walk, 256 programs of 64 rows of 8192, 1 a step, 3 stages
loop.kernel @walk(%x: memref<16384x8192xf32>, %y: memref<16384xf32>, %z: memref<256x8192xf32>) {
  loop.parallel (%p, %j) in (256, 8192) {
    %c = loop.reduce [add] (%r) in (64) -> f32 {
      %s = loop.reduce [max] (%k) in (8192) -> f32 {
        %a = loop.load %x[%p * 64 + %r, %k] : memref<16384x8192xf32>
        loop.yield %a : f32
      }
      loop.store %s, %y[%p * 64 + %r] : memref<16384xf32>
      %a = loop.load %x[%p * 64 + %r, %j] : memref<16384x8192xf32>
      loop.yield %a : f32
    }
    loop.store %c, %z[%p, %j] : memref<256x8192xf32>
  }
}

// CHECK: remark: [loop-schedule] @odd_rows: persistent reduction, 1 rows of 4097 in registers; rows start within groups of 8: their edges are a tile of their own
loop.kernel @odd_rows(%x: memref<1024x4097xbf16>, %y: memref<1024xbf16>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [add] (%k) in (4097) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<1024x4097xbf16>
      loop.yield %a : bf16
    }
    loop.store %r, %y[%i] : memref<1024xbf16>
  }
}

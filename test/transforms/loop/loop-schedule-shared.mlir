// RUN: fusir-opt %s --loop-schedule --remarks 2>&1 >/dev/null | filecheck %s
// RUN: fusir-opt %s --loop-schedule='multiprocessors=20' --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=FEW
// RUN: fusir-opt %s --loop-schedule | filecheck %s --check-prefix=IR

// Long rows that are stored again behind a reduction are shared by several programs, unless the L2 cache can hold those of
// all programs that run at a time.

// CHECK: @long: rows of 524288 shared by 32 programs, 16384 elements each in registers
// CHECK: @odd: looped reduction of rows of 50257
// CHECK: @whole: persistent reduction
// CHECK: @just: persistent reduction, 1 rows of 32768 in registers
// CHECK: @few: rows of 65536 shared by 16 programs, 4096 elements each in registers
// CHECK: @huge: rows of 4194304 shared by 128 programs, 32768 elements each in registers
// CHECK: @longer: looped reduction of rows of 8388608
// CHECK: @wide: rows of 131072 shared by 16 programs, 8192 elements each in registers
// CHECK: @channels: rows of 401408 shared by 25 programs, 16064 elements each in registers
// CHECK: @statistics: looped reduction of rows of 131072
// CHECK: @dynamic: looped reduction of rows of 131072
// CHECK: @prefixes: looped scan of rows of 131072

// No more programs wait for each other than there are multiprocessors.
// FEW: @few: rows of 65536 shared by 4 programs
// FEW: @huge: looped reduction

// IR-LABEL: loop.kernel @long
// IR-SAME: axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 16384>], num_warps = 16
loop.kernel @long(%x: memref<512x524288xf32>, %y: memref<512x524288xf32>) {
  loop.parallel (%i) in (512) {
    %m = loop.reduce [max] (%k) in (524288) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x524288xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (524288) {
      %a = loop.load %x[%i, %k] : memref<512x524288xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<512x524288xf32>
    }
  }
}

loop.kernel @odd(%x: memref<4096x50257xf32>, %y: memref<4096x50257xf32>) {
  loop.parallel (%i) in (4096) {
    %m = loop.reduce [max] (%k) in (50257) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4096x50257xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (50257) {
      %a = loop.load %x[%i, %k] : memref<4096x50257xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<4096x50257xf32>
    }
  }
}

loop.kernel @whole(%x: memref<4096x16384xf32>, %y: memref<4096x16384xf32>) {
  loop.parallel (%i) in (4096) {
    %m = loop.reduce [max] (%k) in (16384) -> f32 {
      %a = loop.load %x[%i, %k] : memref<4096x16384xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (16384) {
      %a = loop.load %x[%i, %k] : memref<4096x16384xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<4096x16384xf32>
    }
  }
}

loop.kernel @just(%x: memref<2048x32768xf32>, %y: memref<2048x32768xf32>) {
  loop.parallel (%i) in (2048) {
    %m = loop.reduce [max] (%k) in (32768) -> f32 {
      %a = loop.load %x[%i, %k] : memref<2048x32768xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (32768) {
      %a = loop.load %x[%i, %k] : memref<2048x32768xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<2048x32768xf32>
    }
  }
}

// Parts get smaller where the rows are few.
loop.kernel @few(%x: memref<8x65536xf32>, %y: memref<8x65536xf32>) {
  loop.parallel (%i) in (8) {
    %m = loop.reduce [max] (%k) in (65536) -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x65536xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (65536) {
      %a = loop.load %x[%i, %k] : memref<8x65536xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<8x65536xf32>
    }
  }
}

// And longer where they would be too many programs.
loop.kernel @huge(%x: memref<16x4194304xf32>, %y: memref<16x4194304xf32>) {
  loop.parallel (%i) in (16) {
    %m = loop.reduce [max] (%k) in (4194304) -> f32 {
      %a = loop.load %x[%i, %k] : memref<16x4194304xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (4194304) {
      %a = loop.load %x[%i, %k] : memref<16x4194304xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<16x4194304xf32>
    }
  }
}

loop.kernel @longer(%x: memref<16x8388608xf32>, %y: memref<16x8388608xf32>) {
  loop.parallel (%i) in (16) {
    %m = loop.reduce [max] (%k) in (8388608) -> f32 {
      %a = loop.load %x[%i, %k] : memref<16x8388608xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (8388608) {
      %a = loop.load %x[%i, %k] : memref<16x8388608xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<16x8388608xf32>
    }
  }
}

// Two tensors are kept in registers.
loop.kernel @wide(%x: memref<512x131072xf32>, %z: memref<512x131072xf32>, %y: memref<512x131072xf32>) {
  loop.parallel (%i) in (512) {
    %m = loop.reduce [add] (%k) in (131072) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x131072xf32>
      %b = loop.load %z[%i, %k] : memref<512x131072xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    }
    loop.parallel (%k) in (131072) {
      %a = loop.load %x[%i, %k] : memref<512x131072xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<512x131072xf32>
    }
  }
}

// The rows are channels: 128 runs of 3136 elements.
loop.kernel @channels(%x: memref<128x256x3136xf32>, %y: memref<128x256x3136xf32>) {
  loop.parallel (%c) in (256) {
    %s = loop.reduce [add] (%n, %k) in (128, 3136) -> f32 {
      %a = loop.load %x[%n, %c, %k] : memref<128x256x3136xf32>
      loop.yield %a : f32
    }
    loop.parallel (%n, %k) in (128, 3136) {
      %a = loop.load %x[%n, %c, %k] : memref<128x256x3136xf32>
      %b = arith.subf %a, %s : f32
      loop.store %b, %y[%n, %c, %k] : memref<128x256x3136xf32>
    }
  }
}

// Without rows to store there is nothing to wait for.
loop.kernel @statistics(%x: memref<512x131072xf32>, %y: memref<512xf32>) {
  loop.parallel (%i) in (512) {
    %s = loop.reduce [add] (%k) in (131072) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x131072xf32>
      loop.yield %a : f32
    }
    loop.store %s, %y[%i] : memref<512xf32>
  }
}

// The workspace has a static size.
loop.kernel @dynamic(%x: memref<?x131072xf32>, %y: memref<?x131072xf32>, %s0: index) {
  loop.parallel (%i) in (%s0) {
    %m = loop.reduce [max] (%k) in (131072) -> f32 {
      %a = loop.load %x[%i, %k] : memref<?x131072xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (131072) {
      %a = loop.load %x[%i, %k] : memref<?x131072xf32>
      %b = arith.subf %a, %m : f32
      loop.store %b, %y[%i, %k] : memref<?x131072xf32>
    }
  }
}

loop.kernel @prefixes(%x: memref<512x131072xf32>, %y: memref<512x131072xf32>) {
  loop.parallel (%i) in (512) {
    loop.scan (%k) in (131072) {
      %a = loop.load %x[%i, %k] : memref<512x131072xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%i, %k] : memref<512x131072xf32>
    }
  }
}

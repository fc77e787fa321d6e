// RUN: fusir-opt %s --loop-online --loop-schedule --remarks 2> %t.remarks | filecheck %s
// RUN: filecheck %s --input-file %t.remarks --check-prefix REMARK

// Rows of 1.5 MB: what 132 programs have in flight is four times the L2 cache, so each row is read once, by programs that
// share it, and their cascade makes one exchange.

// CHECK-LABEL: loop.kernel @long_rows
// CHECK-SAME:  #loop.axis<"r", shared, 16384>
// CHECK:       loop.online
// CHECK-NOT:   loop.reduce
// REMARK:      @long_rows: 2 cascaded reductions in one walk
// REMARK:      @long_rows: rows of 393216 shared by 24 programs, 16384 elements each in registers
loop.kernel @long_rows(%x: memref<1024x393216xf32>, %y: memref<1024x393216xf32>) {
  loop.parallel (%i) in (1024) {
    %m = loop.reduce [max] (%k) in (393216) -> f32 {
      %a = loop.load %x[%i, %k] : memref<1024x393216xf32>
      loop.yield %a : f32
    }
    %s = loop.reduce [add] (%k) in (393216) -> f32 {
      %a = loop.load %x[%i, %k] : memref<1024x393216xf32>
      %d = arith.subf %a, %m : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    }
    loop.parallel (%j) in (393216) {
      %a = loop.load %x[%i, %j] : memref<1024x393216xf32>
      %d = arith.subf %a, %m : f32
      %e = math.exp %d : f32
      %r = arith.divf %e, %s : f32
      loop.store %r, %y[%i, %j] : memref<1024x393216xf32>
    }
  }
}

// Rows of 256 KB: the second read of a walk comes out of the cache.

// CHECK-LABEL: loop.kernel @cached_rows
// CHECK-SAME:  #loop.axis<"r", loop,
// REMARK:      @cached_rows: looped reduction of rows of 131072
loop.kernel @cached_rows(%x: memref<512x131072xbf16>, %y: memref<512x131072xbf16>) {
  loop.parallel (%i) in (512) {
    %s = loop.reduce [add] (%k) in (131072) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x131072xbf16>
      %b = arith.extf %a : bf16 to f32
      loop.yield %b : f32
    }
    loop.parallel (%j) in (131072) {
      %a = loop.load %x[%i, %j] : memref<512x131072xbf16>
      %b = arith.extf %a : bf16 to f32
      %r = arith.divf %b, %s : f32
      %c = arith.truncf %r : f32 to bf16
      loop.store %c, %y[%i, %j] : memref<512x131072xbf16>
    }
  }
}

// The same rows, too few of them to keep the multiprocessors busy.

// CHECK-LABEL: loop.kernel @few_rows
// CHECK-SAME:  #loop.axis<"r", shared, {{[0-9]+}}>
// REMARK:      @few_rows: rows of 131072 shared by {{[0-9]+}} programs
loop.kernel @few_rows(%x: memref<20x131072xf32>, %y: memref<20x131072xf32>) {
  loop.parallel (%i) in (20) {
    %s = loop.reduce [add] (%k) in (131072) -> f32 {
      %a = loop.load %x[%i, %k] : memref<20x131072xf32>
      loop.yield %a : f32
    }
    loop.parallel (%j) in (131072) {
      %a = loop.load %x[%i, %j] : memref<20x131072xf32>
      %r = arith.divf %a, %s : f32
      loop.store %r, %y[%i, %j] : memref<20x131072xf32>
    }
  }
}

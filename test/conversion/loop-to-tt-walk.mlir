// RUN: fusir-opt %s --loop-schedule --convert-loop-to-tt -t triton | filecheck %s

// A walk over rows: a loop over the rows of a program with the accumulators of the columns. The columns and the loops of
// the row reductions are one tile, so each element is loaded once. What no row depends on is loaded before, and the loads
// of the next rows are under way.

// CHECK-LABEL: def gradients(
// CHECK:         [[W:\w+]] = tl.load(w_ptr + r)
// CHECK-NEXT: {{ }}[[ACC:\w+]] = tl.full([RBLOCK], 0.0, tl.float32)
// CHECK-NEXT:    for y0 in tl.range(0, 8, 1, num_stages=3):
// CHECK-NEXT: {{ }}[[AT:\w+]] = x0 * 32768 + y0 * 4096 + r
// CHECK-NEXT: {{ }}[[X:\w+]] = tl.load(x_ptr + [[AT]])
// CHECK-NEXT: {{ }}[[S:\w+]] = tl.sum([[X]], 0)
// CHECK-NEXT:        tl.store(rows_ptr + (x0 * 8 + y0), [[S]])
// CHECK-NEXT: {{ }}[[B:\w+]] = [[X]] * [[S]]
// CHECK-NEXT: {{ }}[[D:\w+]] = [[B]] * [[W]]
// CHECK-NEXT:        tl.store(y_ptr + [[AT]], [[D]])
// CHECK-NEXT: {{ }}[[ACC]] = [[ACC]] + [[B]]
// CHECK-NEXT:    tl.store(part_ptr + (x0 * 4096 + r), [[ACC]])
// CHECK-NOT:     tl.load
loop.kernel @gradients(%x: memref<32x4096xf32>, %w: memref<4096xf32>, %rows: memref<32xf32>, %y: memref<32x4096xf32>, %part: memref<4x4096xf32>) {
  loop.parallel (%p, %j) in (4, 4096) {
    %c = loop.load %w[%j] : memref<4096xf32>
    %t = loop.reduce [add] (%r) in (8) -> f32 {
      %s = loop.reduce [add] (%k) in (4096) -> f32 {
        %a = loop.load %x[%p * 8 + %r, %k] : memref<32x4096xf32>
        loop.yield %a : f32
      }
      loop.store %s, %rows[%p * 8 + %r] : memref<32xf32>
      %a = loop.load %x[%p * 8 + %r, %j] : memref<32x4096xf32>
      %b = arith.mulf %a, %s : f32
      %d = arith.mulf %b, %c : f32
      loop.store %d, %y[%p * 8 + %r, %j] : memref<32x4096xf32>
      loop.yield %b : f32
    }
    loop.store %t, %part[%p, %j] : memref<4x4096xf32>
  }
}

// Short rows share a step: tiles of rows and columns, and a transposed store of them. Rows past the end hold the identity.

// CHECK-LABEL: def tiles(
// CHECK:         for ystart in range(0, 100, YBLOCK):
// CHECK-NEXT:        y = ystart + tl.arange(0, YBLOCK)
// CHECK-NEXT:        ymask = y < 100
// CHECK:             [[X:\w+]] = tl.load({{.*}}, mask=ymask[:, None], other=0.0)
// CHECK-NEXT: {{ }}[[S:\w+]] = tl.sum([[X]], 1)
// CHECK-NEXT:        tl.store(rows_ptr + {{.*}}, [[S]], mask=ymask)
// CHECK-NEXT: {{ }}[[AT:\w+]] = {{.*}} + y)[:, None] + (r * 400)[None, :]
// CHECK-NEXT:        tl.store(t_ptr + [[AT]], [[X]], mask=ymask[:, None])
// CHECK:             tl.where(ymask[:, None], [[X]], float("-inf"))
// CHECK-NOT:     tl.load
loop.kernel @tiles(%x: memref<400x128xf32>, %t: memref<128x400xf32>, %rows: memref<400x2xf32>, %part: memref<4x128xf32>) {
  loop.parallel (%p, %q, %j) in (4, 2, 64) {
    %c = loop.reduce [max] (%r) in (100) -> f32 {
      %s = loop.reduce [add] (%k) in (64) -> f32 {
        %a = loop.load %x[%p * 100 + %r, %q * 64 + %k] : memref<400x128xf32>
        loop.yield %a : f32
      }
      loop.store %s, %rows[%p * 100 + %r, %q] : memref<400x2xf32>
      %a = loop.load %x[%p * 100 + %r, %q * 64 + %j] : memref<400x128xf32>
      loop.store %a, %t[%q * 64 + %j, %p * 100 + %r] : memref<128x400xf32>
      loop.yield %a : f32
    }
    loop.store %c, %part[%p, %q * 64 + %j] : memref<4x128xf32>
  }
}

// RUN: fusir-opt %s --convert-loop-to-tt --remarks 2>&1 >/dev/null | filecheck %s

// What programs that share an axis cannot do.

// CHECK: @scan: a scan along more than one axis, or one of several programs
loop.kernel @scan(%x: memref<8x64xf32>, %y: memref<8x64xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan (%k) in (64) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x64xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%i, %k] : memref<8x64xf32>
    }
  }
}

// CHECK: @rows: a reduction along a shared axis with several results in a program
loop.kernel @rows(%x: memref<8x64xf32>, %y: memref<8xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 2>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %s = loop.reduce [add] (%k) in (64) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x64xf32>
      loop.yield %a : f32
    }
    loop.store %s, %y[%i] : memref<8xf32>
  }
}

// CHECK: @inside: a reduction along a shared axis inside of a loop
loop.kernel @inside(%x: memref<8x64xf32>, %y: memref<8xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", loop, 1>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %s = loop.reduce [add] (%k) in (64) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x64xf32>
      loop.yield %a : f32
    }
    loop.store %s, %y[%i] : memref<8xf32>
  }
}

// CHECK: @back: a buffer that is read and written by programs that share an axis
loop.kernel @back(%x: memref<8x64xf32>, %y: memref<8xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    %s = loop.reduce [add] (%k) in (64) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x64xf32>
      loop.yield %a : f32
    }
    %b = loop.load %y[%i] : memref<8xf32>
    %c = arith.addf %b, %s : f32
    loop.store %c, %y[%i] : memref<8xf32>
  }
}

// CHECK: @extent: a shared axis of symbolic extent
loop.kernel @extent(%x: memref<8x?xf32, #loop.strided<[s0, 1]>>, %y: memref<8xf32>, %s0: index) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 64> {
  loop.parallel (%i) in (8) axes ["x"] {
    %s = loop.reduce [add] (%k) in (%s0) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x?xf32, #loop.strided<[s0, 1]>>
      loop.yield %a : f32
    }
    loop.store %s, %y[%i] : memref<8xf32>
  }
}

// CHECK: @grid: programs that share an axis in a grid of symbolic extent
loop.kernel @grid(%x: memref<?x64xf32>, %y: memref<?xf32>, %s0: index) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", shared, 16>], num_warps = 1, num_stages = 1, index_bits = 64> {
  loop.parallel (%i) in (%s0) axes ["x"] {
    %s = loop.reduce [add] (%k) in (64) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<?x64xf32>
      loop.yield %a : f32
    }
    loop.store %s, %y[%i] : memref<?xf32>
  }
}

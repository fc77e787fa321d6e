// RUN: fusir-opt %s --loop-schedule | filecheck %s

// Which axes a kernel has. Sizes that are tuned are left open; a size of 1, or of a whole extent, is not.

// A contiguous kernel is one axis of blocks.

// CHECK-LABEL: loop.kernel @flat(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (1048576) axes ["x"]
loop.kernel @flat(%x: memref<1048576xf32>, %y: memref<1048576xf32>) {
  loop.parallel (%i) in (1048576) {
    %a = loop.load %x[%i] : memref<1048576xf32>
    loop.store %a, %y[%i] : memref<1048576xf32>
  }
}

// Long rows that cannot collapse: a program has a piece of one row.

// CHECK-LABEL: loop.kernel @rows(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"x", program, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (1024, 4096) axes ["y", "x"]
loop.kernel @rows(%x: memref<1024x4096xf32>, %b: memref<4096xf32>, %y: memref<1024x4096xf32>) {
  loop.parallel (%i, %j) in (1024, 4096) {
    %a = loop.load %x[%i, %j] : memref<1024x4096xf32>
    %c = loop.load %b[%j] : memref<4096xf32>
    %d = arith.addf %a, %c : f32
    loop.store %d, %y[%i, %j] : memref<1024x4096xf32>
  }
}

// Short rows would leave lanes idle: all dims are flattened into one axis.

// CHECK-LABEL: loop.kernel @short_rows(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (65536, 33) axes ["x", "x"]
loop.kernel @short_rows(%x: memref<65536x33xf32>, %b: memref<33xf32>, %y: memref<65536x33xf32>) {
  loop.parallel (%i, %j) in (65536, 33) {
    %a = loop.load %x[%i, %j] : memref<65536x33xf32>
    %c = loop.load %b[%j] : memref<33xf32>
    %d = arith.addf %a, %c : f32
    loop.store %d, %y[%i, %j] : memref<65536x33xf32>
  }
}

// A small problem is cut into enough programs for the device.

// CHECK-LABEL: loop.kernel @small(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, {{32|64|128|256}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (4096) axes ["x"]
loop.kernel @small(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  loop.parallel (%i) in (4096) {
    %a = loop.load %x[%i] : memref<4096xf32>
    loop.store %a, %y[%i] : memref<4096xf32>
  }
}

// Operands that are contiguous along different dims: square tiles.

// CHECK-LABEL: loop.kernel @transpose(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"y", program, {{[0-9]+}}>, #loop.axis<"x", program, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (512, 1024) axes ["y", "x"]
loop.kernel @transpose(%x: memref<1024x512xf32>, %y: memref<512x1024xf32>) {
  loop.parallel (%i, %j) in (512, 1024) {
    %a = loop.load %x[%j, %i] : memref<1024x512xf32>
    loop.store %a, %y[%i, %j] : memref<512x1024xf32>
  }
}

// Half precision has larger tiles; the other dims are an axis of one element.

// CHECK-LABEL: loop.kernel @transpose_half(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"z", program, 1>, #loop.axis<"y", program, {{[0-9]+}}>, #loop.axis<"x", program, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (8, 512, 1024) axes ["z", "y", "x"]
loop.kernel @transpose_half(%x: memref<8x1024x512xf16>, %y: memref<8x512x1024xf16>) {
  loop.parallel (%b, %i, %j) in (8, 512, 1024) {
    %a = loop.load %x[%b, %j, %i] : memref<8x1024x512xf16>
    loop.store %a, %y[%b, %i, %j] : memref<8x512x1024xf16>
  }
}

// An inner reduction over a short row: the row is one tile.

// CHECK-LABEL: loop.kernel @persistent(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, {{[0-9]+}}>, #loop.axis<"r", tile, 1024>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (8192) axes ["x"]
// CHECK:         in (1000) axes ["r"]
loop.kernel @persistent(%x: memref<8192x1000xf32>, %y: memref<8192xf32>) {
  loop.parallel (%i) in (8192) {
    %r = loop.reduce [add] (%k) in (1000) -> f32 {
      %a = loop.load %x[%i, %k] : memref<8192x1000xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<8192xf32>
  }
}

// Few rows: one a program.

// CHECK-LABEL: loop.kernel @few_rows(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 128>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (256) axes ["x"]
// CHECK:         in (100) axes ["r"]
loop.kernel @few_rows(%x: memref<256x100xf32>, %y: memref<256xf32>) {
  loop.parallel (%i) in (256) {
    %r = loop.reduce [add] (%k) in (100) -> f32 {
      %a = loop.load %x[%i, %k] : memref<256x100xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<256xf32>
  }
}

// A long row is walked in steps.

// CHECK-LABEL: loop.kernel @looped(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (512) axes ["x"]
// CHECK:         in (100000) axes ["r"]
loop.kernel @looped(%x: memref<512x100000xf32>, %y: memref<512xf32>) {
  loop.parallel (%i) in (512) {
    %r = loop.reduce [add] (%k) in (100000) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x100000xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<512xf32>
  }
}

// So is a row of unknown length; its offsets are not known to fit 32 bits.

// CHECK-LABEL: loop.kernel @symbolic(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 64>
// CHECK:         in (512) axes ["x"]
// CHECK:         in (%s0) axes ["r"]
loop.kernel @symbolic(%x: memref<512x?xf32, #loop.strided<[s0, 1]>>, %y: memref<512xf32>, %s0: index) {
  loop.parallel (%i) in (512) {
    %r = loop.reduce [add] (%k) in (%s0) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x?xf32, #loop.strided<[s0, 1]>>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i] : memref<512xf32>
  }
}

// An outer reduction: a program has some columns and walks the rows.

// CHECK-LABEL: loop.kernel @outer(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, {{[0-9]+}}>, #loop.axis<"r", loop, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (4096) axes ["x"]
// CHECK:         in (2048) axes ["r"]
loop.kernel @outer(%x: memref<2048x4096xf32>, %y: memref<4096xf32>) {
  loop.parallel (%j) in (4096) {
    %r = loop.reduce [add] (%k) in (2048) -> f32 {
      %a = loop.load %x[%k, %j] : memref<2048x4096xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%j] : memref<4096xf32>
  }
}

// A middle reduction likewise, for each of the slow dims; few rows are one tile.

// CHECK-LABEL: loop.kernel @middle(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"x", program, {{[0-9]+}}>, #loop.axis<"r", tile, 8>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (64, 4096) axes ["y", "x"]
// CHECK:         in (7) axes ["r"]
loop.kernel @middle(%x: memref<64x7x4096xf32>, %y: memref<64x4096xf32>) {
  loop.parallel (%i, %j) in (64, 4096) {
    %r = loop.reduce [add] (%k) in (7) -> f32 {
      %a = loop.load %x[%i, %k, %j] : memref<64x7x4096xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[%i, %j] : memref<64x4096xf32>
  }
}

// One element.

// CHECK-LABEL: loop.kernel @scalar(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         in (1) axes ["x"]
loop.kernel @scalar(%x: memref<f32>, %y: memref<f32>) {
  loop.parallel (%i) in (1) {
    %a = loop.load %x[] : memref<f32>
    loop.store %a, %y[] : memref<f32>
  }
}

// More than 2^31 elements: 64-bit indices.

// CHECK-LABEL: loop.kernel @large(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"y", program, 1>, #loop.axis<"x", program, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 64>
// CHECK:         in (65536, 65536) axes ["y", "x"]
loop.kernel @large(%x: memref<65536x65536xi8>, %y: memref<65536x65536xi8>) {
  loop.parallel (%i, %j) in (65536, 65536) {
    %a = loop.load %x[%i, %j] : memref<65536x65536xi8>
    loop.store %a, %y[%i, %j] : memref<65536x65536xi8>
  }
}

// Few elements, but an offset past 2^31.

// CHECK-LABEL: loop.kernel @far_stride(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 64>
// CHECK:         in (8, 4) axes ["x", "x"]
loop.kernel @far_stride(%x: memref<8x4xf32, strided<[1000000000, 1]>>, %y: memref<8x4xf32>) {
  loop.parallel (%i, %j) in (8, 4) {
    %a = loop.load %x[%i, %j] : memref<8x4xf32, strided<[1000000000, 1]>>
    loop.store %a, %y[%i, %j] : memref<8x4xf32>
  }
}

// Small buffers, but the index of the flattened dims passes 2^31.

// CHECK-LABEL: loop.kernel @many_iterations(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 64>
// CHECK:         in (1) axes ["x"]
// CHECK:         in (65536, 65536) axes ["r", "r"]
loop.kernel @many_iterations(%x: memref<65536xf32>, %y: memref<f32>) {
  loop.parallel (%i) in (1) {
    %r = loop.reduce [add] (%k, %l) in (65536, 65536) -> f32 {
      %a = loop.load %x[%l] : memref<65536xf32>
      loop.yield %a : f32
    }
    loop.store %r, %y[] : memref<f32>
  }
}

// Rows of 4097 halves start anywhere within 16 bytes: their edges are a segment of their own, the tile has the rest.

// CHECK-LABEL: loop.kernel @odd_rows(
// CHECK-SAME:    #loop.axis<"r", tile, 4096, groups of 8 from affine_map<(d0) -> ((d0 * 4097))>>
loop.kernel @odd_rows(%x: memref<1024x4097xbf16>, %g: memref<4097xbf16>, %y: memref<1024xbf16>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [add] (%k) in (4097) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<1024x4097xbf16>
      %b = loop.load %g[%k] : memref<4097xbf16>
      %c = arith.mulf %a, %b : bf16
      loop.yield %c : bf16
    }
    loop.store %r, %y[%i] : memref<1024xbf16>
  }
}

// The group is that of the narrowest elements.

// CHECK-LABEL: loop.kernel @odd_bytes(
// CHECK-SAME:    #loop.axis<"r", loop, {{[0-9]+}}, groups of 16 from affine_map<(d0) -> ((d0 * 50001))>>
loop.kernel @odd_bytes(%x: memref<1024x50001xf32>, %m: memref<1024x50001xi1>, %y: memref<1024xf32>) {
  loop.parallel (%i) in (1024) {
    %zero = arith.constant 0.0 : f32
    %r = loop.reduce [add] (%k) in (50001) -> f32 {
      %a = loop.load %x[%i, %k] : memref<1024x50001xf32>
      %b = loop.load %m[%i, %k] : memref<1024x50001xi1>
      %c = arith.select %b, %a, %zero : f32
      loop.yield %c : f32
    }
    loop.store %r, %y[%i] : memref<1024xf32>
  }
}

// Rows of an even length that lie an odd number of elements apart.

// CHECK-LABEL: loop.kernel @odd_strides(
// CHECK-SAME:    #loop.axis<"r", tile, 4096, groups of 8 from affine_map<(d0) -> ((d0 * 4097))>>
loop.kernel @odd_strides(%x: memref<1024x4096xbf16, strided<[4097, 1]>>, %y: memref<1024xbf16>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [max] (%k) in (4096) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<1024x4096xbf16, strided<[4097, 1]>>
      loop.yield %a : bf16
    }
    loop.store %r, %y[%i] : memref<1024xbf16>
  }
}

// The longest tile of rows of halves that are written again, and the steps of rows that start at 16 bytes.

// CHECK-LABEL: loop.kernel @odd_softmax(
// CHECK-SAME:    #loop.axis<"x", program, 1>, #loop.axis<"r", tile, 8192, groups of 8 from affine_map<(d0) -> ((d0 * 8193))>>], num_warps = 8,
loop.kernel @odd_softmax(%x: memref<1024x8193xbf16>, %y: memref<1024x8193xbf16>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [max] (%k) in (8193) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<1024x8193xbf16>
      loop.yield %a : bf16
    }
    loop.parallel (%k) in (8193) {
      %a = loop.load %x[%i, %k] : memref<1024x8193xbf16>
      %b = arith.subf %a, %r : bf16
      loop.store %b, %y[%i, %k] : memref<1024x8193xbf16>
    }
  }
}

// CHECK-LABEL: loop.kernel @odd_steps(
// CHECK-SAME:    #loop.axis<"r", loop, 16384, groups of 8 from affine_map<(d0) -> ((d0 * 50257))>>], num_warps = 8,
loop.kernel @odd_steps(%x: memref<1024x50257xbf16>, %y: memref<1024x50257xbf16>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [max] (%k) in (50257) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<1024x50257xbf16>
      loop.yield %a : bf16
    }
    loop.parallel (%k) in (50257) {
      %a = loop.load %x[%i, %k] : memref<1024x50257xbf16>
      %b = arith.subf %a, %r : bf16
      loop.store %b, %y[%i, %k] : memref<1024x50257xbf16>
    }
  }
}

// Read and written in place: one segment, short steps.

// CHECK-LABEL: loop.kernel @odd_in_place(
// CHECK-SAME:    #loop.axis<"r", loop, 4096>], num_warps = 8,
loop.kernel @odd_in_place(%x: memref<1024x50257xbf16>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [max] (%k) in (50257) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<1024x50257xbf16>
      loop.yield %a : bf16
    }
    loop.parallel (%k) in (50257) {
      %a = loop.load %x[%i, %k] : memref<1024x50257xbf16>
      %b = arith.subf %a, %r : bf16
      loop.store %b, %x[%i, %k] : memref<1024x50257xbf16>
    }
  }
}

// One segment: rows that start at 16 bytes; of which most accesses do; that are short; that fill half a tile; that are
// shared by programs; that are scanned; that are walked with their columns; of wide elements.

// CHECK-LABEL: loop.kernel @even_rows(
// CHECK-NOT:     groups of
loop.kernel @even_rows(%x: memref<1024x4104xbf16>, %y: memref<1024xbf16>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [add] (%k) in (4104) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<1024x4104xbf16>
      loop.yield %a : bf16
    }
    loop.store %r, %y[%i] : memref<1024xbf16>
  }
}

// CHECK-LABEL: loop.kernel @mostly_even(
// CHECK-NOT:     groups of
loop.kernel @mostly_even(%x: memref<1024x4096xf32>, %m: memref<1024x4096xbf16, strided<[4097, 1]>>, %y: memref<1024xf32>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<1024x4096xf32>
      %b = loop.load %m[%i, %k] : memref<1024x4096xbf16, strided<[4097, 1]>>
      %c = arith.extf %b : bf16 to f32
      %d = arith.mulf %a, %c : f32
      loop.yield %d : f32
    }
    loop.store %r, %y[%i] : memref<1024xf32>
  }
}

// CHECK-LABEL: loop.kernel @short_odd_rows(
// CHECK-NOT:     groups of
loop.kernel @short_odd_rows(%x: memref<65536x801xbf16>, %y: memref<65536xbf16>) {
  loop.parallel (%i) in (65536) {
    %r = loop.reduce [add] (%k) in (801) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<65536x801xbf16>
      loop.yield %a : bf16
    }
    loop.store %r, %y[%i] : memref<65536xbf16>
  }
}

// CHECK-LABEL: loop.kernel @half_a_tile(
// CHECK-NOT:     groups of
loop.kernel @half_a_tile(%x: memref<65536x2101xbf16>, %y: memref<65536xbf16>) {
  loop.parallel (%i) in (65536) {
    %r = loop.reduce [add] (%k) in (2101) -> bf16 {
      %a = loop.load %x[%i, %k] : memref<65536x2101xbf16>
      loop.yield %a : bf16
    }
    loop.store %r, %y[%i] : memref<65536xbf16>
  }
}

// CHECK-LABEL: loop.kernel @shared_odd_rows(
// CHECK-SAME:    #loop.axis<"r", shared, {{[0-9]+}}>]
loop.kernel @shared_odd_rows(%x: memref<9x50257xf32>, %y: memref<9x50257xf32>) {
  loop.parallel (%i) in (9) {
    %r = loop.reduce [max] (%k) in (50257) -> f32 {
      %a = loop.load %x[%i, %k] : memref<9x50257xf32>
      loop.yield %a : f32
    }
    loop.parallel (%k) in (50257) {
      %a = loop.load %x[%i, %k] : memref<9x50257xf32>
      %b = arith.subf %a, %r : f32
      loop.store %b, %y[%i, %k] : memref<9x50257xf32>
    }
  }
}

// CHECK-LABEL: loop.kernel @walked_odd_rows(
// CHECK-SAME:    #loop.axis<"r", tile, 8192>]
loop.kernel @walked_odd_rows(%x: memref<16384x4097xf32>, %y: memref<16384xf32>, %z: memref<256x4097xf32>) {
  loop.parallel (%p, %j) in (256, 4097) {
    %c = loop.reduce [add] (%r) in (64) -> f32 {
      %s = loop.reduce [max] (%k) in (4097) -> f32 {
        %a = loop.load %x[%p * 64 + %r, %k] : memref<16384x4097xf32>
        loop.yield %a : f32
      }
      loop.store %s, %y[%p * 64 + %r] : memref<16384xf32>
      %a = loop.load %x[%p * 64 + %r, %j] : memref<16384x4097xf32>
      loop.yield %a : f32
    }
    loop.store %c, %z[%p, %j] : memref<256x4097xf32>
  }
}

// CHECK-LABEL: loop.kernel @scanned_rows(
// CHECK-NOT:     groups of
loop.kernel @scanned_rows(%x: memref<1024x4097xbf16>, %y: memref<1024x4097xbf16>) {
  loop.parallel (%i) in (1024) {
    loop.scan (%k) in (4097) {
      %a = loop.load %x[%i, %k] : memref<1024x4097xbf16>
      %p = loop.prefix add %a : bf16
      loop.store %p, %y[%i, %k] : memref<1024x4097xbf16>
    }
  }
}

// CHECK-LABEL: loop.kernel @wide_elements(
// CHECK-NOT:     groups of
loop.kernel @wide_elements(%x: memref<1024x4097xf64>, %y: memref<1024xf64>) {
  loop.parallel (%i) in (1024) {
    %r = loop.reduce [add] (%k) in (4097) -> f64 {
      %a = loop.load %x[%i, %k] : memref<1024x4097xf64>
      loop.yield %a : f64
    }
    loop.store %r, %y[%i] : memref<1024xf64>
  }
}

// A kernel of several nests is not scheduled.

// CHECK-LABEL: loop.kernel @two_nests
// CHECK-NOT:     schedule
loop.kernel @two_nests(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %z[%i] : memref<4xf32>
  }
}

// Prefixes of a short row in one tile; from the end, as many lanes stay together as a thread loads at once.

// CHECK-LABEL: loop.kernel @scan(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, {{[0-9]+}}>, #loop.axis<"r", tile, 1024>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK:         loop.scan reverse (%{{.*}}) in (1000) axes ["r"] {
// CHECK:         } {loop.lane_group = 4 : i64}
loop.kernel @scan(%x: memref<8192x1000xf32>, %y: memref<8192x1000xf32>) {
  loop.parallel (%i) in (8192) {
    loop.scan reverse (%k) in (1000) {
      %a = loop.load %x[%i, %k] : memref<8192x1000xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%i, %k] : memref<8192x1000xf32>
    }
  }
}

// A long row is walked in steps. Rows of odd length are not aligned: every lane is loaded by itself.

// CHECK-LABEL: loop.kernel @odd_scan(
// CHECK-SAME:    schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, {{[0-9]+}}>], num_warps = {{[0-9]+}}, num_stages = {{[0-9]+}}, index_bits = 32>
// CHECK-NOT:     loop.lane_group
// CHECK-LABEL: loop.kernel @double_scan(
loop.kernel @odd_scan(%x: memref<64x20001xf32>, %y: memref<64x20001xf32>) {
  loop.parallel (%i) in (64) {
    loop.scan reverse (%k) in (20001) {
      %a = loop.load %x[%i, %k] : memref<64x20001xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%i, %k] : memref<64x20001xf32>
    }
  }
}

// CHECK:         } {loop.lane_group = 2 : i64}
loop.kernel @double_scan(%x: memref<64x20000xf64>, %y: memref<64x20000xf64>) {
  loop.parallel (%i) in (64) {
    loop.scan reverse (%k) in (20000) {
      %a = loop.load %x[%i, %k] : memref<64x20000xf64>
      %p = loop.prefix add %a : f64
      loop.store %p, %y[%i, %k] : memref<64x20000xf64>
    }
  }
}

// RUN: fusir-opt %s --convert-loop-to-tt | filecheck %s

// A row in a tile: first the edges, 16 lanes of which the first 8 are the head, with exact masks. The lanes of the whole
// groups start at the first multiple of 8 behind the start of the row, which `// 8 * 8` shows, and their mask compares
// groups. Both segments are reduced, and both are stored; the row is loaded once.

// CHECK-LABEL: tt.func public @tile(
// CHECK-SAME:    fusir.constexprs = {RBLOCK = 64 : i32, REDGES = 16 : i32}
// CHECK:         [[EIGHT:%.*]] = arith.constant 8 : i32
// CHECK:         [[I:%.*]] = tt.get_program_id x
// CHECK:         [[LANES:%.*]] = tt.make_range {fusir.name = "REDGES", start = 0 : i32, end = 16 : i32}
// CHECK:         [[TAIL:%.*]] = arith.cmpi slt, %{{.*}}, [[LANES]]
// CHECK:         [[EDGE:%redge.*]] = arith.select [[TAIL]], %{{.*}}, [[LANES]]
// CHECK:         [[END:%.*]] = arith.select [[TAIL]],
// CHECK-NEXT:    [[EDGEMASK:%redgemask.*]] = arith.cmpi slt, [[EDGE]], [[END]] : tensor<16xi32>
// CHECK:         [[EDGES:%.*]] = tt.load %{{.*}}, [[EDGEMASK]], %{{.*}} : tensor<16x!tt.ptr<f16>>
// CHECK:         [[LANE:%.*]] = tt.make_range {fusir.name = "RBLOCK", start = 0 : i32, end = 64 : i32}
// CHECK:         [[GROUP:%.*]] = arith.divsi [[LANE]], %{{.*}} : tensor<64xi32>
// CHECK:         [[NOTLAST:%.*]] = arith.cmpi slt, [[GROUP]], %{{.*}} : tensor<64xi32>
// CHECK:         [[ALL:%.*]] = arith.cmpi slt, [[GROUP]], %{{.*}} : tensor<64xi32>
// CHECK:         [[MASK:%rmask]] = arith.ori {{.*}} : tensor<64xi1>
// CHECK-NEXT:    [[C64:%.*]] = arith.muli [[I]], %{{.*}} : i32
// CHECK-NEXT:    [[C8:%.*]] = arith.muli %{{.*}}, [[EIGHT]] : i32
// CHECK-NEXT:    [[SUM:%.*]] = arith.addi [[C64]], [[C8]] : i32
// CHECK-NEXT:    [[FIRST:%.*]] = arith.addi [[SUM]], [[EIGHT]] : i32
// CHECK-NEXT:    [[SPLAT:%.*]] = tt.splat [[FIRST]]
// CHECK-NEXT:    [[PLACE:%.*]] = arith.addi [[SPLAT]], [[LANE]] : tensor<64xi32>
// CHECK:         [[P:%.*]] = tt.addptr %{{.*}}, [[PLACE]]
// CHECK:         [[WHOLE:%.*]] = tt.load [[P]], [[MASK]], %{{.*}} : tensor<64x!tt.ptr<f16>>
// CHECK:         "tt.reduce"
// CHECK:         (tensor<16xf16>) -> f16
// CHECK:         "tt.reduce"
// CHECK:         (tensor<64xf16>) -> f16
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f16
// CHECK-NOT:     tt.load
// CHECK:         tt.store %{{.*}}, %{{.*}}, [[EDGEMASK]] : tensor<16x!tt.ptr<f16>>
// CHECK:         [[Q:%.*]] = tt.addptr %{{.*}}, [[PLACE]]
// CHECK:         tt.store [[Q]], %{{.*}}, [[MASK]] : tensor<64x!tt.ptr<f16>>
// CHECK:         tt.return
loop.kernel @tile(%x: memref<9x65xf16>, %y: memref<9x65xf16>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 64, groups of 8 from affine_map<(d0) -> (d0 * 65)>>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (9) axes ["x"] {
    %s = loop.reduce [add] (%k) in (65) axes ["r"] -> f16 {
      %a = loop.load %x[%i, %k] : memref<9x65xf16>
      loop.yield %a : f16
    }
    loop.parallel (%k) in (65) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<9x65xf16>
      %b = arith.subf %a, %s : f16
      loop.store %b, %y[%i, %k] : memref<9x65xf16>
    }
  }
}

// Whole groups that always fill the tile have no mask.

// CHECK-LABEL: tt.func public @full(
// CHECK:         tt.load %{{.*}}, %redgemask{{.*}}, %{{.*}} : tensor<16x!tt.ptr<f16>>
// CHECK:         tt.load %{{[^,]*}} : tensor<64x!tt.ptr<f16>>
loop.kernel @full(%x: memref<9x72xf16, strided<[73, 1]>>, %y: memref<9xf16>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 64, groups of 8 from affine_map<(d0) -> (d0 * 73)>>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (9) axes ["x"] {
    %s = loop.reduce [add] (%k) in (72) axes ["r"] -> f16 {
      %a = loop.load %x[%i, %k] : memref<9x72xf16, strided<[73, 1]>>
      loop.yield %a : f16
    }
    loop.store %s, %y[%i] : memref<9xf16>
  }
}

// A row in steps: the edges once before the loop, whose end is that of the whole groups. What does not start where the
// rows start is at `head + lane`.

// CHECK-LABEL: tt.func public @steps(
// CHECK:         tt.load %{{.*}}, %redgemask{{.*}} : tensor<8x!tt.ptr<f32>>
// CHECK:         tt.load %{{.*}}, %redgemask{{.*}} : tensor<8x!tt.ptr<f32>>
// CHECK:         scf.for %rstart = %{{.*}} to [[WHOLE:%[0-9]+]] step
// CHECK:           %r = arith.addi
// CHECK:           [[LEFT:%.*]] = arith.subi [[WHOLE]], %rstart
// CHECK:           [[GROUPS:%.*]] = arith.divsi [[LEFT]],
// CHECK:           %rmask = arith.cmpi slt,
// CHECK:           tt.load %{{.*}}, %rmask, %{{.*}} : tensor<16x!tt.ptr<f32>>
// CHECK:           [[G:%.*]] = tt.addptr %{{.*}}, %r :
// CHECK:           tt.load [[G]], %rmask, %{{.*}} : tensor<16x!tt.ptr<f32>>
loop.kernel @steps(%x: memref<9x65xf32>, %g: memref<65xf32>, %y: memref<9xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, 16, groups of 4 from affine_map<(d0) -> (d0 * 65)>>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (9) axes ["x"] {
    %s = loop.reduce [add] (%k) in (65) axes ["r"] -> f32 {
      %a = loop.load %x[%i, %k] : memref<9x65xf32>
      %b = loop.load %g[%k] : memref<65xf32>
      %c = arith.mulf %a, %b : f32
      loop.yield %c : f32
    }
    loop.store %s, %y[%i] : memref<9xf32>
  }
}

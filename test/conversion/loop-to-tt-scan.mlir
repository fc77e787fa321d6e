// RUN: fusir-opt %s --convert-loop-to-tt | filecheck %s

// A row in one tile: one `tt.scan`. From the front, the lanes past the end come after all others, so they need no identity.

// CHECK-LABEL: tt.func public @tile(
// CHECK:         [[X:%.*]] = tt.load {{.*}} : tensor<16x!tt.ptr<f32>>
// CHECK-NEXT:    [[P:%.*]] = "tt.scan"([[X]]) <{axis = 0 : i32, reverse = false}> ({
// CHECK-NEXT:    ^{{.*}}([[A:%.*]]: f32, [[B:%.*]]: f32):
// CHECK-NEXT:      [[S:%.*]] = arith.addf [[A]], [[B]] : f32
// CHECK-NEXT:      tt.scan.return [[S]] : f32
// CHECK-NEXT:    }) : (tensor<16xf32>) -> tensor<16xf32>
// CHECK:         tt.store {{%.*}}, [[P]], {{%.*}}
loop.kernel @tile(%x: memref<8x13xf32>, %y: memref<8x13xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan (%k) in (13) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x13xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%i, %k] : memref<8x13xf32>
    }
  }
}

// From the end, lane `l` has the index `15 - l`: then the scan goes from the front. The lanes past the end of the row come
// first, and hold the identity.

// CHECK-LABEL: tt.func public @reverse(
// CHECK:         [[INF:%.*]] = arith.constant 0x7f800000 : f32
// CHECK:         [[L:%.*]] = tt.make_range
// CHECK:         [[A:%.*]] = arith.subi {{%.*}}, [[L]] : tensor<16xi32>
// CHECK:         arith.subi [[A]], {{%.*}} : tensor<16xi32>
// CHECK:         [[X:%.*]] = tt.load
// CHECK:         [[I:%.*]] = tt.splat [[INF]]
// CHECK-NEXT:    [[M:%.*]] = arith.select {{%.*}}, [[X]], [[I]]
// CHECK-NEXT:    "tt.scan"([[M]]) <{axis = 0 : i32, reverse = false}>
loop.kernel @reverse(%x: memref<8x13xf32>, %y: memref<8x13xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan reverse (%k) in (13) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x13xf32>
      %p = loop.prefix min %a : f32
      loop.store %p, %y[%i, %k] : memref<8x13xf32>
    }
  }
}

// Groups of lanes that keep the order of their indices are reversed around the scan, which only renames registers.

// CHECK-LABEL: tt.func public @groups(
// CHECK:         [[L:%.*]] = tt.make_range
// CHECK:         [[Q:%.*]] = arith.divsi [[L]], {{%.*}} : tensor<16xi32>
// CHECK:         [[F:%.*]] = arith.muli [[Q]], {{%.*}} : tensor<16xi32>
// CHECK:         [[A:%.*]] = arith.subi {{%.*}}, [[F]] : tensor<16xi32>
// CHECK:         [[B:%.*]] = arith.subi [[A]], {{%.*}} : tensor<16xi32>
// CHECK:         [[R:%.*]] = arith.remsi [[L]], {{%.*}} : tensor<16xi32>
// CHECK-NEXT:    arith.addi [[B]], [[R]] : tensor<16xi32>
// CHECK:         [[X:%.*]] = tt.load
// CHECK-NEXT:    [[G:%.*]] = tt.reshape [[X]] {{.*}} -> tensor<8x2xf32>
// CHECK-NEXT:    [[E:%.*]], [[O:%.*]] = tt.split [[G]] {{.*}} -> tensor<8xf32>
// CHECK-NEXT:    [[J:%.*]] = tt.join [[O]], [[E]] {{.*}} -> tensor<8x2xf32>
// CHECK-NEXT:    [[T:%.*]] = tt.reshape [[J]] {{.*}} -> tensor<16xf32>
// CHECK-NEXT:    [[P:%.*]] = "tt.scan"([[T]]) <{axis = 0 : i32, reverse = false}>
// CHECK:         tt.reshape [[P]] {{.*}} -> tensor<8x2xf32>
// CHECK-NEXT:    tt.split
// CHECK-NEXT:    tt.join
// CHECK-NEXT:    [[Y:%.*]] = tt.reshape {{.*}} -> tensor<16xf32>
// CHECK:         tt.store {{%.*}}, [[Y]]
loop.kernel @groups(%x: memref<8x16xf32>, %y: memref<8x16xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan reverse (%k) in (16) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %y[%i, %k] : memref<8x16xf32>
    } {loop.lane_group = 2 : i64}
  }
}

// In steps, each hands the fold of all before on.

// CHECK-LABEL: tt.func public @steps(
// CHECK:         scf.for {{.*}} iter_args([[C:%.*]] = {{%.*}}) -> (i64)
// CHECK:           [[X:%.*]] = tt.load {{.*}} : tensor<32x!tt.ptr<i64>>
// CHECK-NEXT:      [[P:%.*]] = "tt.scan"([[X]])
// CHECK:           [[CS:%.*]] = tt.splat [[C]] : i64 -> tensor<32xi64>
// CHECK-NEXT:      [[Q:%.*]] = arith.addi [[CS]], [[P]] : tensor<32xi64>
// CHECK-NEXT:      [[T:%.*]] = "tt.reduce"([[X]])
// CHECK:           [[D:%.*]] = arith.addi [[C]], [[T]] : i64
// CHECK:           tt.store {{%.*}}, [[Q]]
// CHECK-NEXT:      scf.yield [[D]] : i64
loop.kernel @steps(%x: memref<8x96xi64>, %y: memref<8x96xi64>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, 32>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan (%k) in (96) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x96xi64>
      %p = loop.prefix add %a : i64
      loop.store %p, %y[%i, %k] : memref<8x96xi64>
    }
  }
}

// With one element a step there is nothing to scan.

// CHECK-LABEL: tt.func public @elements(
// CHECK:         scf.for {{.*}} iter_args([[C:%.*]] = {{%.*}}) -> (tensor<8xf32>)
// CHECK-NOT:       tt.scan
// CHECK:           [[D:%.*]] = arith.mulf [[C]], {{%.*}} : tensor<8xf32>
// CHECK:           tt.store {{%.*}}, [[D]]
// CHECK-NEXT:      scf.yield [[D]] : tensor<8xf32>
loop.kernel @elements(%x: memref<8x96xf32>, %y: memref<8x96xf32>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 8>, #loop.axis<"r", loop, 1>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan (%k) in (96) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x96xf32>
      %p = loop.prefix mul %a : f32
      loop.store %p, %y[%i, %k] : memref<8x96xf32>
    }
  }
}

// Pairs: indices have the width of the index arithmetic, and where they are those of the iterations, their order decides
// between equals. What a step hands on are the last lanes.

// CHECK-LABEL: tt.func public @positions(
// CHECK:         scf.for {{.*}} iter_args([[C:%.*]] = {{%.*}}, [[D:%.*]] = {{%.*}}) -> (f32, i32)
// CHECK:           [[R:%.*]] = arith.addi {{%.*}} : tensor<32xi32>
// CHECK:           [[X:%.*]] = tt.load
// CHECK:           [[M:%.*]], [[P:%.*]] = "tt.scan"([[X]], [[R]]) <{axis = 0 : i32, reverse = false}> ({
// CHECK-NEXT:      ^{{.*}}([[A:%.*]]: f32, [[I:%.*]]: i32, [[B:%.*]]: f32, [[J:%.*]]: i32):
// CHECK-NEXT:        [[G:%.*]] = arith.cmpf oge, [[B]], [[A]] : f32
// CHECK-NEXT:        [[N:%.*]] = arith.cmpf uno, [[B]], [[B]] : f32
// CHECK-NEXT:        [[T:%.*]] = arith.ori [[G]], [[N]] : i1
// CHECK-NEXT:        [[V:%.*]] = arith.select [[T]], [[B]], [[A]] : f32
// CHECK-NEXT:        [[W:%.*]] = arith.select [[T]], [[J]], [[I]] : i32
// CHECK-NEXT:        tt.scan.return [[V]], [[W]]
// CHECK:           "tt.reduce"
// CHECK:             arith.maximumf
// CHECK:           "tt.reduce"
// CHECK:             arith.maxsi
// CHECK:           [[E:%.*]] = arith.extsi {{%.*}} : tensor<32xi32> to tensor<32xi64>
// CHECK:           tt.store {{%.*}}, [[E]]
loop.kernel @positions(%x: memref<8x96xf32>, %y: memref<8x96xi64>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, 32>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan (%k) in (96) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x96xf32>
      %n = arith.index_cast %k : index to i64
      %m, %p = loop.prefix last_argmax %a, %n : f32, i64
      loop.store %p, %y[%i, %k] : memref<8x96xi64>
    }
  }
}

// Other indices are compared.

// CHECK-LABEL: tt.func public @loaded_positions(
// CHECK:         "tt.scan"
// CHECK-NEXT:    ^{{.*}}({{%.*}}: i32, [[I:%.*]]: i64, {{%.*}}: i32, [[J:%.*]]: i64):
// CHECK:           arith.cmpi sgt, [[I]], [[J]] : i64
loop.kernel @loaded_positions(%x: memref<8x16xi32>, %n: memref<16xi64>, %y: memref<8x16xi64>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", tile, 16>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan (%k) in (16) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x16xi32>
      %b = loop.load %n[%k] : memref<16xi64>
      %m, %p = loop.prefix last_argmin %a, %b : i32, i64
      loop.store %p, %y[%i, %k] : memref<8x16xi64>
    }
  }
}

// From the end in groups, the last lane is the first one of the last group.

// CHECK-LABEL: tt.func public @groups_in_steps(
// CHECK:         [[F:%.*]] = arith.constant 28 : i32
// CHECK:         [[S:%.*]] = tt.splat [[F]] : i32 -> tensor<32xi32>
// CHECK-NEXT:    arith.cmpi eq, {{%.*}}, [[S]] : tensor<32xi32>
loop.kernel @groups_in_steps(%x: memref<8x96xf32>, %y: memref<8x96xi64>) schedule #loop.schedule<axes = [#loop.axis<"x", program, 1>, #loop.axis<"r", loop, 32>], num_warps = 1, num_stages = 1, index_bits = 32> {
  loop.parallel (%i) in (8) axes ["x"] {
    loop.scan reverse (%k) in (96) axes ["r"] {
      %a = loop.load %x[%i, %k] : memref<8x96xf32>
      %n = arith.index_cast %k : index to i64
      %m, %p = loop.prefix last_argmax %a, %n : f32, i64
      loop.store %p, %y[%i, %k] : memref<8x96xi64>
    } {loop.lane_group = 4 : i64}
  }
}

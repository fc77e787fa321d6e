// RUN: fusir-opt %s --canonicalize --convert-graph-to-loop --loop-fuse | filecheck %s
// RUN: fusir-opt %s --canonicalize --convert-graph-to-loop --loop-fuse --loop-schedule | filecheck %s --check-prefix=AXES
// RUN: fusir-opt %s --canonicalize --convert-graph-to-loop --loop-fuse --loop-schedule --convert-loop-to-tt | filecheck %s --check-prefix=TILE

// A gated product: two contractions that share a factor share a loop, and the gate follows it.
func.func @gated(%x: tensor<64x32xf16>, %w: tensor<32x48xf16>, %v: tensor<32x48xf16>) -> tensor<64x48xf16> {
  %0 = graph.fusion (%a = %x : tensor<64x32xf16>, %b = %w : tensor<32x48xf16>, %c = %v : tensor<32x48xf16>) -> tensor<64x48xf16> {
    %1 = graph.contract %a, %b batch [], [] contract [1], [0] : (tensor<64x32xf16>, tensor<32x48xf16>) -> tensor<64x48xf32>
    %2 = graph.sigmoid %1 : tensor<64x48xf32>
    %3 = graph.contract %a, %c batch [], [] contract [1], [0] : (tensor<64x32xf16>, tensor<32x48xf16>) -> tensor<64x48xf32>
    %4 = graph.mul %2, %3 : tensor<64x48xf32>
    %5 = graph.convert %4 : tensor<64x48xf32> -> tensor<64x48xf16>
    graph.yield %5 : tensor<64x48xf16>
  }
  func.return %0 : tensor<64x48xf16>
}

// CHECK-LABEL: loop.kernel @fused_contract_sigmoid_mul_0
// CHECK:       loop.parallel (%[[M:.*]], %[[N:.*]]) in (64, 48) {
// CHECK-NEXT:    %[[GATE:.*]], %[[UP:.*]] = loop.reduce [add, add] (%[[K:.*]]) in (32) -> f32, f32 {
// CHECK-NEXT:      %[[X:.*]] = loop.load %in0[%[[M]], %[[K]]]
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK-NEXT:      loop.load %in1[%[[K]], %[[N]]]
// CHECK:           arith.mulf %[[WIDE]]
// CHECK-NEXT:      loop.load %in2[%[[K]], %[[N]]]
// CHECK:           arith.mulf %[[WIDE]]
// CHECK-NEXT:      loop.yield
// CHECK-NEXT:    } {loop.contraction}
// CHECK:         math.exp
// CHECK:         arith.mulf %{{.*}}, %[[UP]]
// CHECK:         loop.store

// AXES-LABEL: loop.kernel @fused_contract_sigmoid_mul_0
// AXES-SAME:  axes = [#loop.axis<"m", program, 16>, #loop.axis<"k", loop, 32>, #loop.axis<"n", program, 16>]
// AXES-SAME:  group = 8>
// AXES:       loop.load %in0{{.*}} {loop.descriptor}
// AXES:       loop.load %in1{{.*}} {loop.descriptor}
// AXES:       loop.load %in2{{.*}} {loop.descriptor}

// Each step loads a block of each matrix once; the tiles of a product stay in registers.
// TILE-LABEL: tt.func public @fused_contract_sigmoid_mul_0
// TILE-DAG:   %[[D0:.*]] = tt.make_tensor_descriptor %in0, {{.*}} : <f16>, <tensor<16x32xf16>>
// TILE-DAG:   %[[D1:.*]] = tt.make_tensor_descriptor %in1, {{.*}} : <f16>, <tensor<32x16xf16>>
// TILE-DAG:   %[[D2:.*]] = tt.make_tensor_descriptor %in2, {{.*}} : <f16>, <tensor<32x16xf16>>
// TILE:       scf.for
// TILE:         %[[X:.*]] = tt.descriptor_load %[[D0]]
// TILE-NEXT:    %[[W:.*]] = tt.descriptor_load %[[D1]]
// TILE-NEXT:    %[[V:.*]] = tt.descriptor_load %[[D2]]
// TILE-NEXT:    tt.dot %[[X]], %[[W]]
// TILE-NEXT:    tt.dot %[[X]], %[[V]]
// TILE-NEXT:    scf.yield
// TILE-NOT:   tt.load
// TILE:       tt.store
// TILE:       tt.return

// A prologue, and a reduction of parts of the rows of the result.
func.func @parts(%x: tensor<64x32xi8>, %w: tensor<40x32xf32>) -> tensor<64x5xf32> {
  %0 = graph.fusion (%a = %x : tensor<64x32xi8>, %b = %w : tensor<40x32xf32>) -> tensor<64x5xf32> {
    %1 = graph.convert %a : tensor<64x32xi8> -> tensor<64x32xf32>
    %2 = graph.exp %1 : tensor<64x32xf32>
    %3 = graph.contract %2, %b batch [], [] contract [1], [1] : (tensor<64x32xf32>, tensor<40x32xf32>) -> tensor<64x40xf32>
    %4 = graph.reshape %3 : tensor<64x40xf32> -> tensor<64x5x8xf32>
    %5 = graph.reduce sum %4 dims [2] : tensor<64x5x8xf32> -> tensor<64x5xf32>
    graph.yield %5 : tensor<64x5xf32>
  }
  func.return %0 : tensor<64x5xf32>
}

// CHECK-LABEL: loop.kernel @fused_exp_contract_sum_1
// CHECK:       loop.parallel (%[[M:.*]], %[[PART:.*]]) in (64, 5) {
// CHECK-NEXT:    %[[SUM:.*]] = loop.reduce [add] (%[[J:.*]]) in (8) -> f32 {
// CHECK-NEXT:      %[[DOT:.*]] = loop.reduce [add] (%[[K:.*]]) in (32) -> f32 {
// CHECK:             math.exp
// CHECK:             loop.load %in1[%[[PART]] * 8 + %[[J]], %[[K]]]
// CHECK:           } {loop.contraction}
// CHECK-NEXT:      loop.yield %[[DOT]]
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.store %[[SUM]], %out0[%[[M]], %[[PART]]]

// The columns that are folded are one tile; which of the parts it is, the grid says.
// AXES-LABEL: loop.kernel @fused_exp_contract_sum_1
// AXES-SAME:  #loop.axis<"npart", program, 1>, #loop.axis<"n", tile, 8>]

// TILE-LABEL: tt.func public @fused_exp_contract_sum_1
// TILE:       %[[W:.*]] = tt.make_tensor_descriptor %in1, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f32>, <tensor<8x32xf32>>
// TILE:       %[[DOT:.*]] = scf.for
// TILE:         tt.descriptor_load %in0_desc
// TILE:         math.exp
// The part moves the block along the rows.
// TILE:         %[[ROW:.*]] = arith.muli %npart0
// TILE:         tt.descriptor_load %[[W]][%[[ROW]], %kstart]
// TILE:         tt.dot
// TILE:       "tt.reduce"(%[[DOT]]) <{axis = 1 : i32}>
// TILE-NOT:   tensor<16x8x!tt.ptr
// TILE:       tt.store {{.*}} : tensor<16x!tt.ptr<f32>>
// TILE:       tt.return

// Programs that compute tile after tile, in groups; the wanted tiles come from the fusion.
func.func @wanted(%x: tensor<96x64xf16>, %w: tensor<80x64xf16>) -> tensor<96x80xf16> {
  %0 = graph.fusion (%a = %x : tensor<96x64xf16>, %b = %w : tensor<80x64xf16>) -> tensor<96x80xf16> attributes {loop.tiles = #loop.tiles<m = 16, n = 32, k = 64, group = 4, warps = 4, stages = 3, split = 1, descriptors = 0, persistent = 1>} {
    %1 = graph.contract %a, %b batch [], [] contract [1], [1] : (tensor<96x64xf16>, tensor<80x64xf16>) -> tensor<96x80xf16>
    graph.yield %1 : tensor<96x80xf16>
  }
  func.return %0 : tensor<96x80xf16>
}

// AXES-LABEL: loop.kernel @fused_contract_2
// AXES-SAME:  #loop.axis<"m", program, 16>, #loop.axis<"k", loop, 64>, #loop.axis<"n", program, 32>], num_warps = 4, num_stages = 3, index_bits = 32, group = 4, programs = 132>
// AXES-NOT:   loop.descriptor

// 6 tiles of rows and 3 of columns, fewer than there are multiprocessors; the last columns are masked.
// TILE-LABEL: tt.func public @fused_contract_2
// TILE-SAME:  fusir.grid = affine_map<() -> (18)>
// TILE:       scf.for %tile = %pid to
// TILE:         %[[ROWS:.*]] = arith.minsi
// TILE:         arith.remsi %{{.*}}, %[[ROWS]]
// TILE:         %nmask = arith.cmpi slt, %n,
// TILE:         scf.for %kstart
// TILE:           tt.dot
// TILE:         } {tt.num_stages = 3 : i32}
// TILE:         tt.store
// TILE:       } {tt.flatten}

// Two products of one factor as one dot: one descriptor describes both weights, wherever they are.
func.func @stacked(%x: tensor<64x64xf16>, %w: tensor<48x64xf16>, %v: tensor<48x64xf16>) -> tensor<64x48xf16> {
  %0 = graph.fusion (%a = %x : tensor<64x64xf16>, %b = %w : tensor<48x64xf16>, %c = %v : tensor<48x64xf16>) -> tensor<64x48xf16> attributes {loop.tiles = #loop.tiles<m = 32, n = 16, k = 64, group = 4, warps = 4, stages = 3, descriptors = 1, stacked = 1>} {
    %1 = graph.contract %a, %b batch [], [] contract [1], [1] : (tensor<64x64xf16>, tensor<48x64xf16>) -> tensor<64x48xf32>
    %2 = graph.contract %a, %c batch [], [] contract [1], [1] : (tensor<64x64xf16>, tensor<48x64xf16>) -> tensor<64x48xf32>
    %3 = graph.mul %1, %2 : tensor<64x48xf32>
    %4 = graph.convert %3 : tensor<64x48xf32> -> tensor<64x48xf16>
    graph.yield %4 : tensor<64x48xf16>
  }
  func.return %0 : tensor<64x48xf16>
}

// AXES-LABEL: loop.kernel @fused_contract_mul_3
// AXES:       {loop.contraction, loop.stacked}

// TILE-LABEL: tt.func public @fused_contract_mul_3
// TILE-DAG:   %[[A1:.*]] = tt.ptr_to_int %in1
// TILE-DAG:   %[[A2:.*]] = tt.ptr_to_int %in2
// TILE:       %is_first = arith.cmpi slt, %[[A1]], %[[A2]]
// TILE:       %[[BASE:.*]] = arith.select %is_first, %in1, %in2
// TILE:       %plane = arith.divsi
// TILE:       %[[PAIR:.*]] = tt.make_tensor_descriptor %[[BASE]], {{.*}}, [%plane, {{.*}}] : <f16>, <tensor<2x16x64xf16>>
// TILE:       %[[SUM:.*]] = scf.for
// TILE-NEXT:    tt.make_range
// TILE:         tt.descriptor_load %[[PAIR]]
// TILE-NEXT:    tt.reshape {{.*}} -> tensor<32x64xf16>
// TILE-NEXT:    tt.trans
// TILE-NEXT:    tt.dot {{.*}} -> tensor<32x32xf32>
// TILE-NEXT:    scf.yield
// TILE:       tt.reshape %[[SUM]] : tensor<32x32xf32> -> tensor<32x2x16xf32>
// TILE:       %[[LOW:.*]], %[[HIGH:.*]] = tt.split
// TILE:       arith.select {{.*}}, %[[LOW]], %[[HIGH]]
// TILE:       arith.select {{.*}}, %[[HIGH]], %[[LOW]]
// TILE:       arith.mulf

// What an epilogue reads is loaded behind the loop, whatever order the operands have: it need not be kept meanwhile.
func.func @residual(%x: tensor<64x64xf16>, %w: tensor<48x64xf16>, %r: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %0 = graph.fusion (%a = %x : tensor<64x64xf16>, %b = %w : tensor<48x64xf16>, %c = %r : tensor<64x48xf32>) -> tensor<64x48xf32> {
    %1 = graph.contract %a, %b batch [], [] contract [1], [1] : (tensor<64x64xf16>, tensor<48x64xf16>) -> tensor<64x48xf32>
    %2 = graph.add %c, %1 : tensor<64x48xf32>
    graph.yield %2 : tensor<64x48xf32>
  }
  func.return %0 : tensor<64x48xf32>
}

// CHECK-LABEL: loop.kernel @fused_contract_add_4
// CHECK-NOT:   loop.load %in2
// CHECK:       } {loop.contraction}
// CHECK-NEXT:  loop.load %in2

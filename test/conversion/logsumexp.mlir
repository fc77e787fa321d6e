// RUN: fusir-opt %s --convert-graph-to-loop | filecheck %s
// RUN: fusir-opt %s --convert-graph-to-loop --loop-fuse --loop-schedule --convert-loop-to-tt | filecheck %s --check-prefix=TILE
// RUN: fusir-opt %s --convert-graph-to-loop --loop-fuse --loop-schedule --convert-loop-to-tt -t triton | filecheck %s --check-prefix=SOURCE

// Pairs of a maximum and a sum are folded; halves are widened before, and rounded behind the logarithm.
// CHECK-LABEL: loop.kernel @fused_logsumexp_max_0
// CHECK:       %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:       loop.parallel
// CHECK-NEXT:    %[[M:.*]], %[[S:.*]] = loop.reduce [sumexp] (%{{.*}}) in (300) -> f32, f32 {
// CHECK-NEXT:      %[[X:.*]] = loop.load
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK-NEXT:      loop.yield %[[WIDE]], %[[ONE]] : f32, f32
// CHECK-NEXT:    } {loop.reduced_dims = [#builtin.int<1>]}
// CHECK-NEXT:    %[[LOG:.*]] = math.log %[[S]] : f32
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[M]], %[[LOG]] : f32
// CHECK-NEXT:    %[[R:.*]] = arith.truncf %[[SUM]] : f32 to bf16
// CHECK-NEXT:    loop.store %[[R]]
// The maximum beside it stays one.
// CHECK:         loop.reduce [max]
func.func @halves(%x: tensor<64x300xbf16>) -> (tensor<64xbf16>, tensor<64xbf16>) {
  %0, %1 = graph.fusion (%a = %x : tensor<64x300xbf16>) -> (tensor<64xbf16>, tensor<64xbf16>) {
    %2 = graph.reduce logsumexp %a dims [1] : tensor<64x300xbf16> -> tensor<64xbf16>
    %3 = graph.reduce max %a dims [1] : tensor<64x300xbf16> -> tensor<64xbf16>
    graph.yield %2, %3 : tensor<64xbf16>, tensor<64xbf16>
  }
  func.return %0, %1 : tensor<64xbf16>, tensor<64xbf16>
}

// The tile of a product is folded in registers.
// TILE-LABEL: tt.func public @fused_contract_logsumexp_1
// TILE:       scf.for
// TILE:         tt.dot
// TILE:       "tt.reduce"
// TILE:         math.exp
// TILE:       tt.store
// TILE-NOT:   tt.store

// SOURCE-LABEL: def fused_contract_logsumexp_1(
// SOURCE:       acc0 = tl.dot(in0, in1{{.*}}, acc0)
// SOURCE-NEXT:  [[M:tmp[0-9]+]], [[S:tmp[0-9]+]] = tl.reduce((acc0, tl.full([{{.*}}], 1.0, tl.float32)), 1, _sum_exponentials)
// SOURCE-NEXT:  tl.store({{.*}}, [[M]] + tl.log([[S]])
func.func @product(%x: tensor<64x32xf16>, %w: tensor<256x32xf16>) -> tensor<64x2xf32> {
  %0 = graph.fusion (%a = %x : tensor<64x32xf16>, %b = %w : tensor<256x32xf16>) -> tensor<64x2xf32> {
    %1 = graph.contract %a, %b batch [], [] contract [1], [1] : (tensor<64x32xf16>, tensor<256x32xf16>) -> tensor<64x256xf32>
    %2 = graph.reshape %1 : tensor<64x256xf32> -> tensor<64x2x128xf32>
    %3 = graph.reduce logsumexp %2 dims [2] : tensor<64x2x128xf32> -> tensor<64x2xf32>
    graph.yield %3 : tensor<64x2xf32>
  }
  func.return %0 : tensor<64x2xf32>
}

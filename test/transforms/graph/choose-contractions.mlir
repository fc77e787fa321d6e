// RUN: fusir-opt %s --choose-contractions --remarks 2> %t | filecheck %s
// RUN: filecheck %s --check-prefix=REMARK < %t

// Where nothing can be measured every fusion is kept as it is.
// CHECK-LABEL: @linear
// CHECK: graph.fusion
// CHECK-NOT: loop.tiles
// CHECK: graph.contract
// CHECK: graph.yield
// REMARK: remark: [choose-contractions] 8x12x16 bf16: fused; nothing was measured
func.func @linear(%x: tensor<8x16xbf16>, %w: tensor<16x12xbf16>, %b: tensor<12xf32>) -> tensor<8x12xf32> {
  %y = graph.fusion (%0 = %x : tensor<8x16xbf16>, %1 = %w : tensor<16x12xbf16>, %2 = %b : tensor<12xf32>) -> tensor<8x12xf32> {
    %p = graph.contract %0, %1 batch [], [] contract [1], [0] : (tensor<8x16xbf16>, tensor<16x12xbf16>) -> tensor<8x12xf32>
    %q = graph.broadcast %2 dims [1] : tensor<12xf32> -> tensor<8x12xf32>
    %r = graph.add %p, %q : tensor<8x12xf32>
    graph.yield %r : tensor<8x12xf32>
  }
  return %y : tensor<8x12xf32>
}

// A contraction outside of fusions goes to a library; a batch comes first.
// CHECK-LABEL: @batched
// CHECK-NEXT: graph.contract
// REMARK: remark: [choose-contractions] 3x4x6x5 f32: library; it is in no fusion
func.func @batched(%x: tensor<3x4x5xf32>, %y: tensor<3x5x6xf32>) -> tensor<3x4x6xf32> {
  %z = graph.contract %x, %y batch [0], [0] contract [2], [1] : (tensor<3x4x5xf32>, tensor<3x5x6xf32>) -> tensor<3x4x6xf32>
  return %z : tensor<3x4x6xf32>
}

// Fusions without contractions are of no concern.
// CHECK-LABEL: @pointwise
// CHECK: graph.fusion
// REMARK-NOT: remark:
func.func @pointwise(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = graph.fusion (%0 = %x : tensor<8xf32>) -> tensor<8xf32> {
    %p = graph.exp %0 : tensor<8xf32>
    graph.yield %p : tensor<8xf32>
  }
  return %y : tensor<8xf32>
}

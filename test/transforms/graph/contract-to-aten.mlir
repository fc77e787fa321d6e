// RUN: fusir-opt %s -p contract-to-aten --split-input-file | filecheck %s

// CHECK-LABEL: func.func @mm
// CHECK-NEXT:    %y = graph.call_aten "aten.mm.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (tensor<4x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xbf16>
// CHECK-NEXT:    func.return %y
func.func @mm(%x: tensor<4x8xbf16>, %w: tensor<8x5xbf16>) -> tensor<4x5xbf16> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<4x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xbf16>
  return %y : tensor<4x5xbf16>
}

// -----

// Batch dims collapse into one; the dims of each side are brought into the order of a matrix product.

// CHECK-LABEL: func.func @bmm
// CHECK-NEXT:    [[X:%.*]] = graph.reshape %x : tensor<2x3x4x8xf32> -> tensor<6x4x8xf32>
// CHECK-NEXT:    [[T:%.*]] = graph.permute %w dims [0, 1, 3, 2] : tensor<2x3x5x8xf32> -> tensor<2x3x8x5xf32>
// CHECK-NEXT:    [[W:%.*]] = graph.reshape [[T]] : tensor<2x3x8x5xf32> -> tensor<6x8x5xf32>
// CHECK-NEXT:    [[P:%.*]] = graph.call_aten "aten.bmm.default"([[X]], [[W]])
// CHECK-NEXT:    %y = graph.reshape [[P]] : tensor<6x4x5xf32> -> tensor<2x3x4x5xf32>
func.func @bmm(%x: tensor<2x3x4x8xf32>, %w: tensor<2x3x5x8xf32>) -> tensor<2x3x4x5xf32> {
  %y = graph.contract %x, %w batch [0, 1], [0, 1] contract [3], [3] : (tensor<2x3x4x8xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x4x5xf32>
  return %y : tensor<2x3x4x5xf32>
}

// -----

// Several contracted and free dims; dynamic extents.

// CHECK-LABEL: func.func @tensordot
// CHECK:         graph.permute %x dims [0, 2, 1]
// CHECK:         graph.reshape {{.*}} -> tensor<?x3xf32, #graph.dims<[s0 * 4, 3]>>
// CHECK:         graph.call_aten "aten.mm.default"({{.*}}) {{.*}} -> tensor<?x5xf32, #graph.dims<[s0 * 4, 5]>>
// CHECK:         graph.reshape {{.*}} -> tensor<?x4x5xf32, #graph.dims<[s0, 4, 5]>>
func.func @tensordot(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<?x3x4xf32, #graph.dims<[s0, 3, 4]>>, %w: tensor<3x5xf32>) -> tensor<?x4x5xf32, #graph.dims<[s0, 4, 5]>> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<?x3x4xf32, #graph.dims<[s0, 3, 4]>>, tensor<3x5xf32>) -> tensor<?x4x5xf32, #graph.dims<[s0, 4, 5]>>
  return %y : tensor<?x4x5xf32, #graph.dims<[s0, 4, 5]>>
}

// -----

// A fusion that only adds a bias to the columns is part of the product, also where it computes in f32. The product moves
// behind the computation of the bias.

// CHECK-LABEL: func.func @addmm
// CHECK-NEXT:    %b2 = graph.fusion
// CHECK:         %y = graph.call_aten "aten.addmm.default"(%b2, %x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>]}
// CHECK-NEXT:    func.return %y
func.func @addmm(%x: tensor<4x8xbf16>, %w: tensor<8x5xbf16>, %b: tensor<5xbf16>) -> tensor<4x5xbf16> {
  %m = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<4x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xbf16>
  %b2 = graph.fusion (%0 = %b : tensor<5xbf16>) -> tensor<5xbf16> {
    %1 = graph.neg %0 : tensor<5xbf16>
    graph.yield %1 : tensor<5xbf16>
  }
  %y = graph.fusion (%0 = %b2 : tensor<5xbf16>, %1 = %m : tensor<4x5xbf16>) -> tensor<4x5xbf16> {
    %2 = graph.convert %1 : tensor<4x5xbf16> -> tensor<4x5xf32>
    %3 = graph.convert %0 : tensor<5xbf16> -> tensor<5xf32>
    %4 = graph.broadcast %3 dims [1] : tensor<5xf32> -> tensor<4x5xf32>
    %5 = graph.add %2, %4 : tensor<4x5xf32>
    %6 = graph.convert %5 : tensor<4x5xf32> -> tensor<4x5xbf16>
    graph.yield %6 : tensor<4x5xbf16>
  }
  return %y : tensor<4x5xbf16>
}

// -----

// Not with more in the fusion, a bias of the rows, or a second reader of the product.

// CHECK-LABEL: func.func @no_addmm
// CHECK-COUNT-3: "aten.mm.default"
func.func @no_addmm(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %m0 = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %y0 = graph.fusion (%0 = %m0 : tensor<4x4xf32>, %1 = %b : tensor<4xf32>) -> tensor<4x4xf32> {
    %2 = graph.broadcast %1 dims [1] : tensor<4xf32> -> tensor<4x4xf32>
    %3 = graph.add %0, %2 : tensor<4x4xf32>
    %4 = graph.relu %3 : tensor<4x4xf32>
    graph.yield %4 : tensor<4x4xf32>
  }
  %m1 = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %y1 = graph.fusion (%0 = %m1 : tensor<4x4xf32>, %1 = %b : tensor<4xf32>) -> tensor<4x4xf32> {
    %2 = graph.broadcast %1 dims [0] : tensor<4xf32> -> tensor<4x4xf32>
    %3 = graph.add %0, %2 : tensor<4x4xf32>
    graph.yield %3 : tensor<4x4xf32>
  }
  %m2 = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %y2 = graph.fusion (%0 = %m2 : tensor<4x4xf32>, %1 = %b : tensor<4xf32>) -> tensor<4x4xf32> {
    %2 = graph.broadcast %1 dims [1] : tensor<4xf32> -> tensor<4x4xf32>
    %3 = graph.add %0, %2 : tensor<4x4xf32>
    graph.yield %3 : tensor<4x4xf32>
  }
  return %y0, %y1, %y2, %m2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Bytes: PyTorch's product of bytes, as the GPU wants them.

// CHECK-LABEL: func.func @bytes
// CHECK-NEXT:    %y = graph.call_aten "aten._int_mm.default"(%x, %w) {{.*}} : (tensor<17x8xi8>, tensor<8x16xi8>) -> tensor<17x16xi32>
// CHECK-NEXT:    func.return %y
func.func @bytes(%x: tensor<17x8xi8>, %w: tensor<8x16xi8>) -> tensor<17x16xi32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<17x8xi8>, tensor<8x16xi8>) -> tensor<17x16xi32>
  return %y : tensor<17x16xi32>
}

// -----

// Where it takes them not, floats that are exact: too few rows here.

// CHECK-LABEL: func.func @few_rows
// CHECK-COUNT-2: graph.convert %{{.*}} : {{.*}}xi8> -> {{.*}}xf32>
// CHECK:         [[P:%.*]] = graph.call_aten "aten.mm.default"({{.*}}) {{.*}} -> tensor<16x16xf32>
// CHECK:         graph.fusion ({{.*}} = [[P]] : tensor<16x16xf32>) -> tensor<16x16xi32>
// CHECK:         graph.convert {{.*}} -> tensor<16x16xi64>
// CHECK:         graph.convert {{.*}} -> tensor<16x16xi32>
func.func @few_rows(%x: tensor<16x1024xi8>, %w: tensor<1024x16xi8>) -> tensor<16x16xi32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<16x1024xi8>, tensor<1024x16xi8>) -> tensor<16x16xi32>
  return %y : tensor<16x16xi32>
}

// -----

// More products than f32 sums up exactly; a batch; symbolic extents.

// CHECK-LABEL: func.func @many_terms
// CHECK:         graph.call_aten "aten.bmm.default"({{.*}}) {{.*}} -> tensor<2x32x?xf64
func.func @many_terms(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<2x32x1025xi8>, %w: tensor<2x1025x?xi8, #graph.dims<[2, 1025, s0]>>) -> tensor<2x32x?xi32, #graph.dims<[2, 32, s0]>> {
  %y = graph.contract %x, %w batch [0], [0] contract [2], [1] : (tensor<2x32x1025xi8>, tensor<2x1025x?xi8, #graph.dims<[2, 1025, s0]>>) -> tensor<2x32x?xi32, #graph.dims<[2, 32, s0]>>
  return %y : tensor<2x32x?xi32, #graph.dims<[2, 32, s0]>>
}

// -----

// 8-bit floats: PyTorch's scaled product with scales of one, in its layouts; a product of f32 where it takes none.

// CHECK-LABEL: func.func @float8
// CHECK:         [[ONE:%.*]] = graph.fusion () -> tensor<f32>
// CHECK:         graph.call_aten "aten._scaled_mm.default"(%x, %w, [[ONE]], [[ONE]])
// CHECK-SAME:    out_dtype = #graph.torch<"float32">
// CHECK-SAME:    operand_strides = [#graph.dims<[32, 1]>, #graph.dims<[1, 32]>
// CHECK:         graph.call_aten "aten.mm.default"({{.*}}) {{.*}} : (tensor<4x32xf32>, tensor<32x5xf32>) -> tensor<4x5xf32>
func.func @float8(%x: tensor<4x32xf8E4M3FN>, %w: tensor<32x16xf8E4M3FN>, %v: tensor<32x5xf8E4M3FN>) -> (tensor<4x16xf32>, tensor<4x5xf32>) {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<4x32xf8E4M3FN>, tensor<32x16xf8E4M3FN>) -> tensor<4x16xf32>
  %z = graph.contract %x, %v batch [], [] contract [1], [0] : (tensor<4x32xf8E4M3FN>, tensor<32x5xf8E4M3FN>) -> tensor<4x5xf32>
  return %y, %z : tensor<4x16xf32>, tensor<4x5xf32>
}

// -----

// CHECK-LABEL: func.func @integers
// CHECK-NEXT:    graph.call_aten "aten.mm.default"(%x, %w)
func.func @integers(%x: tensor<32x8xi32>, %w: tensor<8x16xi32>) -> tensor<32x16xi32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<32x8xi32>, tensor<8x16xi32>) -> tensor<32x16xi32>
  return %y : tensor<32x16xi32>
}

// Sums of halves in f32 are products of f32 for ATen, which would round the others to halves.
// CHECK-LABEL: func.func @wide(
// CHECK-COUNT-2: graph.convert {{.*}} -> tensor<{{.*}}xf32>
// CHECK: graph.call_aten "aten.mm.default"({{.*}}) {{.*}} : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
func.func @wide(%x: tensor<64x32xf16>, %w: tensor<32x16xf16>) -> tensor<64x16xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf16>, tensor<32x16xf16>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// RUN: fusir-opt %s --fuse | filecheck %s
// RUN: fusir-opt %s -p 'fuse{enabled=false}' | filecheck %s --check-prefix=SINGLE
// RUN: fusir-opt %s -p 'fuse,fuse' | filecheck %s

// Three pointwise ops: one kernel that reads each input once.
// CHECK-LABEL: @sigmoid_affine
// CHECK-NEXT:  %0 = graph.fusion (%x_1 = %x : tensor<64x32xf32>, %w_1 = %w : tensor<32xf32>, %b_1 = %b : tensor<32xf32>) -> tensor<64x32xf32> {
// CHECK-NEXT:    graph.broadcast
// CHECK-NEXT:    graph.mul
// CHECK-NEXT:    graph.broadcast
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.sigmoid
// CHECK-NEXT:    graph.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return %0
// SINGLE-LABEL: @sigmoid_affine
// SINGLE-COUNT-3: graph.fusion
// SINGLE:      func.return
func.func @sigmoid_affine(%x: tensor<64x32xf32>, %w: tensor<32xf32>, %b: tensor<32xf32>) -> tensor<64x32xf32> {
  %0 = graph.broadcast %w dims [1] : tensor<32xf32> -> tensor<64x32xf32>
  %1 = graph.broadcast %b dims [1] : tensor<32xf32> -> tensor<64x32xf32>
  %2 = graph.mul %x, %0 : tensor<64x32xf32>
  %3 = graph.add %2, %1 : tensor<64x32xf32>
  %4 = graph.sigmoid %3 : tensor<64x32xf32>
  func.return %4 : tensor<64x32xf32>
}

// Into a reduction and out of it; constants are made in the kernel.
// CHECK-LABEL: @scale_sum_add
// CHECK-NEXT:  graph.fusion (%x_1 = %x : tensor<64x32xf32>) -> tensor<64xf32> {
// CHECK-NEXT:    graph.full 2.0
// CHECK-NEXT:    graph.mul
// CHECK-NEXT:    graph.reduce sum
// CHECK-NEXT:    graph.full 1.0
// CHECK-NEXT:    graph.add
// CHECK-NEXT:    graph.yield
func.func @scale_sum_add(%x: tensor<64x32xf32>) -> tensor<64xf32> {
  %0 = graph.full 2.0 : tensor<64x32xf32>
  %1 = graph.mul %x, %0 : tensor<64x32xf32>
  %2 = graph.reduce sum %1 dims [1] : tensor<64x32xf32> -> tensor<64xf32>
  %3 = graph.full 1.0 : tensor<64xf32>
  %4 = graph.add %2, %3 : tensor<64xf32>
  func.return %4 : tensor<64xf32>
}

// Siblings that read one tensor: two results.
// CHECK-LABEL: @sin_cos
// CHECK-NEXT:  %0, %1 = graph.fusion (%x_1 = %x : tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
// CHECK-NEXT:    graph.sin
// CHECK-NEXT:    graph.cos
// CHECK:       func.return %0, %1
func.func @sin_cos(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = graph.sin %x : tensor<64xf32>
  %1 = graph.cos %x : tensor<64xf32>
  func.return %0, %1 : tensor<64xf32>, tensor<64xf32>
}

// A view is no kernel: in front of one it is taken in, behind one it stays outside.
// CHECK-LABEL: @views
// CHECK-NEXT:  [[Y:%.*]] = graph.fusion (%x_1 = %x : tensor<64x32xf32>) -> tensor<32x64xf32> {
// CHECK-NEXT:    graph.permute
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  [[S:%.*]] = graph.slice [[Y]]
// CHECK-NEXT:  [[P:%.*]] = graph.permute %x
// CHECK-NEXT:  func.return [[S]], [[P]]
func.func @views(%x: tensor<64x32xf32>) -> (tensor<8x64xf32>, tensor<32x64xf32> {graph.strides = #graph.dims<[1, 32]>}) {
  %0 = graph.permute %x dims [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %1 = graph.exp %0 : tensor<32x64xf32>
  %2 = graph.slice %1 starts [4, 0] steps [1, 1] : tensor<32x64xf32> -> tensor<8x64xf32>
  func.return %2, %0 : tensor<8x64xf32>, tensor<32x64xf32>
}

// A transposed result of another layout is a copy, which the kernel that has the elements writes.
// CHECK-LABEL: @transposed
// CHECK-NEXT:  [[Y:%.*]], [[T:%.*]] = graph.fusion (%x_1 = %x : tensor<64x32xf32>) -> (tensor<64x32xf32>, tensor<32x64xf32>) {
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.permute
// CHECK-NEXT:    graph.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return [[T]], [[Y]]
func.func @transposed(%x: tensor<64x32xf32>) -> (tensor<32x64xf32>, tensor<64x32xf32>) {
  %0 = graph.exp %x : tensor<64x32xf32>
  %1 = graph.permute %0 dims [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  func.return %1, %0 : tensor<32x64xf32>, tensor<64x32xf32>
}

// A reshape that is no view of a buffer is a copy, and what it copies is computed on the way.
// CHECK-LABEL: @copy
// CHECK-NEXT:  %0 = graph.fusion (%x_1 = %x : tensor<64x32xf32>) -> tensor<2048xf32> {
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.permute
// CHECK-NEXT:    graph.reshape
// CHECK-NEXT:    graph.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return %0
func.func @copy(%x: tensor<64x32xf32>) -> tensor<2048xf32> {
  %0 = graph.exp %x : tensor<64x32xf32>
  %1 = graph.permute %0 dims [1, 0] : tensor<64x32xf32> -> tensor<32x64xf32>
  %2 = graph.reshape %1 : tensor<32x64xf32> -> tensor<2048xf32>
  func.return %2 : tensor<2048xf32>
}

// A constant result and a reversed argument are no views of a buffer either.
// CHECK-LABEL: @fill
// CHECK:       graph.fusion () -> tensor<8xf32> {
// CHECK-NEXT:    graph.full 3.0
// CHECK:       graph.fusion (%x_1 = %x : tensor<8x2xf32>) -> tensor<8x2xf32> {
// CHECK-NEXT:    graph.reverse
func.func @fill(%x: tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8x2xf32>) {
  %0 = graph.full 3.0 : tensor<8xf32>
  %1 = graph.reverse %x dims [0] : tensor<8x2xf32>
  func.return %0, %1 : tensor<8xf32>, tensor<8x2xf32>
}

// What is around an opaque op is not fused across it, and the order is kept.
// CHECK-LABEL: @around
// CHECK-NEXT:  [[A:%.*]] = graph.fusion
// CHECK-NEXT:    graph.exp
// CHECK-NEXT:    graph.yield
// CHECK-NEXT:  }
// CHECK-NEXT:  [[B:%.*]] = graph.call_aten "aten.cumsum.default"([[A]])
// CHECK-NEXT:  [[C:%.*]] = graph.fusion ({{.*}} = [[A]] : tensor<8xf32>, {{.*}} = [[B]] : tensor<8xf32>)
// CHECK-NEXT:    graph.add
func.func @around(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = graph.exp %x : tensor<8xf32>
  %1 = graph.call_aten "aten.cumsum.default"(%0) {args = [#graph.operand<0>, 0]} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = graph.add %0, %1 : tensor<8xf32>
  func.return %2 : tensor<8xf32>
}

// Softmax: three walks over one row, one kernel. The rows may be symbolic.
// CHECK-LABEL: @softmax
// CHECK-COUNT-1: graph.fusion
// CHECK-NOT:   graph.fusion
// CHECK:       func.return
func.func @softmax(%s: index {graph.symbol = #graph.symbol<0, min = 1>}, %x: tensor<?x32xf32, #graph.dims<[s0, 32]>>) -> tensor<?x32xf32, #graph.dims<[s0, 32]>> {
  %0 = graph.reduce max %x dims [1] : tensor<?x32xf32, #graph.dims<[s0, 32]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %1 = graph.broadcast %0 dims [0] : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x32xf32, #graph.dims<[s0, 32]>>
  %2 = graph.sub %x, %1 : tensor<?x32xf32, #graph.dims<[s0, 32]>>
  %3 = graph.exp %2 : tensor<?x32xf32, #graph.dims<[s0, 32]>>
  %4 = graph.reduce sum %3 dims [1] : tensor<?x32xf32, #graph.dims<[s0, 32]>> -> tensor<?xf32, #graph.dims<[s0]>>
  %5 = graph.broadcast %4 dims [0] : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?x32xf32, #graph.dims<[s0, 32]>>
  %6 = graph.div %3, %5 : tensor<?x32xf32, #graph.dims<[s0, 32]>>
  func.return %6 : tensor<?x32xf32, #graph.dims<[s0, 32]>>
}

// A layout hint stays with the result.
// CHECK-LABEL: @hint
// CHECK:       graph.fusion {{.*}} attributes {graph.strides = #graph.dims<[1, 8]>}
func.func @hint(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = graph.exp %x {graph.strides = #graph.dims<[1, 8]>} : tensor<8x8xf32>
  func.return %0 : tensor<8x8xf32>
}

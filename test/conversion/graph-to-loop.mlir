// RUN: fusir-opt %s --convert-graph-to-loop --split-input-file | filecheck %s

// A fusion becomes a launch of a kernel on new buffers. A shape op outside is a view; the kernel sees its strides.

// CHECK-LABEL: func.func @main(%x: memref<4x8xf32>, %w: memref<8x4xf32>) -> memref<4x8xf32> {
// CHECK-NEXT:    %wt = host.view %w dims [4, 8] strides [1, 4] offset 0 : memref<8x4xf32> -> memref<4x8xf32, strided<[1, 4]>>
// CHECK-NEXT:    %y = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
// CHECK-NEXT:    host.launch @fused_mul_exp_0(%x, %wt, %y) {fusion = 0 : i64} : (memref<4x8xf32>, memref<4x8xf32, strided<[1, 4]>>, memref<4x8xf32>) -> ()
// CHECK-NEXT:    func.return %y : memref<4x8xf32>
// CHECK:       loop.kernel @fused_mul_exp_0(%{{.*}}: memref<4x8xf32>, %{{.*}}: memref<4x8xf32, strided<[1, 4]>>, %{{.*}}: memref<4x8xf32>)
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %wt = graph.permute %w dims [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %y = graph.fusion (%a = %x : tensor<4x8xf32>, %b = %wt : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = graph.mul %a, %b : tensor<4x8xf32>
    %1 = graph.exp %0 : tensor<4x8xf32>
    graph.yield %1 : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// -----

// Equal kernels are one symbol, also with other names inside.

// CHECK-LABEL: func.func @main
// CHECK:         host.launch @fused_exp_0(%x, %y) {fusion = 0 : i64}
// CHECK:         host.launch @fused_exp_0(%y, %z) {fusion = 1 : i64}
// CHECK:         host.launch @fused_neg_1(%z, %{{.*}}) {fusion = 2 : i64}
// CHECK:       loop.kernel @fused_exp_0
// CHECK:       loop.kernel @fused_neg_1
// CHECK-NOT:   loop.kernel
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %0 = graph.exp %a : tensor<4xf32>
    graph.yield %0 : tensor<4xf32>
  }
  %z = graph.fusion (%b = %y : tensor<4xf32>) -> tensor<4xf32> {
    %e = graph.exp %b : tensor<4xf32>
    graph.yield %e : tensor<4xf32>
  }
  %1 = graph.fusion (%b = %z : tensor<4xf32>) -> tensor<4xf32> {
    %e = graph.neg %b : tensor<4xf32>
    graph.yield %e : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}

// -----

// An ATen operator gets the strides that it saw in tracing, by a copy where the buffer has others; the result of the
// function has the strides that eager gives.

// CHECK-LABEL: func.func @main(%x: memref<2x3x4xf32>) -> memref<2x3x4xf32, strided<[12, 1, 3]>> {
// CHECK-NEXT:    [[COPY:%.*]] = host.alloc dims [2, 3, 4] strides [12, 1, 3] : memref<2x3x4xf32, strided<[12, 1, 3]>>
// CHECK-NEXT:    host.launch @fused_copy_{{[0-9]+}}(%x, [[COPY]])
// CHECK-NEXT:    %y = host.call_aten "aten.relu.default"([[COPY]]) {args = [#graph.operand<0>]} : {{.*}} -> memref<2x3x4xf32>
// CHECK-NEXT:    [[OUT:%.*]] = host.alloc dims [2, 3, 4] strides [12, 1, 3]
// CHECK-NEXT:    host.launch @fused_copy_{{[0-9]+}}(%y, [[OUT]])
// CHECK-NEXT:    func.return [[OUT]]
func.func @main(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32> {graph.strides = #graph.dims<[12, 1, 3]>}) {
  %y = graph.call_aten "aten.relu.default"(%x) {args = [#graph.operand<0>], operand_strides = [#graph.dims<[12, 1, 3]>]} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// A fusion writes the strides that the function result needs.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %y = host.alloc dims [4, 8] strides [1, 4] : memref<4x8xf32, strided<[1, 4]>>
// CHECK-NEXT:    host.launch @fused_exp_0(%x, %y)
// CHECK-NEXT:    func.return %y
func.func @main(%x: tensor<4x8xf32> {graph.strides = #graph.dims<[1, 4]>}) -> (tensor<4x8xf32> {graph.strides = #graph.dims<[1, 4]>}) {
  %y = graph.fusion (%a = %x : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %1 = graph.exp %a : tensor<4x8xf32>
    graph.yield %1 : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// -----

// A reshape that cannot be a view is one of a row-major copy.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %t = host.view %x dims [8, 4] strides [1, 8] offset 0
// CHECK-NEXT:    [[COPY:%.*]] = host.alloc dims [8, 4] strides [4, 1]
// CHECK-NEXT:    host.launch @fused_copy_{{[0-9]+}}(%t, [[COPY]])
// CHECK-NEXT:    %r = host.view [[COPY]] dims [32] strides [1] offset 0
func.func @main(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %t = graph.permute %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %r = graph.reshape %t : tensor<8x4xf32> -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// -----

// Dynamic extents: the launch hands the kernel the symbols that it uses.

// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %s1: index {graph.symbol = #graph.symbol<1, min = 2>},
// CHECK-SAME:    %x: memref<?x4xf32> {graph.dims = #graph.dims<[s1, 4]>}
// CHECK-NEXT:    %y = host.alloc dims [s1, 4] strides [4, 1] : memref<?x4xf32>
// CHECK-NEXT:    host.launch @fused_exp_0(%x, %y, %s1) {fusion = 0 : i64} : (memref<?x4xf32>, memref<?x4xf32>, index) -> ()
// CHECK-NEXT:    %v = host.view %y dims [4, s1] strides [1, 4] offset 0
// CHECK:       loop.kernel @fused_exp_0(%{{.*}}: memref<?x4xf32>, %{{.*}}: memref<?x4xf32>, %{{.*}}: index)
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %s1: index {graph.symbol = #graph.symbol<1, min = 2>},
    %x: tensor<?x4xf32, #graph.dims<[s1, 4]>>) -> (tensor<4x?xf32, #graph.dims<[4, s1]>> {graph.strides = #graph.dims<[1, 4]>}) {
  %y = graph.fusion (%a = %x : tensor<?x4xf32, #graph.dims<[s1, 4]>>) -> tensor<?x4xf32, #graph.dims<[s1, 4]>> {
    %1 = graph.exp %a : tensor<?x4xf32, #graph.dims<[s1, 4]>>
    graph.yield %1 : tensor<?x4xf32, #graph.dims<[s1, 4]>>
  }
  %v = graph.permute %y dims [1, 0] : tensor<?x4xf32, #graph.dims<[s1, 4]>> -> tensor<4x?xf32, #graph.dims<[4, s1]>>
  return %v : tensor<4x?xf32, #graph.dims<[4, s1]>>
}

// -----

// Results without elements need no kernel.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %y = host.alloc dims [0, 4] strides [4, 1]
// CHECK-NEXT:    func.return %y
// CHECK-NOT:   loop.kernel
func.func @main(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  %y = graph.fusion (%a = %x : tensor<0x4xf32>) -> tensor<0x4xf32> {
    %1 = graph.exp %a : tensor<0x4xf32>
    graph.yield %1 : tensor<0x4xf32>
  }
  return %y : tensor<0x4xf32>
}

// -----

// What an operator saw in tracing was an expanded tensor: a buffer cannot be, so it gets what there is.

// CHECK-LABEL: func.func @main(%x: memref<4x8xf32>)
// CHECK-NEXT:    %y = host.call_aten "aten.relu.default"(%x)
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = graph.call_aten "aten.relu.default"(%x) {args = [#graph.operand<0>], operand_strides = [#graph.dims<[0, 1]>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// RUN: fusir-opt %s | fusir-opt | filecheck %s
// RUN: fusir-opt %s --print-op-generic | fusir-opt | filecheck %s

// CHECK-LABEL: func.func @static
func.func @static(%x: memref<4x8xf32>, %w: memref<8x16xf32, strided<[1, 8]>>) -> memref<64xf32> {
  // CHECK: %{{.*}} = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  %b = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  // CHECK-NEXT: host.launch @kernel(%x, %b) {fusion = 0 : i64} : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  host.launch @kernel(%x, %b) {fusion = 0 : i64} : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  // CHECK-NEXT: host.call_aten "aten.mm.default"(%b, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (memref<4x8xf32>, memref<8x16xf32, strided<[1, 8]>>) -> memref<4x16xf32>
  %m = host.call_aten "aten.mm.default"(%b, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (memref<4x8xf32>, memref<8x16xf32, strided<[1, 8]>>) -> memref<4x16xf32>
  // CHECK-NEXT: host.free %b : memref<4x8xf32>
  host.free %b : memref<4x8xf32>
  // CHECK-NEXT: host.call_aten "aten.add_.Tensor"(%m, %m) {args = [#graph.operand<0>, #graph.operand<1>], kwargs = {alpha = 2 : i64}} : (memref<4x16xf32>, memref<4x16xf32>) -> ()
  host.call_aten "aten.add_.Tensor"(%m, %m) {args = [#graph.operand<0>, #graph.operand<1>], kwargs = {alpha = 2 : i64}} : (memref<4x16xf32>, memref<4x16xf32>) -> ()
  // CHECK-NEXT: host.view %m dims [64] strides [1] offset 0 : memref<4x16xf32> -> memref<64xf32>
  %v = host.view %m dims [64] strides [1] offset 0 : memref<4x16xf32> -> memref<64xf32>
  return %v : memref<64xf32>
}

// CHECK-LABEL: func.func @dynamic
func.func @dynamic(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: memref<?x?xf32, #loop.strided<[s0, 1]>>) -> memref<?x2xf32> {
  // CHECK: host.view %x dims [s0, 2] strides [1, s0] offset s0 * 2 : memref<?x?xf32, #loop.strided<[s0, 1]>> -> memref<?x2xf32, #loop.strided<[1, s0]>>
  %v = host.view %x dims [s0, 2] strides [1, s0] offset s0 * 2 : memref<?x?xf32, #loop.strided<[s0, 1]>> -> memref<?x2xf32, #loop.strided<[1, s0]>>
  // CHECK-NEXT: host.alloc dims [s0, 2] strides [2, 1] : memref<?x2xf32>
  %b = host.alloc dims [s0, 2] strides [2, 1] : memref<?x2xf32>
  // CHECK-NEXT: host.copy %v to %b : memref<?x2xf32, #loop.strided<[1, s0]>> to memref<?x2xf32>
  host.copy %v to %b : memref<?x2xf32, #loop.strided<[1, s0]>> to memref<?x2xf32>
  return %b : memref<?x2xf32>
}

// CHECK-LABEL: func.func @workspace
func.func @workspace(%x: memref<4x8xf32>) -> memref<4x8xf32> {
  // CHECK: %b = host.alloc zero dims [4, 8] strides [8, 1] : memref<4x8xf32>
  %b = host.alloc zero dims [4, 8] strides [8, 1] : memref<4x8xf32>
  // CHECK-NEXT: host.launch @kernel(%x, %b) {workspace = 1 : i64} : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  host.launch @kernel(%x, %b) {workspace = 1 : i64} : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %x : memref<4x8xf32>
}

loop.kernel @kernel(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
}

// RUN: fusir-opt %s --plan-buffers --split-input-file | filecheck %s

// A dead buffer of the same size is used again, under another shape as a view; buffers are freed after their last use.

// CHECK-LABEL: func.func @reuse
// CHECK-NEXT:    %a = host.alloc dims [4, 8] strides [8, 1]
// CHECK-NEXT:    host.launch @reverse(%x, %a)
// CHECK-NEXT:    %b = host.alloc dims [4, 8] strides [8, 1]
// CHECK-NEXT:    host.launch @reverse(%a, %b)
// CHECK-NEXT:    %c = host.view %a dims [4, 8] strides [1, 4] offset 0 : memref<4x8xf32> -> memref<4x8xf32, strided<[1, 4]>>
// CHECK-NEXT:    host.copy %b to %c
// CHECK-NEXT:    host.free %b
// CHECK-NEXT:    %d = host.call_aten "aten.mm.default"(%c, %w)
// CHECK-NEXT:    host.free %a
// CHECK-NEXT:    func.return %d
func.func @reuse(%x: memref<4x8xf32>, %w: memref<8x4xf32>) -> memref<4x4xf32> {
  %a = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @reverse(%x, %a) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %b = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @reverse(%a, %b) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %c = host.alloc dims [4, 8] strides [1, 4] : memref<4x8xf32, strided<[1, 4]>>
  host.copy %b to %c : memref<4x8xf32> to memref<4x8xf32, strided<[1, 4]>>
  %d = host.call_aten "aten.mm.default"(%c, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (memref<4x8xf32, strided<[1, 4]>>, memref<8x4xf32>) -> memref<4x4xf32>
  return %d : memref<4x4xf32>
}

loop.kernel @reverse(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  loop.parallel (%i, %j) in (4, 8) {
    %0 = loop.load %x[%i, %j * -1 + 7] : memref<4x8xf32>
    loop.store %0, %y[%i, %j] : memref<4x8xf32>
  }
}

// -----

// A pointwise kernel writes over an operand that dies there, and its result is the function's.

// CHECK-LABEL: func.func @in_place
// CHECK-NEXT:    %a = host.alloc dims [4, 8] strides [8, 1]
// CHECK-NEXT:    host.launch @exp(%x, %a)
// CHECK-NEXT:    host.launch @exp(%a, %a)
// CHECK-NEXT:    host.launch @exp(%a, %a)
// CHECK-NEXT:    func.return %a
func.func @in_place(%x: memref<4x8xf32>) -> memref<4x8xf32> {
  %a = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @exp(%x, %a) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %b = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @exp(%a, %b) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %c = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @exp(%b, %c) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %c : memref<4x8xf32>
}

// Not over an argument of the function, over a buffer that is read again or returned, or over one that is also read through
// a view.

// CHECK-LABEL: func.func @not_in_place
// CHECK-NEXT:    %a = host.alloc
// CHECK-NEXT:    host.launch @exp(%x, %a)
// CHECK-NEXT:    %b = host.alloc
// CHECK-NEXT:    host.launch @exp(%a, %b)
// CHECK-NEXT:    %v = host.view %b
// CHECK-NEXT:    %c = host.alloc
// CHECK-NEXT:    host.launch @add(%b, %v, %c)
// CHECK-NEXT:    host.free %c
// CHECK-NEXT:    func.return %a, %v
func.func @not_in_place(%x: memref<4x8xf32>) -> (memref<4x8xf32>, memref<4x8xf32>) {
  %a = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @exp(%x, %a) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %b = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @exp(%a, %b) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %v = host.view %b dims [4, 8] strides [8, 1] offset 0 : memref<4x8xf32> -> memref<4x8xf32>
  %c = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @add(%b, %v, %c) : (memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %a, %v : memref<4x8xf32>, memref<4x8xf32>
}

// CHECK-LABEL: func.func @not_through_a_view
// CHECK:         %c = host.alloc
// CHECK-NEXT:    host.launch @add(%b, %v, %c)
// CHECK-NEXT:    host.free %b
func.func @not_through_a_view(%x: memref<4x8xf32>) -> memref<4x8xf32> {
  %b = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @exp(%x, %b) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %v = host.view %b dims [4, 8] strides [8, 1] offset 0 : memref<4x8xf32> -> memref<4x8xf32>
  %c = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
  host.launch @add(%b, %v, %c) : (memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %c : memref<4x8xf32>
}

loop.kernel @exp(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  loop.parallel (%i, %j) in (4, 8) {
    %0 = loop.load %x[%i, %j] : memref<4x8xf32>
    %1 = math.exp %0 : f32
    loop.store %1, %y[%i, %j] : memref<4x8xf32>
  }
}
loop.kernel @add(%x: memref<4x8xf32>, %w: memref<4x8xf32>, %y: memref<4x8xf32>) {
  loop.parallel (%i, %j) in (4, 8) {
    %0 = loop.load %x[%i, %j] : memref<4x8xf32>
    %1 = loop.load %w[%i, %j] : memref<4x8xf32>
    %2 = arith.addf %0, %1 : f32
    loop.store %2, %y[%i, %j] : memref<4x8xf32>
  }
}

// -----

// What an unknown operator returns may be a view of its operand: the operand lives as long as the result.

// CHECK-LABEL: func.func @aliases
// CHECK:         host.launch @exp(%x, %a)
// CHECK-NEXT:    %v = host.call_aten "aten.alias.default"(%a)
// CHECK-NEXT:    %b = host.alloc
// CHECK-NEXT:    host.launch @exp(%x, %b)
// CHECK-NEXT:    %s = host.call_aten "aten.mm.default"(%b, %v)
// CHECK-NEXT:    host.free
// CHECK-NEXT:    host.free
// CHECK-NEXT:    host.free
// CHECK-NEXT:    func.return %s
func.func @aliases(%x: memref<4x4xf32>) -> memref<4x4xf32> {
  %a = host.alloc dims [4, 4] strides [4, 1] : memref<4x4xf32>
  host.launch @exp(%x, %a) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  %v = host.call_aten "aten.alias.default"(%a) {args = [#graph.operand<0>]} : (memref<4x4xf32>) -> memref<4x4xf32>
  %b = host.alloc dims [4, 4] strides [4, 1] : memref<4x4xf32>
  host.launch @exp(%x, %b) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  %s = host.call_aten "aten.mm.default"(%b, %v) {args = [#graph.operand<0>, #graph.operand<1>]} : (memref<4x4xf32>, memref<4x4xf32>) -> memref<4x4xf32>
  return %s : memref<4x4xf32>
}
loop.kernel @exp(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  loop.parallel (%i, %j) in (4, 4) {
    %0 = loop.load %x[%i, %j] : memref<4x4xf32>
    %1 = math.exp %0 : f32
    loop.store %1, %y[%j, %i] : memref<4x4xf32>
  }
}

// -----

// Sizes with symbols are compared as expressions.

// CHECK-LABEL: func.func @dynamic
// CHECK:         %a = host.alloc dims [s0, 8]
// CHECK:         %b = host.alloc dims [s0, 8]
// CHECK:         %c = host.view %a dims [s0 * 2, 4] strides [4, 1] offset 0
func.func @dynamic(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: memref<?x8xf32> {graph.dims = #graph.dims<[s0, 8]>}) -> memref<?x4xf32> {
  %a = host.alloc dims [s0, 8] strides [8, 1] : memref<?x8xf32>
  host.copy %x to %a : memref<?x8xf32> to memref<?x8xf32>
  %b = host.alloc dims [s0, 8] strides [8, 1] : memref<?x8xf32>
  host.copy %a to %b : memref<?x8xf32> to memref<?x8xf32>
  %c = host.alloc dims [s0 * 2, 4] strides [4, 1] : memref<?x4xf32>
  %v = host.view %b dims [s0 * 2, 4] strides [4, 1] offset 0 : memref<?x8xf32> -> memref<?x4xf32>
  host.copy %v to %c : memref<?x4xf32> to memref<?x4xf32>
  return %c : memref<?x4xf32>
}

// -----

// The same for kernels at tile level: one load and one store at the number of the lane. @shift reads another lane's element.

// CHECK-LABEL: func.func @tiles
// CHECK-NEXT:    %a = host.alloc
// CHECK-NEXT:    host.launch @exp(%x, %a)
// CHECK-NEXT:    host.launch @exp(%a, %a)
// CHECK-NEXT:    %c = host.alloc
// CHECK-NEXT:    host.launch @shift(%a, %c)
// CHECK-NEXT:    host.free %a
// CHECK-NEXT:    func.return %c
func.func @tiles(%x: memref<2048xf32>) -> memref<2048xf32> {
  %a = host.alloc dims [2048] strides [1] : memref<2048xf32>
  host.launch @exp(%x, %a) : (memref<2048xf32>, memref<2048xf32>) -> ()
  %b = host.alloc dims [2048] strides [1] : memref<2048xf32>
  host.launch @exp(%a, %b) : (memref<2048xf32>, memref<2048xf32>) -> ()
  %c = host.alloc dims [2048] strides [1] : memref<2048xf32>
  host.launch @shift(%b, %c) : (memref<2048xf32>, memref<2048xf32>) -> ()
  return %c : memref<2048xf32>
}
tt.func public @exp(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) attributes {fusir.grid = affine_map<() -> (2)>} {
  %size = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %size : i32
  %lanes = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %starts = tt.splat %start : i32 -> tensor<1024xi32>
  %i = arith.addi %starts, %lanes : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %xp : tensor<1024x!tt.ptr<f32>>
  %e = math.exp %v : tensor<1024xf32>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %yp, %e : tensor<1024x!tt.ptr<f32>>
  tt.return
}
tt.func public @shift(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) attributes {fusir.grid = affine_map<() -> (2)>} {
  %size = arith.constant 1024 : i32
  %pid = tt.get_program_id x : i32
  %start = arith.muli %pid, %size : i32
  %lanes = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
  %starts = tt.splat %start : i32 -> tensor<1024xi32>
  %i = arith.addi %starts, %lanes : tensor<1024xi32>
  %n = arith.constant dense<2047> : tensor<1024xi32>
  %j = arith.subi %n, %i : tensor<1024xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %j : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %v = tt.load %xp : tensor<1024x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %i : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  tt.store %yp, %v : tensor<1024x!tt.ptr<f32>>
  tt.return
}

// -----

// A buffer of zeros is made anew, also where a dead one has its size; its own memory may be used again.

// CHECK-LABEL: func.func @zeros
// CHECK:         host.launch @k(%a, %b)
// CHECK:         %c = host.alloc zero dims [4] strides [1]
// CHECK-NEXT:    host.launch @k(%b, %c)
// CHECK-NOT:     host.alloc
// CHECK:         host.launch @k(%c, %b)
func.func @zeros(%x: memref<4xf32>) -> memref<4xf32> {
  %a = host.alloc dims [4] strides [1] : memref<4xf32>
  host.launch @k(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = host.alloc dims [4] strides [1] : memref<4xf32>
  host.launch @k(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  %c = host.alloc zero dims [4] strides [1] : memref<4xf32>
  host.launch @k(%b, %c) : (memref<4xf32>, memref<4xf32>) -> ()
  %d = host.alloc dims [4] strides [1] : memref<4xf32>
  host.launch @k(%c, %d) : (memref<4xf32>, memref<4xf32>) -> ()
  return %d : memref<4xf32>
}

loop.kernel @k(%x: memref<4xf32>, %y: memref<4xf32>) {
}

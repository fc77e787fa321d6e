// RUN: fusir-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @main() {
  %b = host.alloc dims [4] strides [1] : memref<8xf32>
  return
}
// CHECK: dims do not agree with the type memref<8xf32>

// -----

func.func @main() {
  %b = host.alloc dims [4, 8] strides [1, 4] : memref<4x8xf32>
  return
}
// CHECK: strides do not agree with the type memref<4x8xf32>

// -----

func.func @main() {
  %b = host.alloc dims [s0, s1] strides [s1, 1] : memref<?x?xf32>
  return
}
// CHECK: unsupported memref layout: memref<?x?xf32>

// -----

func.func @main(%x: memref<4xf32>) {
  %b = host.view %x dims [4] strides [1] offset 0 : memref<4xf32> -> memref<4xi32>
  return
}
// CHECK: a view has the element type of its source

// -----

func.func @main(%x: memref<4xf32>) {
  %b = host.view %x dims [2] strides [1] offset -2 : memref<4xf32> -> memref<2xf32>
  return
}
// CHECK: offset must not be negative, got -2

// -----

func.func @main(%x: memref<4xf32>, %y: memref<5xf32>) {
  host.copy %x to %y : memref<4xf32> to memref<5xf32>
  return
}
// CHECK: source and target of a copy have the same shape and element type

// -----

func.func @main(%x: memref<4xf32>) {
  host.launch @absent(%x) : (memref<4xf32>) -> ()
  return
}
// CHECK: no kernel @absent in the module

// -----

func.func @main(%x: memref<4xf32>) {
  host.launch @main(%x) : (memref<4xf32>) -> ()
  return
}
// CHECK: @main is not a kernel

// -----

func.func @main(%x: memref<4xf32>) {
  host.launch @kernel(%x, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}
loop.kernel @kernel(%x: memref<4xf32>) {
}
// CHECK: kernel @kernel takes 1 arguments, the launch has 2

// -----

func.func @main(%s0: index, %x: memref<4xf32>) {
  host.launch @kernel(%s0, %x) : (index, memref<4xf32>) -> ()
  return
}
// CHECK: the symbols of a launch come after its buffers

// -----

func.func @main(%x: memref<4xf32>) {
  host.launch @kernel(%x) : (memref<4xf32>) -> (memref<4xf32>)
  return
}
// CHECK: host.launch has no results

// -----

func.func @main(%x: memref<4xf32>) {
  host.call_aten "mm"(%x) {args = [#graph.operand<0>]} : (memref<4xf32>) -> ()
  return
}
// CHECK: expected an operator name as "aten.mm.default", got "mm"

// -----

func.func @main(%x: memref<4xf32>) {
  host.call_aten "aten.mm.default"(%x) {args = [#graph.operand<0>, [#graph.operand<1>]]} : (memref<4xf32>) -> ()
  return
}
// CHECK: #graph.operand<1> is beyond the 1 operands

// -----

func.func @main(%x: memref<4xf32>) {
  host.call_aten "aten.mm.default"(%x) : (memref<4xf32>) -> ()
  return
}
// CHECK: host.call_aten needs its arguments as args = [...]

// -----

func.func @main(%x: memref<4xf32>) {
  host.launch @k(%x) {workspace = 2 : i64} : (memref<4xf32>) -> ()
  return
}

loop.kernel @k(%x: memref<4xf32>) {
}
// CHECK: workspace = 2, but the launch has 1 buffers

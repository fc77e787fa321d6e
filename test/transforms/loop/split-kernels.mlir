// RUN: fusir-opt %s --loop-fuse --split-kernels --split-input-file | filecheck %s

// Nests that do not lie in one box become kernels; what they share becomes a buffer of the program. Each kernel takes what
// its nest uses.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    [[T:%.*]] = host.alloc dims [4, 8] strides [8, 1] : memref<4x8xf32>
// CHECK-NEXT:    host.launch @f_0(%x, [[T]]) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
// CHECK-NEXT:    host.launch @f_1(%r, [[T]]) : (memref<4xf32>, memref<4x8xf32>) -> ()
// CHECK-NEXT:    host.launch @f_2(%c, [[T]]) : (memref<1xf32>, memref<4x8xf32>) -> ()
// CHECK-NEXT:    return
// CHECK:       loop.kernel @f_0(%x: memref<32xf32>, %t: memref<32xf32>) {
// CHECK-NEXT:    [[TWO:%.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (32) {
// CHECK:           [[M:%.*]] = arith.mulf %{{.*}}, [[TWO]] : f32
// CHECK-NEXT:      loop.store [[M]], %t{{\[}}[[I]]]
// CHECK:       loop.kernel @f_1(%r: memref<4xf32>, %t: memref<4x8xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (4) {
// CHECK-NEXT:      loop.reduce [add] ([[K:%.*]]) in (8) -> f32 {
// CHECK-NEXT:        loop.load %t{{\[}}[[I]], [[K]]]
// CHECK:       loop.kernel @f_2(%c: memref<1xf32>, %t: memref<32xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (1) {
// CHECK-NEXT:      loop.reduce [add] ([[K:%.*]]) in (32) -> f32 {
// CHECK-NEXT:        loop.load %t{{\[}}[[K]]]
// CHECK-NOT:   loop.kernel
func.func @main(%x: memref<4x8xf32>, %r: memref<4xf32>, %c: memref<1xf32>) {
  host.launch @f(%x, %r, %c) {fusion = 0 : i64} : (memref<4x8xf32>, memref<4xf32>, memref<1xf32>) -> ()
  func.return
}
loop.kernel @f(%x: memref<4x8xf32>, %r: memref<4xf32>, %c: memref<1xf32>) {
  %two = arith.constant 2.0 : f32
  %t = loop.local : memref<4x8xf32>
  loop.parallel (%i, %j) in (4, 8) {
    %a = loop.load %x[%i, %j] : memref<4x8xf32>
    %b = arith.mulf %a, %two : f32
    loop.store %b, %t[%i, %j] : memref<4x8xf32>
  }
  loop.parallel (%i) in (4) {
    %s = loop.reduce [add] (%k) in (8) -> f32 {
      %a = loop.load %t[%i, %k] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>]}
    loop.store %s, %r[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (1) {
    %s = loop.reduce [add] (%k, %l) in (4, 8) -> f32 {
      %a = loop.load %t[%k, %l] : memref<4x8xf32>
      loop.yield %a : f32
    } {loop.reduced_dims = [#builtin.int<1>, #builtin.int<2>]}
    loop.store %s, %c[%i] : memref<1xf32>
  }
}

// -----

// A kernel that is launched twice is split once. Extents of its buffers are in the symbols of the program; a name that is
// taken is left out.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    [[T:%.*]] = host.alloc dims [s1] strides [1] : memref<?xf32>
// CHECK-NEXT:    host.launch @f_0(%x, [[T]], %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
// CHECK-NEXT:    host.launch @f_2(%y, [[T]], %n)
// CHECK-NEXT:    [[U:%.*]] = host.alloc dims [s1] strides [1] : memref<?xf32>
// CHECK-NEXT:    host.launch @f_0(%y, [[U]], %n)
// CHECK-NEXT:    host.launch @f_2(%x, [[U]], %n)
// CHECK-NEXT:    return
// CHECK:       loop.kernel @f_0(%x: memref<?xf32>, %t: memref<?xf32>, %s0: index) {
// CHECK-NEXT:    loop.parallel (%{{.*}}) in (%s0) {
// CHECK:       loop.kernel @f_2(%y: memref<?xf32>, %t: memref<?xf32>, %s0: index) {
// CHECK:       loop.kernel @f_1
// CHECK-NOT:   loop.kernel
func.func @main(%x: memref<?xf32> {graph.dims = #graph.dims<[s1]>}, %y: memref<?xf32> {graph.dims = #graph.dims<[s1]>}, %m: index {graph.symbol = #graph.symbol<0, min = 2>}, %n: index {graph.symbol = #graph.symbol<1, min = 2>}) {
  host.launch @f(%x, %y, %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
  host.launch @f(%y, %x, %n) : (memref<?xf32>, memref<?xf32>, index) -> ()
  func.return
}
loop.kernel @f(%x: memref<?xf32>, %y: memref<?xf32>, %s0: index) {
  %t = loop.local : memref<?xf32>
  loop.parallel (%i) in (%s0) {
    %a = loop.load %x[%i] : memref<?xf32>
    %b = math.exp %a : f32
    loop.store %b, %t[%i] : memref<?xf32>
  }
  loop.parallel (%i) in (%s0 + 1) {
    %a = loop.load %t[0] : memref<?xf32>
    loop.store %a, %y[%i] : memref<?xf32>
  }
  loop.parallel (%i) in (0) {
    %a = loop.load %t[%i] : memref<?xf32>
    loop.store %a, %y[%i] : memref<?xf32>
  }
}
loop.kernel @f_1(%x: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %x[%i] : memref<4xf32>
  }
}

// -----

// Kernels of one nest stay, and so do kernels that nobody launches.

// CHECK-LABEL: loop.kernel @one_nest
// CHECK-LABEL: loop.kernel @not_launched
// CHECK:         loop.parallel
// CHECK:         loop.parallel
// CHECK-NOT:   loop.kernel
loop.kernel @one_nest(%x: memref<4xf32>, %y: memref<4xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
}
loop.kernel @not_launched(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<6xf32>) {
  loop.parallel (%i) in (4) {
    %a = loop.load %x[%i] : memref<4xf32>
    loop.store %a, %y[%i] : memref<4xf32>
  }
  loop.parallel (%i) in (6) {
    %a = loop.load %x[0] : memref<4xf32>
    loop.store %a, %z[%i] : memref<6xf32>
  }
}

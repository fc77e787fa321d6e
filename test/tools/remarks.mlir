// RUN: fusir-opt %s --fuse --remarks 2>&1 >/dev/null | filecheck %s
// RUN: fusir-opt %s --fuse | filecheck %s --check-prefix QUIET

// A remark names the source line that the op carries, or else its line in the file.

// CHECK: remarks.mlir:12: remark: [fuse] fused: 2 ops
// CHECK: model.py:7: remark: [fuse] not fused: %first and %last scan from different ends
// QUIET-NOT: remark:
func.func @main(%x: tensor<21x30xf32>) -> (tensor<21x30xf32>, tensor<21x30xf32>) {
  %first = graph.scan sum %x dim 1 : tensor<21x30xf32>
  %last = graph.scan sum %x dim 1 reverse : tensor<21x30xf32> loc("model.py":7:3)
  %e = graph.exp %last : tensor<21x30xf32>
  func.return %first, %e : tensor<21x30xf32>, tensor<21x30xf32>
}

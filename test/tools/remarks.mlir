// RUN: fusir-opt %s --fuse --remarks 2>&1 >/dev/null | filecheck %s
// RUN: fusir-opt %s --fuse | filecheck %s --check-prefix QUIET

// A remark names the source line that the op carries, or else its line in the file.

// CHECK: remarks.mlir:12: remark: [fuse] fused: 2 ops
// CHECK: model.py:7: remark: [fuse] not fused: %total reduces over dims [0, 1], %columns over dims [0]
// QUIET-NOT: remark:
func.func @main(%x: tensor<21x30xf32>) -> (tensor<f32>, tensor<30xf32>) {
  %total = graph.reduce sum %x dims [0, 1] : tensor<21x30xf32> -> tensor<f32>
  %columns = graph.reduce sum %x dims [0] : tensor<21x30xf32> -> tensor<30xf32> loc("model.py":7:3)
  %e = graph.exp %columns : tensor<30xf32>
  func.return %total, %e : tensor<f32>, tensor<30xf32>
}

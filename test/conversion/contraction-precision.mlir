// RUN: fusir-opt %s --pipeline=upto=loop | filecheck %s
// RUN: fusir-opt %s --pipeline=upto=tt | filecheck %s --check-prefix=TILE

// The precision of products of f32 goes down to the dots.
// CHECK-LABEL: loop.kernel @fused_contract_relu
// CHECK:       } {loop.contraction, loop.precision = "bf16x6"}
// TILE-LABEL:  tt.func public @fused_contract_relu
// TILE:        tt.dot {{.*}}, inputPrecision = bf16x6 : tensor<16x32xf32> * tensor<32x16xf32> -> tensor<16x16xf32>
func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x48xf32>, %u: tensor<32x48xf32>, %v: tensor<32xf32>)
    -> (tensor<64x48xf32>, tensor<64x48xf32>, tensor<64xf32>) {
  %0 = graph.contract %x, %w batch [], [] contract [1], [0] precision bf16x6 : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  %1 = graph.relu %0 : tensor<64x48xf32>

  // Contractions of unlike precision are two kernels.
  // CHECK-LABEL: loop.kernel @fused_contract_1
  // CHECK:       loop.reduce [add]
  // CHECK:       } {loop.contraction}
  // CHECK-LABEL: loop.kernel @fused_contract_mul
  // CHECK:       loop.reduce [add]
  // CHECK:       } {loop.contraction, loop.precision = "tf32"}
  %2 = graph.contract %x, %w batch [], [] contract [1], [0] precision tf32 : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  %3 = graph.contract %x, %u batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  %4 = graph.mul %2, %3 : tensor<64x48xf32>

  // A product with a vector is an ordinary reduction.
  // CHECK-LABEL: loop.kernel @fused_contract_3
  // CHECK-NOT:   loop.precision
  %5 = graph.contract %x, %v batch [], [] contract [1], [0] precision tf32 : (tensor<64x32xf32>, tensor<32xf32>) -> tensor<64xf32>
  return %1, %4, %5 : tensor<64x48xf32>, tensor<64x48xf32>, tensor<64xf32>
}

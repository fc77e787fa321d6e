// RUN: fusir-opt %s --float32-products='precision=bf16x6' | filecheck %s
// RUN: fusir-opt %s --float32-products='precision=ieee' | filecheck %s --check-prefix=IEEE
// RUN: fusir-opt %s --float32-products | filecheck %s --check-prefix=KEPT
// RUN: not fusir-opt %s --float32-products='precision=fp4' 2>&1 | filecheck %s --check-prefix=UNKNOWN

// Contractions of f32 get the precision, in fusions too; others have none.
// CHECK:      graph.contract %x, %w batch [], [] contract [1], [0] precision bf16x6 : (tensor<8x16xf32>
// CHECK:      graph.contract %a, %b batch [], [] contract [1], [0] precision bf16x6 : (tensor<8x8xf32>
// CHECK:      graph.contract %h, %h batch [], [] contract [1], [1] : (tensor<8x16xbf16>
// IEEE-NOT:   precision
// KEPT:       graph.contract %x, %w batch [], [] contract [1], [0] precision tf32 : (tensor<8x16xf32>
// KEPT:       graph.contract %a, %b batch [], [] contract [1], [0] : (tensor<8x8xf32>
// UNKNOWN:    unknown precision 'fp4', expected one of ieee, tf32, bf16x6
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x8xf32>, %h: tensor<8x16xbf16>) -> (tensor<8x8xf32>, tensor<8x8xbf16>) {
  %0 = graph.contract %x, %w batch [], [] contract [1], [0] precision tf32 : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = graph.fusion (%a = %0 : tensor<8x8xf32>, %b = %0 : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %2 = graph.contract %a, %b batch [], [] contract [1], [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    graph.yield %2 : tensor<8x8xf32>
  }
  %3 = graph.contract %h, %h batch [], [] contract [1], [1] : (tensor<8x16xbf16>, tensor<8x16xbf16>) -> tensor<8x8xbf16>
  return %1, %3 : tensor<8x8xf32>, tensor<8x8xbf16>
}

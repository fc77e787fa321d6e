// RUN: fusir-opt %s -p 'fuse{max-ops=2}' | filecheck %s
// RUN: not fusir-opt %s -p 'fuse{max-ops=0}' 2>&1 | filecheck %s --check-prefix=ZERO

// ZERO: fuse: max-ops must be at least 1, got 0

// CHECK-COUNT-2: graph.fusion
// CHECK-NOT: graph.fusion
func.func @four(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = graph.exp %x : tensor<64xf32>
  %1 = graph.sin %0 : tensor<64xf32>
  %2 = graph.cos %1 : tensor<64xf32>
  %3 = graph.tanh %2 : tensor<64xf32>
  func.return %3 : tensor<64xf32>
}

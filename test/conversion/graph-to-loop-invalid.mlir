// RUN: not fusir-opt %s --convert-graph-to-loop 2>&1 | filecheck %s

// CHECK: 'graph.exp' needs a kernel but is outside a graph.fusion: run 'fuse' before this pass
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: fusir-opt %s --convert-graph-to-loop --split-input-file --verify-diagnostics | filecheck %s

// Ops of a fusion that have no form at the loop level.

// CHECK: error: graph.mod has no form at the loop level
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %s = graph.mod %a, %a : tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// CHECK: error: graph.constant has no form at the loop level
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %c = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %s = graph.mul %a, %c : tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

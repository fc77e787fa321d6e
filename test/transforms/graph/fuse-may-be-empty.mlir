// RUN: fusir-opt %s --fuse --split-input-file | filecheck %s

// A single element is computed by the first program of another kernel, if that has one for all values of the symbols.

// CHECK-LABEL: func.func @main
// CHECK:         graph.fusion
// CHECK-NOT:     graph.fusion
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<?xf32, #graph.dims<[s0]>>, %y: tensor<1xf32>) -> (tensor<?xf32, #graph.dims<[s0 - 1]>>, tensor<1xf32>) {
  %s = graph.slice %x starts [1] steps [1] : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?xf32, #graph.dims<[s0 - 1]>>
  %e = graph.exp %s : tensor<?xf32, #graph.dims<[s0 - 1]>>
  %f = graph.exp %y : tensor<1xf32>
  return %e, %f : tensor<?xf32, #graph.dims<[s0 - 1]>>, tensor<1xf32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK:         graph.fusion
// CHECK:         graph.fusion
func.func @main(%s0: index {graph.symbol = #graph.symbol<0, min = 2>}, %x: tensor<?xf32, #graph.dims<[s0]>>, %y: tensor<1xf32>) -> (tensor<?xf32, #graph.dims<[s0 - 2]>>, tensor<1xf32>) {
  %s = graph.slice %x starts [2] steps [1] : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?xf32, #graph.dims<[s0 - 2]>>
  %e = graph.exp %s : tensor<?xf32, #graph.dims<[s0 - 2]>>
  %f = graph.exp %y : tensor<1xf32>
  return %e, %f : tensor<?xf32, #graph.dims<[s0 - 2]>>, tensor<1xf32>
}

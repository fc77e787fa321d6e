// RUN: fusir-opt %s --scan-to-aten --split-input-file | filecheck %s
// RUN: fusir-opt %s --scan-to-aten --split-input-file --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// One long row is scanned over many programs by ATen; its maxima are not.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: %sum = graph.call_aten "aten.cumsum.default"(%x) {args = [#graph.operand<0>, 1 : i64]} : (tensor<1x40000xf32>) -> tensor<1x40000xf32>
// CHECK-NEXT: %max = graph.scan max %x dim 1
// CHECK-NEXT: %product = graph.call_aten "aten.cumprod.default"(%i) {args = [#graph.operand<0>, 0 : i64], kwargs = {dtype = #graph.torch<"int32">}}
// REMARK: fallback: a scan runs as aten.cumsum
func.func @main(%x: tensor<1x40000xf32>, %i: tensor<40000xi32>) -> (tensor<1x40000xf32>, tensor<1x40000xf32>, tensor<40000xi32>) {
  %sum = graph.scan sum %x dim 1 : tensor<1x40000xf32>
  %max = graph.scan max %x dim 1 : tensor<1x40000xf32>
  %product = graph.scan prod %i dim 0 : tensor<40000xi32>
  func.return %sum, %max, %product : tensor<1x40000xf32>, tensor<1x40000xf32>, tensor<40000xi32>
}

// -----

// Several rows and short ones stay.

// CHECK-LABEL: func.func @main
// CHECK-NOT: call_aten
func.func @main(%x: tensor<2x40000xf32>, %y: tensor<1000xf32>) -> (tensor<2x40000xf32>, tensor<1000xf32>) {
  %rows = graph.scan sum %x dim 1 : tensor<2x40000xf32>
  %short = graph.scan sum %y dim 0 : tensor<1000xf32>
  func.return %rows, %short : tensor<2x40000xf32>, tensor<1000xf32>
}

// -----

// ATen has no scan from the end.

// CHECK-LABEL: func.func @main
// CHECK-NEXT: [[R:%.*]] = graph.reverse %x dims [0]
// CHECK-NEXT: [[S:%.*]] = graph.call_aten "aten.cumsum.default"([[R]])
// CHECK-NEXT: %sum = graph.reverse [[S]] dims [0]
func.func @main(%x: tensor<40000xf32>) -> tensor<40000xf32> {
  %sum = graph.scan sum %x dim 0 reverse : tensor<40000xf32>
  func.return %sum : tensor<40000xf32>
}

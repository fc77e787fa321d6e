// RUN: fusir-opt %s --scan-to-aten | filecheck %s
// RUN: fusir-opt %s --scan-to-aten --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// CHECK-LABEL: func.func @main
// CHECK-NEXT: %sum = graph.call_aten "aten.cumsum.default"(%x) {args = [#graph.operand<0>, 1 : i64]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %max, %{{.*}} = graph.call_aten "aten.cummax.default"(%x) {args = [#graph.operand<0>, 0 : i64]} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
// CHECK-NEXT: graph.call_aten "aten.cumprod.default"(%i) {args = [#graph.operand<0>, 0 : i64], kwargs = {dtype = #graph.torch<"int32">}}
// REMARK: fallback: a scan runs as aten.cumsum
func.func @main(%x: tensor<4x8xf32>, %i: tensor<4xi32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xi32>) {
  %sum = graph.scan sum %x dim 1 : tensor<4x8xf32>
  %max = graph.scan max %x dim 0 : tensor<4x8xf32>
  %product = graph.scan prod %i dim 0 : tensor<4xi32>
  func.return %sum, %max, %product : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xi32>
}

// RUN: fusir-opt %s --dce | filecheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: graph.exp %x
// CHECK-NEXT: graph.call_aten "aten.rand.default"()
// CHECK-NEXT: func.return
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.exp %x : tensor<4xf32>
  %1 = graph.sin %x : tensor<4xf32>
  %2 = graph.cos %1 : tensor<4xf32>
  %3 = graph.call_aten "aten.sin.default"(%2) {args = [#graph.operand<0>]} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.call_aten "aten.rand.default"() {args = [[4 : i64]], pure = false} : () -> tensor<4xf32>
  %5 = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    graph.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @in_fusion(
// CHECK-NEXT: graph.fusion
// CHECK-NEXT: graph.exp %a
// CHECK-NEXT: graph.yield
func.func @in_fusion(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = graph.exp %a : tensor<4xf32>
    %2 = graph.sin %1 : tensor<4xf32>
    %3 = graph.cos %2 : tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

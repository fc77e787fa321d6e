// RUN: fusir-opt %s --pipeline -t python | filecheck %s
// RUN: not fusir-opt %s --pipeline=upto=loop -t python 2>&1 | filecheck %s --check-prefix LOOP
// RUN: not fusir-opt %s -t python 2>&1 | filecheck %s --check-prefix GRAPH

// CHECK:       import torch
// CHECK-NEXT:  import triton
// CHECK-NEXT:  import triton.language as tl
// CHECK:       @triton.jit
// CHECK-NEXT:  def fused_exp_0(
// CHECK:       def call(inputs):
// CHECK-NEXT:      """The outputs for a list of inputs: x, w, main_0."""
// CHECK-NEXT:      x, w, main_0 = inputs
// CHECK-NEXT:      device = x.device
// CHECK-NEXT:      low = x.as_strided((2, 8), (8, 1), x.storage_offset() + 16)
// CHECK-NEXT:      product = torch.ops.aten.mm.default(low, w)
// CHECK-NEXT:      e = torch.empty_strided((2, 5), (5, 1), dtype=torch.bfloat16, device=device)
// CHECK-NEXT:      fused_exp_0[(1,)](product, e, XBLOCK={{[0-9]+}}, num_warps={{[0-9]+}}, num_stages={{[0-9]+}})
// CHECK-NEXT:      del product
// CHECK-NEXT:      values, indices, *_ = leaves(torch.ops.aten.sort.default(main_0, 0, True))
// CHECK-NEXT:      del _
// CHECK-NEXT:      if values.stride() != (1,): values = restride(values, (1,))
// CHECK-NEXT:      if indices.stride() != (1,): indices = restride(indices, (1,))
// CHECK-NEXT:      return [e, values, indices]
// CHECK:       def random_inputs(device):
// CHECK:               random_tensor((4, 8), (8, 1), torch.bfloat16, device),
// CHECK-NEXT:          random_tensor((8, 5), (1, 8), torch.bfloat16, device),
// CHECK-NEXT:          random_tensor((7,), (1,), torch.uint8, device),
// CHECK:       if __name__ == "__main__":
// CHECK-NEXT:      main()

// LOOP: @fused_exp_0 is not lowered to tt: run the whole pipeline
// GRAPH: 'graph.{{.*}}' is not an op of a launch program
func.func @main(%x: tensor<4x8xbf16>, %w: tensor<8x5xbf16> {graph.strides = #graph.dims<[1, 8]>}, %main: tensor<7xui8>) -> (tensor<2x5xbf16>, tensor<7xui8>, tensor<7xi64>) {
  %low = graph.slice %x starts [2, 0] steps [1, 1] : tensor<4x8xbf16> -> tensor<2x8xbf16>
  %product = graph.call_aten "aten.mm.default"(%low, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (tensor<2x8xbf16>, tensor<8x5xbf16>) -> tensor<2x5xbf16>
  %e = graph.exp %product : tensor<2x5xbf16>
  %values, %indices = graph.call_aten "aten.sort.default"(%main) {args = [#graph.operand<0>, 0 : i64, true]} : (tensor<7xui8>) -> (tensor<7xui8>, tensor<7xi64>)
  return %e, %values, %indices : tensor<2x5xbf16>, tensor<7xui8>, tensor<7xi64>
}

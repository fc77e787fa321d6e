// RUN: fusir-opt %s --channels-last | filecheck %s
// RUN: fusir-opt %s --channels-last='tf32=false' | filecheck %s --check-prefix IEEE
// RUN: fusir-opt %s --channels-last --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// CHECK-LABEL: @half
// CHECK: result_strides = [#graph.dims<[802816, 1, 14336, 256]>]
// REMARK: [channels-last] channels last: 1 convolution
func.func @half(%x: tensor<32x256x56x56xbf16>, %w: tensor<256x256x3x3xbf16>) -> tensor<32x256x56x56xbf16> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<32x256x56x56xbf16>, tensor<256x256x3x3xbf16>) -> tensor<32x256x56x56xbf16>
  %b = graph.neg %a : tensor<32x256x56x56xbf16>
  return %b : tensor<32x256x56x56xbf16>
}

// In f32 only the TF32 kernels gain, in f64 none.
// CHECK-LABEL: @f32
// CHECK: result_strides = [#graph.dims<[802816, 1, 14336, 256]>]
// IEEE-LABEL: @f32
// IEEE-NOT: strides
// REMARK-NEXT: [channels-last] channels last: 1 convolution
func.func @f32(%x: tensor<32x256x56x56xf32>, %w: tensor<256x256x3x3xf32>) -> tensor<32x256x56x56xf32> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<32x256x56x56xf32>, tensor<256x256x3x3xf32>) -> tensor<32x256x56x56xf32>
  %b = graph.neg %a : tensor<32x256x56x56xf32>
  return %b : tensor<32x256x56x56xf32>
}

// CHECK-LABEL: @f64
// CHECK-NOT: strides
// IEEE-LABEL: @f64
func.func @f64(%x: tensor<32x256x56x56xf64>, %w: tensor<256x256x3x3xf64>) -> tensor<32x256x56x56xf64> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<32x256x56x56xf64>, tensor<256x256x3x3xf64>) -> tensor<32x256x56x56xf64>
  %b = graph.neg %a : tensor<32x256x56x56xf64>
  return %b : tensor<32x256x56x56xf64>
}

// The CPU has layouts of its own.
// CHECK-LABEL: @cpu
// CHECK-NOT: strides
func.func @cpu(%x: tensor<32x256x56x56xbf16>, %w: tensor<256x256x3x3xbf16>) -> tensor<32x256x56x56xbf16> attributes {graph.device = "cpu"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<32x256x56x56xbf16>, tensor<256x256x3x3xbf16>) -> tensor<32x256x56x56xbf16>
  %b = graph.neg %a : tensor<32x256x56x56xbf16>
  return %b : tensor<32x256x56x56xbf16>
}

// Grouped ones lose.
// CHECK-LABEL: @grouped
// CHECK-NOT: strides
// REMARK-NEXT: [channels-last] not channels last: 1 convolution: most of the work is in grouped ones
func.func @grouped(%x: tensor<32x256x56x56xbf16>, %w: tensor<256x64x3x3xbf16>) -> tensor<32x256x56x56xbf16> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 2]} : (tensor<32x256x56x56xbf16>, tensor<256x64x3x3xbf16>) -> tensor<32x256x56x56xbf16>
  %b = graph.neg %a : tensor<32x256x56x56xbf16>
  return %b : tensor<32x256x56x56xbf16>
}

// One small convolution of f32 does not pay for copies of its input and filter.
// CHECK-LABEL: @small
// CHECK-NOT: strides
// REMARK-NEXT: [channels-last] not channels last: 1 convolution: would save the time of {{[0-9]+}} bytes of traffic, and move {{[0-9]+}} for copies
func.func @small(%x: tensor<1x256x56x56xf32>, %w: tensor<256x256x3x3xf32>) -> tensor<1x256x56x56xf32> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<1x256x56x56xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x56x56xf32>
  %b = graph.neg %a : tensor<1x256x56x56xf32>
  return %b : tensor<1x256x56x56xf32>
}

// Neither does a large one whose result is returned, so that it is copied back: a pass over the filter of one element.
// CHECK-LABEL: @returned
// CHECK-NOT: strides
// REMARK-NEXT: [channels-last] not channels last
func.func @returned(%x: tensor<32x64x256x256xf32>, %w: tensor<64x64x1x1xf32>) -> tensor<32x64x256x256xf32> attributes {graph.device = "cuda:0"} {
  %b = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [0, 0], [1, 1], false, [0, 0], 1]} : (tensor<32x64x256x256xf32>, tensor<64x64x1x1xf32>) -> tensor<32x64x256x256xf32>
  return %b : tensor<32x64x256x256xf32>
}

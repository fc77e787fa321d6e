// RUN: fusir-opt %s --channels-last='mode=always' | filecheck %s
// RUN: fusir-opt %s --channels-last='mode=always products=true' | filecheck %s --check-prefix PRODUCT
// RUN: fusir-opt %s --channels-last='mode=never' | filecheck %s --check-prefix NEVER

// NEVER-NOT: 1, 64, 8]

// The convolutions take and give channels last; so do the pool, and the pointwise ops between them. What is returned is as it was.
// CHECK-LABEL: @block
// CHECK: %a = graph.call_aten "aten.convolution.default"(%x, %w)
// CHECK-SAME: operand_strides = [#graph.dims<[512, 1, 64, 8]>, #graph.dims<[72, 1, 24, 8]>]
// CHECK-SAME: result_strides = [#graph.dims<[512, 1, 64, 8]>]
// CHECK-NEXT: %r = graph.relu %a {graph.strides = #graph.dims<[512, 1, 64, 8]>}
// CHECK-NEXT: %s = graph.add %r, %x {graph.strides = #graph.dims<[512, 1, 64, 8]>}
// CHECK-NEXT: "aten.max_pool2d_with_indices.default"(%s)
// CHECK-SAME: operand_strides = [#graph.dims<[512, 1, 64, 8]>]
// CHECK-SAME: result_strides = [#graph.dims<[128, 1, 32, 8]>, #graph.dims<[128, 1, 32, 8]>]
// CHECK: %b = graph.call_aten "aten.convolution.default"(%p, %w)
// CHECK-NEXT: %t = graph.tanh %b : tensor<2x8x4x4xbf16>
// CHECK-NEXT: return %t
func.func @block(%x: tensor<2x8x8x8xbf16>, %w: tensor<8x8x3x3xbf16>) -> tensor<2x8x4x4xbf16> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1], operand_strides = [#graph.dims<[512, 64, 8, 1]>, #graph.dims<[72, 9, 3, 1]>], result_strides = [#graph.dims<[512, 64, 8, 1]>]} : (tensor<2x8x8x8xbf16>, tensor<8x8x3x3xbf16>) -> tensor<2x8x8x8xbf16>
  %r = graph.relu %a : tensor<2x8x8x8xbf16>
  %s = graph.add %r, %x : tensor<2x8x8x8xbf16>
  %p, %i = graph.call_aten "aten.max_pool2d_with_indices.default"(%s) {args = [#graph.operand<0>, [2, 2], [2, 2]], operand_strides = [#graph.dims<[512, 64, 8, 1]>], result_strides = [#graph.dims<[128, 16, 4, 1]>, #graph.dims<[128, 16, 4, 1]>]} : (tensor<2x8x8x8xbf16>) -> (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xi64>)
  %b = graph.call_aten "aten.convolution.default"(%p, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<2x8x4x4xbf16>, tensor<8x8x3x3xbf16>) -> tensor<2x8x4x4xbf16>
  %t = graph.tanh %b : tensor<2x8x4x4xbf16>
  return %t : tensor<2x8x4x4xbf16>
}

// An operator that may not keep the layout gets its operand as before; a view of a new layout is a view; what is written because
// a convolution reads it, itself or permuted, is written for it.
// CHECK-LABEL: @neighbours
// CHECK: %e = graph.exp %x {graph.strides = #graph.dims<[512, 1, 64, 8]>}
// CHECK: %n = graph.neg %y {graph.strides = #graph.dims<[64, 512, 1, 8]>}
// CHECK: %m = graph.permute %n
// CHECK: %a = graph.call_aten "aten.convolution.default"(%e, %w)
// CHECK: "aten.grid_sampler_2d.default"(%a, %g)
// CHECK-SAME: operand_strides = [#graph.dims<[512, 64, 8, 1]>, #graph.dims<[128, 16, 2, 1]>]
// CHECK-SAME: result_strides = [#graph.dims<[512, 64, 8, 1]>]
// CHECK: %h = graph.relu %half {graph.strides = #graph.dims<[256, 1, 32, 4]>}
// CHECK: %k = graph.neg %spread : tensor
// CHECK: %q = graph.neg %turned : tensor
// CHECK: "aten.cumsum.default"(%half)
// CHECK-SAME: operand_strides = [#graph.dims<[256, 64, 8, 1]>]
func.func @neighbours(%x: tensor<2x8x8x8xbf16>, %y: tensor<8x2x8x8xbf16>, %w: tensor<8x8x3x3xbf16>, %g: tensor<2x8x8x2xbf16>) attributes {graph.device = "cuda:0"} {
  %e = graph.exp %x : tensor<2x8x8x8xbf16>
  %n = graph.neg %y : tensor<8x2x8x8xbf16>
  %m = graph.permute %n dims [1, 2, 0, 3] : tensor<8x2x8x8xbf16> -> tensor<2x8x8x8xbf16>
  %a = graph.call_aten "aten.convolution.default"(%e, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<2x8x8x8xbf16>, tensor<8x8x3x3xbf16>) -> tensor<2x8x8x8xbf16>
  %b = graph.call_aten "aten.convolution.default"(%m, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<2x8x8x8xbf16>, tensor<8x8x3x3xbf16>) -> tensor<2x8x8x8xbf16>
  %c = graph.call_aten "aten.grid_sampler_2d.default"(%a, %g) {args = [#graph.operand<0>, #graph.operand<1>, 0, 0, false]} : (tensor<2x8x8x8xbf16>, tensor<2x8x8x2xbf16>) -> tensor<2x8x8x8xbf16>
  %half = graph.slice %a starts [0, 4, 0, 0] steps [1, 1, 1, 1] : tensor<2x8x8x8xbf16> -> tensor<2x4x8x8xbf16>
  %h = graph.relu %half : tensor<2x4x8x8xbf16>
  %one = graph.slice %a starts [0, 0, 0, 0] steps [1, 1, 1, 1] : tensor<2x8x8x8xbf16> -> tensor<2x1x8x8xbf16>
  %spread = graph.broadcast %one dims [0, 1, 2, 3] : tensor<2x1x8x8xbf16> -> tensor<2x8x8x8xbf16>
  %k = graph.neg %spread : tensor<2x8x8x8xbf16>
  %turned = graph.permute %a dims [0, 2, 3, 1] : tensor<2x8x8x8xbf16> -> tensor<2x8x8x8xbf16>
  %q = graph.neg %turned : tensor<2x8x8x8xbf16>
  %d = graph.call_aten "aten.cumsum.default"(%half) {args = [#graph.operand<0>, 1], operand_strides = [#graph.dims<[512, 64, 8, 1]>]} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  return
}

// What has no such layout, a training program, and what is read by an operator that depends on strides.
// CHECK-LABEL: @line
// CHECK-NOT: strides
// CHECK-LABEL: @training
// CHECK-NOT: strides
// CHECK-LABEL: @as_strided
// CHECK-NOT: strides
func.func @line(%x: tensor<2x8x8xbf16>, %w: tensor<8x8x3xbf16>) -> tensor<2x8x8xbf16> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1], [1], [1], false, [0], 1]} : (tensor<2x8x8xbf16>, tensor<8x8x3xbf16>) -> tensor<2x8x8xbf16>
  return %a : tensor<2x8x8xbf16>
}

func.func @training(%x: tensor<2x8x8x8xbf16>, %w: tensor<8x8x3x3xbf16>) -> tensor<2x8x8x8xbf16> attributes {graph.device = "cuda:0", graph.training} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<2x8x8x8xbf16>, tensor<8x8x3x3xbf16>) -> tensor<2x8x8x8xbf16>
  return %a : tensor<2x8x8x8xbf16>
}

func.func @as_strided(%x: tensor<2x8x8x8xbf16>, %w: tensor<8x8x3x3xbf16>) -> tensor<2x4xbf16> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<2x8x8x8xbf16>, tensor<8x8x3x3xbf16>) -> tensor<2x8x8x8xbf16>
  %b = graph.call_aten "aten.as_strided_copy.default"(%a) {args = [#graph.operand<0>, [2, 4], [4, 1], 0]} : (tensor<2x8x8x8xbf16>) -> tensor<2x4xbf16>
  return %b : tensor<2x4xbf16>
}

// Volumes; a batch of any size.
// CHECK-LABEL: @volume
// CHECK: result_strides = [#graph.dims<[512, 1, 128, 32, 8]>]
// CHECK-LABEL: @batch
// CHECK: result_strides = [#graph.dims<[512, 1, 64, 8]>]
func.func @volume(%x: tensor<2x8x4x4x4xf16>, %w: tensor<8x8x3x3x3xf16>) -> tensor<2x8x4x4x4xf16> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1, 1], [1, 1, 1], [1, 1, 1], false, [0, 0, 0], 1]} : (tensor<2x8x4x4x4xf16>, tensor<8x8x3x3x3xf16>) -> tensor<2x8x4x4x4xf16>
  return %a : tensor<2x8x4x4x4xf16>
}

func.func @batch(%x: tensor<?x8x8x8xbf16, #graph.dims<[s0, 8, 8, 8]>>, %w: tensor<8x8x3x3xbf16>, %s: index {graph.symbol = #graph.symbol<0, min = 2>}) -> tensor<?x8x8x8xbf16, #graph.dims<[s0, 8, 8, 8]>> attributes {graph.device = "cuda:0"} {
  %a = graph.call_aten "aten.convolution.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [1, 1], [1, 1], [1, 1], false, [0, 0], 1]} : (tensor<?x8x8x8xbf16, #graph.dims<[s0, 8, 8, 8]>>, tensor<8x8x3x3xbf16>) -> tensor<?x8x8x8xbf16, #graph.dims<[s0, 8, 8, 8]>>
  return %a : tensor<?x8x8x8xbf16, #graph.dims<[s0, 8, 8, 8]>>
}

// As a matrix product, on request: what it reads and gives is channels last, and what follows too.
// PRODUCT-LABEL: @product
// PRODUCT: %e = graph.exp %x {graph.strides = #graph.dims<[512, 1, 64, 8]>}
// PRODUCT-NEXT: graph.permute %e dims [0, 2, 3, 1] : tensor<2x8x8x8xbf16> -> tensor<2x8x8x8xbf16>
// PRODUCT-NEXT: graph.reshape {{.*}} -> tensor<128x8xbf16>
// PRODUCT-NEXT: graph.reshape %w : tensor<6x8x1x1xbf16> -> tensor<6x8xbf16>
// PRODUCT-NEXT: graph.permute {{.*}} dims [1, 0]
// PRODUCT-NEXT: graph.contract {{.*}} contract [1], [0] : (tensor<128x8xbf16>, tensor<8x6xbf16>) -> tensor<128x6xbf16>
// PRODUCT-NEXT: graph.broadcast %b dims [1]
// PRODUCT-NEXT: graph.add
// PRODUCT-NEXT: graph.reshape {{.*}} -> tensor<2x8x8x6xbf16>
// PRODUCT-NEXT: %a = graph.permute {{.*}} dims [0, 3, 1, 2]
// PRODUCT-NEXT: %r = graph.relu %a {graph.strides = #graph.dims<[384, 1, 48, 6]>}
// PRODUCT: "aten.convolution.default"(%r, %v)
// CHECK-LABEL: @product
// CHECK-NOT: graph.contract
// CHECK: graph.call_aten
func.func @product(%x: tensor<2x8x8x8xbf16>, %w: tensor<6x8x1x1xbf16>, %b: tensor<6xbf16>, %v: tensor<6x6x1x1xbf16>) attributes {graph.device = "cuda:0"} {
  %e = graph.exp %x : tensor<2x8x8x8xbf16>
  %a = graph.call_aten "aten.convolution.default"(%e, %w, %b) {args = [#graph.operand<0>, #graph.operand<1>, #graph.operand<2>, [1, 1], [0, 0], [1, 1], false, [0, 0], 1]} : (tensor<2x8x8x8xbf16>, tensor<6x8x1x1xbf16>, tensor<6xbf16>) -> tensor<2x6x8x8xbf16>
  %r = graph.relu %a : tensor<2x6x8x8xbf16>
  %c = graph.call_aten "aten.convolution.default"(%r, %v) {args = [#graph.operand<0>, #graph.operand<1>, #graph.none, [2, 2], [0, 0], [1, 1], false, [0, 0], 1]} : (tensor<2x6x8x8xbf16>, tensor<6x6x1x1xbf16>) -> tensor<2x6x4x4xbf16>
  return
}

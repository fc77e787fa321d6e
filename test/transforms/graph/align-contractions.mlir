// RUN: fusir-opt %s --align-contractions | filecheck %s

// The weight is padded in its own layout, and the result of an inference graph keeps the padded rows.
// CHECK-LABEL: @logits
// CHECK-SAME: graph.strides = #graph.dims<[25735168, 50264, 1]>
// CHECK: graph.pad %w low [0, 0] high [7, 0] value 0.0 : tensor<50257x768xbf16> -> tensor<50264x768xbf16>
// CHECK: graph.permute
// CHECK: graph.contract {{.*}} -> tensor<4096x50264xbf16>
// CHECK: graph.slice {{.*}} : tensor<4096x50264xbf16> -> tensor<4096x50257xbf16>
func.func @logits(%x: tensor<4096x768xbf16>, %w: tensor<50257x768xbf16>) -> tensor<8x512x50257xbf16> attributes {graph.inference} {
  %t = graph.permute %w dims [1, 0] : tensor<50257x768xbf16> -> tensor<768x50257xbf16>
  %y = graph.contract %x, %t batch [], [] contract [1], [0] : (tensor<4096x768xbf16>, tensor<768x50257xbf16>) -> tensor<4096x50257xbf16>
  %r = graph.reshape %y : tensor<4096x50257xbf16> -> tensor<8x512x50257xbf16>
  return %r : tensor<8x512x50257xbf16>
}

// Another graph may rely on the strides.
// CHECK-LABEL: @training
// CHECK-NOT: graph.strides
// CHECK: graph.pad %w low [0, 0] high [0, 7]
func.func @training(%x: tensor<4096x768xbf16>, %w: tensor<768x50257xbf16>) -> tensor<4096x50257xbf16> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<4096x768xbf16>, tensor<768x50257xbf16>) -> tensor<4096x50257xbf16>
  return %y : tensor<4096x50257xbf16>
}

// Small, aligned, or not half precision.
// CHECK-LABEL: @alone
// CHECK-NOT: graph.pad
func.func @alone(%x: tensor<64x64xbf16>, %y: tensor<64x65xbf16>, %u: tensor<4096x768xbf16>, %v: tensor<768x50256xbf16>,
                 %f: tensor<4096x768xf32>, %g: tensor<768x50257xf32>) -> (tensor<64x65xbf16>, tensor<4096x50256xbf16>, tensor<4096x50257xf32>) {
  %a = graph.contract %x, %y batch [], [] contract [1], [0] : (tensor<64x64xbf16>, tensor<64x65xbf16>) -> tensor<64x65xbf16>
  %b = graph.contract %u, %v batch [], [] contract [1], [0] : (tensor<4096x768xbf16>, tensor<768x50256xbf16>) -> tensor<4096x50256xbf16>
  %c = graph.contract %f, %g batch [], [] contract [1], [0] : (tensor<4096x768xf32>, tensor<768x50257xf32>) -> tensor<4096x50257xf32>
  return %a, %b, %c : tensor<64x65xbf16>, tensor<4096x50256xbf16>, tensor<4096x50257xf32>
}

// RUN: fusir-opt %s --hoist-parameters | filecheck %s
// RUN: fusir-opt %s --fuse-contractions --hoist-parameters | filecheck %s --check-prefix FUSED

// What is made of weights alone is computed by @prepare; views and small elementwise ops stay where they are read.

builtin.module {
  func.func @main(%g: tensor<64xbf16> {graph.parameter, graph.weight}, %w: tensor<256x64xbf16> {graph.parameter, graph.weight}, %x: tensor<32x64xbf16>, %b: tensor<256xf32> {graph.parameter, graph.weight}) -> (tensor<32x256xbf16>, tensor<256xf32>) attributes {graph.device = "cpu", graph.inference, graph.pack_parameters} {
    %0 = graph.permute %w dims [1, 0] : tensor<256x64xbf16> -> tensor<64x256xbf16>
    %1 = graph.broadcast %g dims [0] : tensor<64xbf16> -> tensor<64x256xbf16>
    %scaled = graph.mul %0, %1 : tensor<64x256xbf16>
    %y = graph.contract %x, %scaled batch [], [] contract [1], [0] : (tensor<32x64xbf16>, tensor<64x256xbf16>) -> tensor<32x256xbf16>
    %small = graph.exp %b : tensor<256xf32>
    %2 = graph.convert %small : tensor<256xf32> -> tensor<256xbf16>
    %3 = graph.broadcast %2 dims [1] : tensor<256xbf16> -> tensor<32x256xbf16>
    %z = graph.add %y, %3 : tensor<32x256xbf16>
    %norm = graph.reduce sum %w dims [1] : tensor<256x64xbf16> -> tensor<256xbf16>
    %4 = graph.convert %norm : tensor<256xbf16> -> tensor<256xf32>
    %5 = graph.sin %4 : tensor<256xf32>
    func.return %z, %5 : tensor<32x256xbf16>, tensor<256xf32>
  }
}

// The weight keeps its layout. The sum is returned only behind further ops, which are small.
// CHECK:      func.func @main(%g: {{.*}}, %b: tensor<256xf32> {graph.parameter, graph.weight},
// CHECK-SAME: %scaled: tensor<64x256xbf16> {graph.name = "packed scaled", graph.packed = 0 : i64, graph.parameter, graph.strides = #graph.dims<[1, 64]>},
// CHECK-SAME: %norm: tensor<256xbf16> {graph.name = "packed norm", graph.packed = 1 : i64, graph.parameter})
// CHECK-NEXT:   %y = graph.contract %x, %scaled
// CHECK-NEXT:   %small = graph.exp %b
// CHECK-NEXT:   graph.convert %small
// CHECK:        [[NORM:%[0-9]+]] = graph.convert %norm
// CHECK-NEXT:   graph.sin [[NORM]]
// CHECK:      func.func @prepare(%g: tensor<64xbf16> {{{.*}}graph.argument = 0 : i64}, %w: tensor<256x64xbf16> {{{.*}}graph.argument = 1 : i64})
// CHECK-SAME: -> (tensor<64x256xbf16> {graph.strides = #graph.dims<[1, 64]>}, tensor<256xbf16>) attributes {graph.device = "cpu", graph.inference} {
// CHECK-NEXT:   graph.permute %w
// CHECK-NEXT:   graph.broadcast %g
// CHECK-NEXT:   %scaled = graph.mul
// CHECK-NEXT:   %norm = graph.reduce sum %w
// CHECK-NEXT:   func.return %scaled, %norm

// It does not move into the fusion of the contraction, whereas what is small does.
// FUSED:      graph.fusion ({{.*}} = %x : tensor<32x64xbf16>, {{.*}} = %scaled : tensor<64x256xbf16>, {{.*}} = %b : tensor<256xf32>)
// FUSED-NEXT:   graph.contract
// FUSED-NEXT:   graph.exp
// FUSED:      func.func @prepare
// FUSED:        %scaled = graph.mul

// RUN: fusir-opt %s --fuse-contractions | filecheck %s
// RUN: fusir-opt %s --pipeline=upto=loop | filecheck %s --check-prefix=LOOP

// Two numbers of four bits in a byte, along the contracted dim: the concatenation of both is computed as the operand is
// loaded. The byte and the scale of a group are at places of the contracted index.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    graph.fusion
// CHECK:           graph.concat
// CHECK:           graph.contract
// CHECK:           graph.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    return

// LOOP:     loop.reduce [add] (%[[K:.*]]) in (64) -> f32 {
// LOOP:       loop.load %{{.*}}[%[[K]] floordiv 2, %{{.*}}] if
// LOOP:       arith.select
// LOOP:       loop.load %{{.*}}[%[[K]] floordiv 32, %{{.*}}] : memref<2x48xf16>
// LOOP:     } {loop.contraction}
// LOOP-NOT: loop.kernel
func.func @main(%x: tensor<16x64xf16>, %p: tensor<32x48xui8>, %s: tensor<2x48xf16>) -> tensor<16x48xf16> {
  %c15 = graph.full 15 : tensor<32x48xui8>
  %c4 = graph.full 4 : tensor<32x48xui8>
  %c8 = graph.full 8 : tensor<32x2x48xi8>
  %0 = graph.and %p, %c15 : tensor<32x48xui8>
  %1 = graph.shr %p, %c4 : tensor<32x48xui8>
  %2 = graph.convert %0 : tensor<32x48xui8> -> tensor<32x48xi8>
  %3 = graph.convert %1 : tensor<32x48xui8> -> tensor<32x48xi8>
  %4 = graph.reshape %2 : tensor<32x48xi8> -> tensor<32x1x48xi8>
  %5 = graph.reshape %3 : tensor<32x48xi8> -> tensor<32x1x48xi8>
  %6 = graph.concat %4, %5 dim 1 : (tensor<32x1x48xi8>, tensor<32x1x48xi8>) -> tensor<32x2x48xi8>
  %7 = graph.sub %6, %c8 : tensor<32x2x48xi8>
  %8 = graph.reshape %7 : tensor<32x2x48xi8> -> tensor<2x32x48xi8>
  %9 = graph.convert %8 : tensor<2x32x48xi8> -> tensor<2x32x48xf16>
  %10 = graph.broadcast %s dims [0, 2] : tensor<2x48xf16> -> tensor<2x32x48xf16>
  %11 = graph.mul %9, %10 : tensor<2x32x48xf16>
  %12 = graph.reshape %11 : tensor<2x32x48xf16> -> tensor<64x48xf16>
  %13 = graph.contract %x, %12 batch [], [] contract [1], [0] : (tensor<16x64xf16>, tensor<64x48xf16>) -> tensor<16x48xf16>
  return %13 : tensor<16x48xf16>
}

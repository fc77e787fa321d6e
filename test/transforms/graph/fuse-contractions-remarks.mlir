// RUN: fusir-opt %s --fuse-contractions --remarks 2>&1 >/dev/null | filecheck %s

// CHECK: remark: [fuse-contractions] not fused: %t: it needs the elements at other places
// CHECK: remark: [fuse-contractions] fused: %y; epilogue add, relu; operands convert
func.func @fused(%x: tensor<64x32xbf16>, %w: tensor<32x16xi8>, %r: tensor<64x16xbf16>) -> tensor<16x64xbf16> {
  %h = graph.convert %w : tensor<32x16xi8> -> tensor<32x16xbf16>
  %y = graph.contract %x, %h batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  %a = graph.add %y, %r : tensor<64x16xbf16>
  %b = graph.relu %a : tensor<64x16xbf16>
  %t = graph.permute %b dims [1, 0] : tensor<64x16xbf16> -> tensor<16x64xbf16>
  %e = graph.exp %t : tensor<16x64xbf16>
  return %e : tensor<16x64xbf16>
}

// CHECK: remark: [fuse-contractions] not fused: %f, %q, %s: fewer bytes are moved where these are computed after reading the result
// CHECK: remark: [fuse-contractions] fused: %y
func.func @norm(%x: tensor<64x32xbf16>, %w: tensor<32x128xbf16>) -> tensor<64x128xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x128xbf16>) -> tensor<64x128xbf16>
  %f = graph.convert %y : tensor<64x128xbf16> -> tensor<64x128xf32>
  %q = graph.mul %f, %f : tensor<64x128xf32>
  %s = graph.reduce sum %q dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %b = graph.broadcast %s dims [0] : tensor<64xf32> -> tensor<64x128xf32>
  %n = graph.mul %f, %b : tensor<64x128xf32>
  return %n : tensor<64x128xf32>
}

// CHECK: remark: [fuse-contractions] not fused: %s: 100 elements are not divisible by 128
func.func @odd(%x: tensor<64x32xf32>, %w: tensor<32x100xf32>) -> tensor<64xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x100xf32>) -> tensor<64x100xf32>
  %s = graph.reduce sum %y dims [1] : tensor<64x100xf32> -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// CHECK: remark: [fuse-contractions] not fused: 1 ops would be evaluated for each tile that needs the operand
func.func @expensive(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %e = graph.exp %x : tensor<4096x4096xbf16>
  %y = graph.contract %e, %w batch [], [] contract [1], [0] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}

// CHECK: remark: [fuse-contractions] fused: row factors of the right operand follow the product
func.func @columns(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %q = graph.mul %w, %w : tensor<32x16xf32>
  %s = graph.reduce sum %q dims [0] : tensor<32x16xf32> -> tensor<16xf32>
  %r = graph.rsqrt %s : tensor<16xf32>
  %b = graph.broadcast %r dims [1] : tensor<16xf32> -> tensor<32x16xf32>
  %n = graph.mul %w, %b : tensor<32x16xf32>
  %y = graph.contract %x, %n batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// CHECK: remark: [fuse-contractions] not fused: a contraction of f64 elements
func.func @wide(%x: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %y = graph.contract %x, %x batch [], [] contract [1], [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  return %y : tensor<8x8xf64>
}

// A product of one row is no tile: what reduces it reads it.
// CHECK: remark: [fuse-contractions] not fused: %r: a product of one row is no tile to reduce
func.func @one_row(%x: tensor<1x32xf32>, %w: tensor<32x256xf32>) -> tensor<1xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<1x32xf32>, tensor<32x256xf32>) -> tensor<1x256xf32>
  %r = graph.reduce sum %y dims [1] : tensor<1x256xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}

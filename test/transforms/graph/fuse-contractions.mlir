// RUN: fusir-opt %s --fuse-contractions | filecheck %s
// RUN: fusir-opt %s -p 'fuse-contractions{strict-rounding=true}' | filecheck %s --check-prefix=STRICT
// RUN: fusir-opt %s -p 'fuse-contractions{reductions=false}' | filecheck %s --check-prefix=WHOLE
// RUN: fusir-opt %s -p 'fuse-contractions{enabled=false}' | filecheck %s --check-prefix=OFF
// RUN: fusir-opt %s --fuse-contractions --fuse --contract-to-aten --promote-precision | filecheck %s --check-prefix=ALL

// OFF-NOT: graph.fusion
// ALL-LABEL: func.func @alone(

// A contraction alone is a fusion.
// CHECK-LABEL: func.func @alone(
// CHECK: graph.fusion
// CHECK-NEXT: graph.contract
// CHECK-NEXT: graph.yield
func.func @alone(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %y : tensor<64x16xf32>
}

// What nobody uses is no fusion.
// CHECK-LABEL: func.func @dead(
// CHECK-NEXT: return
func.func @dead(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %r = graph.relu %y : tensor<64x16xf32>
  return
}

// A bias is read as it is, constants and views are made inside.
// CHECK-LABEL: func.func @bias_relu(
// CHECK-NEXT: graph.fusion (%x_1 = %x : tensor<64x32xbf16>, %w_1 = %w : tensor<32x16xbf16>, %b_1 = %b : tensor<16xbf16>) -> tensor<64x16xbf16>
// CHECK-NEXT: graph.contract %x_1, %w_1
// CHECK-NEXT: graph.broadcast %b_1
// CHECK-NEXT: graph.add
// CHECK-NEXT: graph.relu
// CHECK-NEXT: graph.yield
// ALL-LABEL: func.func @bias_relu(
// ALL: graph.contract {{.*}} : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xf32>
// ALL: graph.add {{.*}} : tensor<64x16xf32>
// ALL-NOT: graph.call_aten
func.func @bias_relu(%x: tensor<64x32xbf16>, %w: tensor<32x16xbf16>, %b: tensor<16xbf16>) -> tensor<64x16xbf16> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  %c = graph.broadcast %b dims [1] : tensor<16xbf16> -> tensor<64x16xbf16>
  %a = graph.add %y, %c : tensor<64x16xbf16>
  %r = graph.relu %a : tensor<64x16xbf16>
  return %r : tensor<64x16xbf16>
}

// Two results; views of a result stay outside.
// CHECK-LABEL: func.func @gelu(
// CHECK-NEXT: %y, %g = graph.fusion ({{.*}}) -> (tensor<64x16xf32>, tensor<8x8x16xf32>)
// CHECK: graph.yield
// CHECK-NEXT: }
// CHECK-NEXT: graph.permute %g
func.func @gelu(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> (tensor<8x16x8xf32> {graph.strides = #graph.dims<[128, 1, 16]>}, tensor<64x16xf32>) {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %v = graph.reshape %y : tensor<64x16xf32> -> tensor<8x8x16xf32>
  %e = graph.erf %v : tensor<8x8x16xf32>
  %g = graph.mul %v, %e : tensor<8x8x16xf32>
  %t = graph.permute %g dims [0, 2, 1] : tensor<8x8x16xf32> -> tensor<8x16x8xf32>
  return %t, %y : tensor<8x16x8xf32>, tensor<64x16xf32>
}

// The residual joins. What feeds a norm of it does not: stored values would be wider, and be read again.
// CHECK-LABEL: func.func @residual(
// CHECK-NEXT: %a = graph.fusion ({{.*}}) -> tensor<64x128xbf16>
// CHECK-NEXT: graph.contract
// CHECK-NEXT: graph.add
// CHECK-NEXT: graph.yield
// CHECK: graph.convert %a
// CHECK: graph.reduce
func.func @residual(%x: tensor<64x32xbf16>, %w: tensor<32x128xbf16>, %r: tensor<64x128xbf16>) -> tensor<64x128xbf16> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x128xbf16>) -> tensor<64x128xbf16>
  %a = graph.add %y, %r : tensor<64x128xbf16>
  %f = graph.convert %a : tensor<64x128xbf16> -> tensor<64x128xf32>
  %q = graph.mul %f, %f : tensor<64x128xf32>
  %s = graph.reduce sum %q dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %i = graph.rsqrt %s : tensor<64xf32>
  %b = graph.broadcast %i dims [0] : tensor<64xf32> -> tensor<64x128xf32>
  %n = graph.mul %f, %b : tensor<64x128xf32>
  %h = graph.convert %n : tensor<64x128xf32> -> tensor<64x128xbf16>
  return %h : tensor<64x128xbf16>
}

// Contractions that share an operand and meet are one fusion, where the later one stands.
// CHECK-LABEL: func.func @gated(
// CHECK-NEXT: graph.exp
// CHECK-NEXT: %m = graph.fusion
// CHECK: graph.contract %x_1
// CHECK: graph.contract %x_1
// CHECK: graph.mul
// CHECK-NOT: graph.fusion
// CHECK: graph.neg %m
func.func @gated(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>, %v: tensor<32x16xf32>, %z: tensor<32x16xf32>) -> (tensor<64x16xf32>, tensor<32x16xf32>) {
  %g = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %s = graph.sigmoid %g : tensor<64x16xf32>
  %e = graph.exp %z : tensor<32x16xf32>
  %u = graph.contract %x, %v batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %m = graph.mul %s, %u : tensor<64x16xf32>
  %n = graph.neg %m : tensor<64x16xf32>
  %c = graph.concat %n, %m dim 0 : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<128x16xf32>
  %k = graph.slice %c starts [0, 0] steps [1, 1] : tensor<128x16xf32> -> tensor<64x16xf32>
  return %k, %e : tensor<64x16xf32>, tensor<32x16xf32>
}

// Those that do not meet are two.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: graph.fusion
func.func @apart(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>, %v: tensor<32x16xf32>) -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %q = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %k = graph.contract %x, %v batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %r = graph.relu %q : tensor<64x16xf32>
  return %r, %k : tensor<64x16xf32>, tensor<64x16xf32>
}

// A weight of bytes is converted and scaled as it is loaded.
// CHECK-LABEL: func.func @bytes(
// CHECK-NEXT: graph.fusion (%x_1 = %x : tensor<64x32xbf16>, %w_1 = %w : tensor<32x16xi8>, %s_1 = %s : tensor<16xbf16>)
// CHECK-NEXT: graph.convert %w_1 : tensor<32x16xi8> -> tensor<32x16xbf16>
// CHECK-NEXT: graph.broadcast %s_1
// CHECK-NEXT: graph.mul
// CHECK-NEXT: graph.contract
// ALL-LABEL: func.func @bytes(
// ALL: graph.mul {{.*}} : tensor<32x16xf32>
// ALL-NEXT: [[W:%.*]] = graph.convert {{.*}} -> tensor<32x16xbf16>
// ALL-NEXT: graph.contract %{{.*}}, [[W]]
func.func @bytes(%x: tensor<64x32xbf16>, %w: tensor<32x16xi8>, %s: tensor<16xbf16>) -> tensor<64x16xbf16> {
  %h = graph.convert %w : tensor<32x16xi8> -> tensor<32x16xbf16>
  %b = graph.broadcast %s dims [1] : tensor<16xbf16> -> tensor<32x16xbf16>
  %m = graph.mul %h, %b : tensor<32x16xbf16>
  %y = graph.contract %x, %m batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  return %y : tensor<64x16xbf16>
}

// An operand that three contractions read is converted in each of them; one that takes more is stored.
// CHECK-LABEL: func.func @shared(
// CHECK-NEXT: graph.tanh
// CHECK-NOT: graph.convert %x :
// CHECK-COUNT-3: graph.convert %x_{{[0-9]+}} : tensor<64x32xi8> -> tensor<64x32xbf16>
func.func @shared(%x: tensor<64x32xi8>, %z: tensor<64x32xbf16>, %w: tensor<32x16xbf16>, %v: tensor<32x16xbf16>, %u: tensor<32x16xbf16>) -> (tensor<64x16xbf16>, tensor<64x16xbf16>, tensor<64x16xbf16>, tensor<64x16xbf16>, tensor<64x16xbf16>) {
  %h = graph.convert %x : tensor<64x32xi8> -> tensor<64x32xbf16>
  %t = graph.tanh %z : tensor<64x32xbf16>
  %q = graph.contract %h, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  %k = graph.contract %h, %v batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  %r = graph.contract %h, %u batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  %a = graph.contract %t, %u batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  %b = graph.contract %t, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  return %q, %k, %r, %a, %b : tensor<64x16xbf16>, tensor<64x16xbf16>, tensor<64x16xbf16>, tensor<64x16xbf16>, tensor<64x16xbf16>
}

// Transcendental functions are not evaluated for each tile of a result of thousands of rows: storing them is faster.
// CHECK-LABEL: func.func @expensive(
// CHECK-NEXT: %e = graph.exp
// CHECK-NEXT: graph.fusion (%{{.*}} = %e
func.func @expensive(%x: tensor<4096x4096xbf16>, %w: tensor<4096x256xbf16>) -> tensor<4096x256xbf16> {
  %e = graph.exp %x : tensor<4096x4096xbf16>
  %y = graph.contract %e, %w batch [], [] contract [1], [0] : (tensor<4096x4096xbf16>, tensor<4096x256xbf16>) -> tensor<4096x256xbf16>
  return %y : tensor<4096x256xbf16>
}

// Simple ones are, while the products take no longer than storing the operand does.
// CHECK-LABEL: func.func @simple(
// CHECK-NEXT: graph.fusion (%{{.*}} = %x
// CHECK-NEXT: graph.relu
// CHECK-NEXT: graph.contract
func.func @simple(%x: tensor<4096x4096xbf16>, %w: tensor<4096x256xbf16>) -> tensor<4096x256xbf16> {
  %e = graph.relu %x : tensor<4096x4096xbf16>
  %y = graph.contract %e, %w batch [], [] contract [1], [0] : (tensor<4096x4096xbf16>, tensor<4096x256xbf16>) -> tensor<4096x256xbf16>
  return %y : tensor<4096x256xbf16>
}

// Nothing is computed on the way to the products of a large contraction, not even one conversion: these would wait.
// CHECK-LABEL: func.func @large(
// CHECK-NEXT: %h = graph.convert
// CHECK-NEXT: %e = graph.relu
// CHECK-NEXT: graph.fusion (%{{.*}} = %e : tensor<4096x4096xbf16>, %{{.*}} = %h : tensor<4096x4096xbf16>)
// CHECK-NEXT: graph.contract
// CHECK-NEXT: graph.yield
func.func @large(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xi8>) -> tensor<4096x4096xbf16> {
  %h = graph.convert %w : tensor<4096x4096xi8> -> tensor<4096x4096xbf16>
  %e = graph.relu %x : tensor<4096x4096xbf16>
  %y = graph.contract %e, %h batch [], [] contract [1], [0] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}

// Partial sums over 128 columns come out of the fusion, and the product is not stored.
// CHECK-LABEL: func.func @row_sum(
// CHECK-NEXT: [[P:%.*]] = graph.fusion ({{.*}}) -> tensor<64x2xf32>
// CHECK-NEXT: graph.contract
// CHECK-NEXT: graph.convert
// CHECK-NEXT: graph.reshape %{{.*}} : tensor<64x256xf32> -> tensor<64x2x128xf32>
// CHECK-NEXT: graph.reduce sum %{{.*}} dims [2]
// CHECK-NEXT: graph.yield
// CHECK: [[S:%.*]] = graph.reduce sum [[P]] dims [1] : tensor<64x2xf32> -> tensor<64xf32>
// CHECK-NEXT: %s = graph.convert [[S]] : tensor<64xf32> -> tensor<64xbf16>
// WHOLE-LABEL: func.func @row_sum(
// WHOLE-NEXT: %y = graph.fusion
// WHOLE: graph.reduce sum %y
func.func @row_sum(%x: tensor<64x32xbf16>, %w: tensor<32x256xbf16>) -> tensor<64xbf16> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x256xbf16>) -> tensor<64x256xbf16>
  %s = graph.reduce sum %y dims [1] : tensor<64x256xbf16> -> tensor<64xbf16>
  return %s : tensor<64xbf16>
}

// So do partial sums over 128 rows, beside the stored product.
// CHECK-LABEL: func.func @column_sum(
// CHECK-NEXT: %y, [[P:%.*]] = graph.fusion ({{.*}}) -> (tensor<512x16xf32>, tensor<4x16xf32>)
// CHECK: graph.reduce sum %{{.*}} dims [1] : tensor<4x128x16xf32>
// CHECK: graph.reduce sum [[P]] dims [0]
func.func @column_sum(%x: tensor<512x32xf32>, %w: tensor<32x16xf32>) -> (tensor<512x16xf32>, tensor<16xf32>) {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<512x32xf32>, tensor<32x16xf32>) -> tensor<512x16xf32>
  %s = graph.reduce sum %y dims [0] : tensor<512x16xf32> -> tensor<16xf32>
  return %y, %s : tensor<512x16xf32>, tensor<16xf32>
}

// 100 columns have no parts of 128.
// CHECK-LABEL: func.func @odd_row_sum(
// CHECK: graph.yield %{{.*}} : tensor<64x100xf32>
func.func @odd_row_sum(%x: tensor<64x32xf32>, %w: tensor<32x100xf32>) -> tensor<64xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x100xf32>) -> tensor<64x100xf32>
  %s = graph.reduce sum %y dims [1] : tensor<64x100xf32> -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// The factor of an RMS norm follows the product, its weight goes to the smaller operand, and no normalised row is stored.
// CHECK-LABEL: func.func @rms_norm(
// CHECK: %r = graph.rsqrt
// CHECK-NEXT: %o = graph.fusion (%x_1 = %x : tensor<2x4096x1024xbf16>, %w_1 = %w : tensor<1024x16xbf16>, %g_1 = %g : tensor<1024xf32>, %r_1 = %r : tensor<2x4096xf32>) -> tensor<8192x16xbf16>
// CHECK-NEXT: [[X:%.*]] = graph.reshape %x_1 : tensor<2x4096x1024xbf16> -> tensor<8192x1024xbf16>
// CHECK-NEXT: graph.convert %w_1
// CHECK-NEXT: graph.broadcast %g_1 dims [0] : tensor<1024xf32> -> tensor<1024x16xf32>
// CHECK-NEXT: graph.mul
// CHECK-NEXT: [[W:%.*]] = graph.convert
// CHECK-NEXT: graph.contract [[X]], [[W]] batch [], [] contract [1], [0] : (tensor<8192x1024xbf16>, tensor<1024x16xbf16>) -> tensor<8192x16xf32>
// CHECK-NEXT: graph.reshape %r_1 : tensor<2x4096xf32> -> tensor<8192xf32>
// CHECK-NEXT: graph.broadcast
// CHECK-NEXT: graph.mul
// CHECK-NEXT: graph.convert
// CHECK-NEXT: graph.yield
// STRICT-LABEL: func.func @rms_norm(
// STRICT: graph.contract {{.*}} -> tensor<8192x16xbf16>
// STRICT-NEXT: graph.yield
func.func @rms_norm(%x: tensor<2x4096x1024xbf16>, %g: tensor<1024xf32>, %w: tensor<1024x16xbf16>) -> tensor<8192x16xbf16> {
  %f = graph.convert %x : tensor<2x4096x1024xbf16> -> tensor<2x4096x1024xf32>
  %q = graph.mul %f, %f : tensor<2x4096x1024xf32>
  %s = graph.reduce sum %q dims [2] : tensor<2x4096x1024xf32> -> tensor<2x4096xf32>
  %r = graph.rsqrt %s : tensor<2x4096xf32>
  %b = graph.broadcast %r dims [0, 1] : tensor<2x4096xf32> -> tensor<2x4096x1024xf32>
  %n = graph.mul %f, %b : tensor<2x4096x1024xf32>
  %c = graph.broadcast %g dims [2] : tensor<1024xf32> -> tensor<2x4096x1024xf32>
  %m = graph.mul %n, %c : tensor<2x4096x1024xf32>
  %h = graph.convert %m : tensor<2x4096x1024xf32> -> tensor<2x4096x1024xbf16>
  %v = graph.reshape %h : tensor<2x4096x1024xbf16> -> tensor<8192x1024xbf16>
  %o = graph.contract %v, %w batch [], [] contract [1], [0] : (tensor<8192x1024xbf16>, tensor<1024x16xbf16>) -> tensor<8192x16xbf16>
  return %o : tensor<8192x16xbf16>
}

// A weight with as many bytes as the normalised rows is not scaled and stored in place of them. One kernel normalises
// the rows, the contraction reads them.
// CHECK-LABEL: func.func @rms_norm_of_few_rows(
// CHECK: graph.fusion (%{{.*}} = %h : tensor<2x2048x4096xbf16>, %{{.*}} = %w : tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
// CHECK-NEXT: graph.reshape
// CHECK-NEXT: graph.contract {{.*}} -> tensor<4096x4096xbf16>
// CHECK-NEXT: graph.yield
// ALL-LABEL: func.func @rms_norm_of_few_rows(
// ALL-NEXT: [[N:%.*]] = graph.fusion (%{{.*}} = %x : {{.*}}, %{{.*}} = %g : tensor<4096xf32>) -> tensor<2x2048x4096xbf16>
// ALL: graph.reduce
// ALL: graph.mul
// ALL: graph.mul
// ALL: graph.yield
// ALL: graph.fusion (%{{.*}} = [[N]] : {{.*}}, %{{.*}} = %w : tensor<4096x4096xbf16>)
// ALL-NOT: graph.mul
// ALL: graph.contract
// ALL: return
func.func @rms_norm_of_few_rows(%x: tensor<2x2048x4096xbf16>, %g: tensor<4096xf32>, %w: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %f = graph.convert %x : tensor<2x2048x4096xbf16> -> tensor<2x2048x4096xf32>
  %q = graph.mul %f, %f : tensor<2x2048x4096xf32>
  %s = graph.reduce sum %q dims [2] : tensor<2x2048x4096xf32> -> tensor<2x2048xf32>
  %r = graph.rsqrt %s : tensor<2x2048xf32>
  %b = graph.broadcast %r dims [0, 1] : tensor<2x2048xf32> -> tensor<2x2048x4096xf32>
  %n = graph.mul %f, %b : tensor<2x2048x4096xf32>
  %c = graph.broadcast %g dims [2] : tensor<4096xf32> -> tensor<2x2048x4096xf32>
  %m = graph.mul %n, %c : tensor<2x2048x4096xf32>
  %h = graph.convert %m : tensor<2x2048x4096xf32> -> tensor<2x2048x4096xbf16>
  %v = graph.reshape %h : tensor<2x2048x4096xbf16> -> tensor<4096x4096xbf16>
  %o = graph.contract %v, %w batch [], [] contract [1], [0] : (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16>
  return %o : tensor<4096x4096xbf16>
}

// Nor are small rows: a launch takes longer. They are normalised as the products load them.
// CHECK-LABEL: func.func @small_rms_norm(
// CHECK: %r = graph.rsqrt
// CHECK-NEXT: %o = graph.fusion (%{{.*}} = %x : tensor<2x32x64xbf16>, %{{.*}} = %r : tensor<2x32xf32>, %{{.*}} = %g : tensor<64xf32>, %w_1 = %w : tensor<64x16xbf16>)
// CHECK-COUNT-2: graph.mul
// CHECK: graph.contract %{{.*}}, %w_1 {{.*}} -> tensor<64x16xbf16>
// CHECK-NEXT: graph.yield
func.func @small_rms_norm(%x: tensor<2x32x64xbf16>, %g: tensor<64xf32>, %w: tensor<64x16xbf16>) -> tensor<64x16xbf16> {
  %f = graph.convert %x : tensor<2x32x64xbf16> -> tensor<2x32x64xf32>
  %q = graph.mul %f, %f : tensor<2x32x64xf32>
  %s = graph.reduce sum %q dims [2] : tensor<2x32x64xf32> -> tensor<2x32xf32>
  %r = graph.rsqrt %s : tensor<2x32xf32>
  %b = graph.broadcast %r dims [0, 1] : tensor<2x32xf32> -> tensor<2x32x64xf32>
  %n = graph.mul %f, %b : tensor<2x32x64xf32>
  %c = graph.broadcast %g dims [2] : tensor<64xf32> -> tensor<2x32x64xf32>
  %m = graph.mul %n, %c : tensor<2x32x64xf32>
  %h = graph.convert %m : tensor<2x32x64xf32> -> tensor<2x32x64xbf16>
  %v = graph.reshape %h : tensor<2x32x64xbf16> -> tensor<64x64xbf16>
  %o = graph.contract %v, %w batch [], [] contract [1], [0] : (tensor<64x64xbf16>, tensor<64x16xbf16>) -> tensor<64x16xbf16>
  return %o : tensor<64x16xbf16>
}

// Without a weight the rows are not stored whatever their number.
// CHECK-LABEL: func.func @unweighted_norm(
// CHECK: %r = graph.rsqrt
// CHECK-NEXT: %o = graph.fusion (%x_1 = %x : tensor<64x64xbf16>, %w_1 = %w : tensor<64x64xbf16>, %r_1 = %r : tensor<64xf32>)
// CHECK-NEXT: graph.contract %x_1, %w_1 {{.*}} -> tensor<64x64xf32>
// CHECK-NEXT: graph.broadcast %r_1
// CHECK-NEXT: graph.mul
func.func @unweighted_norm(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %f = graph.convert %x : tensor<64x64xbf16> -> tensor<64x64xf32>
  %q = graph.mul %f, %f : tensor<64x64xf32>
  %s = graph.reduce sum %q dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  %r = graph.rsqrt %s : tensor<64xf32>
  %b = graph.broadcast %r dims [0] : tensor<64xf32> -> tensor<64x64xf32>
  %n = graph.mul %f, %b : tensor<64x64xf32>
  %h = graph.convert %n : tensor<64x64xf32> -> tensor<64x64xbf16>
  %o = graph.contract %h, %w batch [], [] contract [1], [0] : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %o : tensor<64x64xbf16>
}

// Normalised rows that are returned as well are stored anyway: they are the operand.
// CHECK-LABEL: func.func @norm_is_returned(
// CHECK: %h = graph.convert
// CHECK: graph.fusion (%h_1 = %h : tensor<64x64xbf16>
func.func @norm_is_returned(%x: tensor<64x64xbf16>, %w: tensor<64x16xbf16>) -> (tensor<64x16xbf16>, tensor<64x64xbf16>) {
  %f = graph.convert %x : tensor<64x64xbf16> -> tensor<64x64xf32>
  %q = graph.mul %f, %f : tensor<64x64xf32>
  %s = graph.reduce sum %q dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  %r = graph.rsqrt %s : tensor<64xf32>
  %b = graph.broadcast %r dims [0] : tensor<64xf32> -> tensor<64x64xf32>
  %n = graph.mul %f, %b : tensor<64x64xf32>
  %h = graph.convert %n : tensor<64x64xf32> -> tensor<64x64xbf16>
  %o = graph.contract %h, %w batch [], [] contract [1], [0] : (tensor<64x64xbf16>, tensor<64x16xbf16>) -> tensor<64x16xbf16>
  return %o, %h : tensor<64x16xbf16>, tensor<64x64xbf16>
}

// An f16 product without its row factors might overflow.
// CHECK-LABEL: func.func @half_overflows(
// CHECK: graph.mul
// CHECK: graph.contract {{.*}} -> tensor<64x16xf16>
// CHECK-NEXT: graph.yield
func.func @half_overflows(%x: tensor<64x64xf32>, %w: tensor<64x16xf16>) -> tensor<64x16xf16> {
  %q = graph.mul %x, %x : tensor<64x64xf32>
  %s = graph.reduce sum %q dims [1] : tensor<64x64xf32> -> tensor<64xf32>
  %r = graph.rsqrt %s : tensor<64xf32>
  %b = graph.broadcast %r dims [0] : tensor<64xf32> -> tensor<64x64xf32>
  %n = graph.mul %x, %b : tensor<64x64xf32>
  %h = graph.convert %n : tensor<64x64xf32> -> tensor<64x64xf16>
  %o = graph.contract %h, %w batch [], [] contract [1], [0] : (tensor<64x64xf16>, tensor<64x16xf16>) -> tensor<64x16xf16>
  return %o : tensor<64x16xf16>
}

// Dropout joins with its mask, though its seed is drawn later; the mask is a second result.
// CHECK-LABEL: func.func @dropout(
// CHECK-NEXT: %seed = graph.call_aten
// CHECK-NEXT: %d, %k = graph.fusion
// CHECK: graph.random
// CHECK: graph.yield %{{.*}}, %{{.*}} : tensor<64x16xbf16>, tensor<64x16xi1>
func.func @dropout(%x: tensor<64x32xbf16>, %w: tensor<32x16xbf16>) -> (tensor<64x16xbf16>, tensor<64x16xi1>) {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x16xbf16>) -> tensor<64x16xbf16>
  %seed = graph.call_aten "aten.randint.low"() {args = [9 : i64, []], pure = false} : () -> tensor<i64>
  %u = graph.random uniform %seed offset 0 : tensor<i64> -> tensor<64x16xf32>
  %p = graph.full 0.9 : tensor<64x16xf32>
  %k = graph.compare lt %u, %p : tensor<64x16xf32>
  %z = graph.full 0.0 : tensor<64x16xbf16>
  %d = graph.select %k, %y, %z : tensor<64x16xbf16>
  return %d, %k : tensor<64x16xbf16>, tensor<64x16xi1>
}

// No kernel moves past an operator with effects that reads its result.
// CHECK-LABEL: func.func @effects(
// CHECK: graph.yield %{{.*}} : tensor<64x16xf32>
// CHECK: graph.call_aten "aten.f.default"
// CHECK: graph.call_aten "aten.g.default"
// CHECK: graph.add
func.func @effects(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %e = graph.call_aten "aten.f.default"(%y) {args = [#graph.operand<0>], pure = false} : (tensor<64x16xf32>) -> tensor<64x16xf32>
  %f = graph.call_aten "aten.g.default"() {pure = false} : () -> tensor<64x16xf32>
  %a = graph.add %y, %f : tensor<64x16xf32>
  return %a : tensor<64x16xf32>
}

// The columns that ATen wants padded are not, where the epilogue needs them as they are.
// CHECK-LABEL: func.func @padded(
// CHECK-NOT: graph.pad
// CHECK: graph.contract {{.*}} -> tensor<64x50257xbf16>
// CHECK-NEXT: graph.full
// CHECK-NEXT: graph.mul
func.func @padded(%x: tensor<64x768xbf16>, %w: tensor<50257x768xbf16>) -> tensor<64x50257xbf16> {
  %p = graph.pad %w low [0, 0] high [7, 0] value 0.0 : tensor<50257x768xbf16> -> tensor<50264x768xbf16>
  %t = graph.permute %p dims [1, 0] : tensor<50264x768xbf16> -> tensor<768x50264xbf16>
  %y = graph.contract %x, %t batch [], [] contract [1], [0] : (tensor<64x768xbf16>, tensor<768x50264xbf16>) -> tensor<64x50264xbf16>
  %s = graph.slice %y starts [0, 0] steps [1, 1] : tensor<64x50264xbf16> -> tensor<64x50257xbf16>
  %c = graph.full 0.5 : tensor<64x50257xbf16>
  %m = graph.mul %s, %c : tensor<64x50257xbf16>
  return %m : tensor<64x50257xbf16>
}

// CHECK-LABEL: func.func @left_to_aten(
// CHECK-NOT: graph.fusion
// ALL-LABEL: func.func @left_to_aten(
// ALL-COUNT-3: aten.mm
func.func @left_to_aten(%n: index {graph.symbol = #graph.symbol<0, min = 2>}, %a: tensor<8x8xf64>, %b: tensor<8x8xi32>, %c: tensor<?x8xf32, #graph.dims<[s0, 8]>>, %d: tensor<8x8xf32>) -> (tensor<8x8xf64>, tensor<8x8xi32>, tensor<?x8xf32, #graph.dims<[s0, 8]>>) {
  %x = graph.contract %a, %a batch [], [] contract [1], [0] : (tensor<8x8xf64>, tensor<8x8xf64>) -> tensor<8x8xf64>
  %y = graph.contract %b, %b batch [], [] contract [1], [0] : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %z = graph.contract %c, %d batch [], [] contract [1], [0] : (tensor<?x8xf32, #graph.dims<[s0, 8]>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<[s0, 8]>>
  return %x, %y, %z : tensor<8x8xf64>, tensor<8x8xi32>, tensor<?x8xf32, #graph.dims<[s0, 8]>>
}

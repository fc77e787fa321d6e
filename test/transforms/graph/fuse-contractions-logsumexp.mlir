// RUN: fusir-opt %s --fuse-contractions | filecheck %s
// RUN: fusir-opt %s -p 'fuse-contractions{reductions=false}' | filecheck %s --check-prefix=WHOLE
// RUN: fusir-opt %s --fuse-contractions --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// WHOLE-NOT: logsumexp %

// The product is not written: its kernel gives the logsumexps of 128 columns, the cascade finishes them.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT: [[P:%.*]] = graph.fusion ({{.*}}) -> tensor<64x2xf32> {
// CHECK-NEXT:   graph.contract
// CHECK-NEXT:   graph.convert
// CHECK-NEXT:   [[R:%.*]] = graph.reshape %{{.*}} : tensor<64x256xf32> -> tensor<64x2x128xf32>
// CHECK-NEXT:   graph.reduce logsumexp [[R]] dims [2] : tensor<64x2x128xf32> -> tensor<64x2xf32>
// CHECK-NEXT:   graph.yield
// CHECK-NEXT: }
// CHECK-NEXT: [[M:%.*]] = graph.reduce max [[P]] dims [1] : tensor<64x2xf32> -> tensor<64xf32>
// CHECK:      [[G:%.*]] = graph.select %{{.*}}, %{{.*}}, [[M]] : tensor<64xf32>
// CHECK:      graph.sub [[P]]
// CHECK-NEXT: graph.exp
// CHECK-NEXT: graph.reduce sum
// CHECK-NEXT: [[L:%.*]] = graph.log
// CHECK-NEXT: [[S:%.*]] = graph.add [[L]], [[G]] : tensor<64xf32>
// CHECK-NEXT: [[K:%.*]] = graph.reshape [[S]] : tensor<64xf32> -> tensor<64x1xf32>
// CHECK-NEXT: return [[K]]
func.func @rows(%x: tensor<64x32xbf16>, %w: tensor<32x256xbf16>) -> tensor<64x1xf32> {
  %p = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xbf16>, tensor<32x256xbf16>) -> tensor<64x256xbf16>
  %y = graph.convert %p : tensor<64x256xbf16> -> tensor<64x256xf32>
  %m = graph.reduce max %y dims [1] : tensor<64x256xf32> -> tensor<64xf32>
  %k = graph.reshape %m : tensor<64xf32> -> tensor<64x1xf32>
  %a = graph.abs %k : tensor<64x1xf32>
  %inf = graph.full inf : tensor<64x1xf32>
  %i = graph.compare eq %a, %inf : tensor<64x1xf32>
  %zero = graph.full 0.0 : tensor<64x1xf32>
  %g = graph.select %i, %zero, %k : tensor<64x1xf32>
  %b = graph.broadcast %g dims [0, 1] : tensor<64x1xf32> -> tensor<64x256xf32>
  %d = graph.sub %y, %b : tensor<64x256xf32>
  %e = graph.exp %d : tensor<64x256xf32>
  %s = graph.reduce sum %e dims [1] : tensor<64x256xf32> -> tensor<64xf32>
  %t = graph.reshape %s : tensor<64xf32> -> tensor<64x1xf32>
  %l = graph.log %t : tensor<64x1xf32>
  %r = graph.add %l, %g : tensor<64x1xf32>
  return %r : tensor<64x1xf32>
}

// One part is the whole result: nothing is left to finish.
// CHECK-LABEL: func.func @one_part(
// CHECK:      graph.reduce logsumexp %{{.*}} dims [1] : tensor<64x128xf32> -> tensor<64xf32>
// CHECK-NEXT: graph.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @one_part(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>) -> tensor<64xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %m = graph.reduce max %y dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %a = graph.abs %m : tensor<64xf32>
  %inf = graph.full inf : tensor<64xf32>
  %i = graph.compare eq %a, %inf : tensor<64xf32>
  %zero = graph.full 0.0 : tensor<64xf32>
  %g = graph.select %i, %zero, %m : tensor<64xf32>
  %b = graph.broadcast %g dims [0] : tensor<64xf32> -> tensor<64x128xf32>
  %d = graph.sub %y, %b : tensor<64x128xf32>
  %e = graph.exp %d : tensor<64x128xf32>
  %s = graph.reduce sum %e dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %l = graph.log %s : tensor<64xf32>
  %r = graph.add %g, %l : tensor<64xf32>
  return %r : tensor<64xf32>
}

// Rows of 200 columns are no whole parts.
// CHECK-LABEL: func.func @ragged(
// CHECK-NOT: logsumexp %
// REMARK: not fused: logsumexp: 200 elements are not divisible by 128
func.func @ragged(%x: tensor<64x32xf32>, %w: tensor<32x200xf32>) -> tensor<64xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x200xf32>) -> tensor<64x200xf32>
  %m = graph.reduce max %y dims [1] : tensor<64x200xf32> -> tensor<64xf32>
  %a = graph.abs %m : tensor<64xf32>
  %inf = graph.full inf : tensor<64xf32>
  %i = graph.compare eq %a, %inf : tensor<64xf32>
  %zero = graph.full 0.0 : tensor<64xf32>
  %g = graph.select %i, %zero, %m : tensor<64xf32>
  %b = graph.broadcast %g dims [0] : tensor<64xf32> -> tensor<64x200xf32>
  %d = graph.sub %y, %b : tensor<64x200xf32>
  %e = graph.exp %d : tensor<64x200xf32>
  %s = graph.reduce sum %e dims [1] : tensor<64x200xf32> -> tensor<64xf32>
  %l = graph.log %s : tensor<64xf32>
  %r = graph.add %l, %g : tensor<64xf32>
  return %r : tensor<64xf32>
}

// The product is needed anyway: a kernel reads it again for the cascade.
// CHECK-LABEL: func.func @product_returned(
// CHECK-NOT: logsumexp %
func.func @product_returned(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>) -> (tensor<64xf32>, tensor<64x128xf32>) {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %m = graph.reduce max %y dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %a = graph.abs %m : tensor<64xf32>
  %inf = graph.full inf : tensor<64xf32>
  %i = graph.compare eq %a, %inf : tensor<64xf32>
  %zero = graph.full 0.0 : tensor<64xf32>
  %g = graph.select %i, %zero, %m : tensor<64xf32>
  %b = graph.broadcast %g dims [0] : tensor<64xf32> -> tensor<64x128xf32>
  %d = graph.sub %y, %b : tensor<64x128xf32>
  %e = graph.exp %d : tensor<64x128xf32>
  %s = graph.reduce sum %e dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %l = graph.log %s : tensor<64xf32>
  %r = graph.add %l, %g : tensor<64xf32>
  return %r, %y : tensor<64xf32>, tensor<64x128xf32>
}

// The maximum is needed by itself, as the statistics of log_softmax are.
// CHECK-LABEL: func.func @maximum_returned(
// CHECK-NOT: logsumexp %
func.func @maximum_returned(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %m = graph.reduce max %y dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %a = graph.abs %m : tensor<64xf32>
  %inf = graph.full inf : tensor<64xf32>
  %i = graph.compare eq %a, %inf : tensor<64xf32>
  %zero = graph.full 0.0 : tensor<64xf32>
  %g = graph.select %i, %zero, %m : tensor<64xf32>
  %b = graph.broadcast %g dims [0] : tensor<64xf32> -> tensor<64x128xf32>
  %d = graph.sub %y, %b : tensor<64x128xf32>
  %e = graph.exp %d : tensor<64x128xf32>
  %s = graph.reduce sum %e dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %l = graph.log %s : tensor<64xf32>
  %r = graph.add %l, %g : tensor<64xf32>
  return %r, %m : tensor<64xf32>, tensor<64xf32>
}

// Without the guard a row with an infinity is NaN, which no logsumexp is.
// CHECK-LABEL: func.func @unguarded(
// CHECK-NOT: logsumexp %
func.func @unguarded(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>) -> tensor<64xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %m = graph.reduce max %y dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %b = graph.broadcast %m dims [0] : tensor<64xf32> -> tensor<64x128xf32>
  %d = graph.sub %y, %b : tensor<64x128xf32>
  %e = graph.exp %d : tensor<64x128xf32>
  %s = graph.reduce sum %e dims [1] : tensor<64x128xf32> -> tensor<64xf32>
  %l = graph.log %s : tensor<64xf32>
  %r = graph.add %l, %m : tensor<64xf32>
  return %r : tensor<64xf32>
}

// Another value is subtracted than the maximum of the row.
// CHECK-LABEL: func.func @other_rows(
// CHECK-NOT: logsumexp %
func.func @other_rows(%x: tensor<128x32xf32>, %w: tensor<32x128xf32>) -> tensor<128xf32> {
  %y = graph.contract %x, %w batch [], [] contract [1], [0] : (tensor<128x32xf32>, tensor<32x128xf32>) -> tensor<128x128xf32>
  %m = graph.reduce max %y dims [1] : tensor<128x128xf32> -> tensor<128xf32>
  %a = graph.abs %m : tensor<128xf32>
  %inf = graph.full inf : tensor<128xf32>
  %i = graph.compare eq %a, %inf : tensor<128xf32>
  %zero = graph.full 0.0 : tensor<128xf32>
  %g = graph.select %i, %zero, %m : tensor<128xf32>
  %b = graph.broadcast %g dims [1] : tensor<128xf32> -> tensor<128x128xf32>
  %d = graph.sub %y, %b : tensor<128x128xf32>
  %e = graph.exp %d : tensor<128x128xf32>
  %s = graph.reduce sum %e dims [1] : tensor<128x128xf32> -> tensor<128xf32>
  %l = graph.log %s : tensor<128xf32>
  %r = graph.add %l, %g : tensor<128xf32>
  return %r : tensor<128xf32>
}

// RUN: fusir-opt %s --split-reductions | filecheck %s

// One program would read everything: the range is cut into parts.
// CHECK-LABEL: @everything
// CHECK: %0 = graph.reshape %x : tensor<1024x1024xf32> -> tensor<256x4096xf32>
// CHECK: %1 = graph.reduce sum %0 dims [1] : tensor<256x4096xf32> -> tensor<256xf32>
// CHECK: graph.reduce sum %1 dims [0] : tensor<256xf32> -> tensor<f32>
func.func @everything(%x: tensor<1024x1024xf32>) -> tensor<f32> {
  %s = graph.reduce sum %x dims [0, 1] : tensor<1024x1024xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// Columns: 12 programs of 64 columns each become 384.
// CHECK-LABEL: @columns
// CHECK: graph.reshape %x : tensor<4096x768xf32> -> tensor<32x128x768xf32>
// CHECK: graph.reduce max {{.*}} dims [1] : tensor<32x128x768xf32> -> tensor<32x768xf32>
// CHECK: graph.reduce max {{.*}} dims [0] : tensor<32x768xf32> -> tensor<768xf32>
func.func @columns(%x: tensor<4096x768xf32>) -> tensor<768xf32> {
  %s = graph.reduce max %x dims [0] : tensor<4096x768xf32> -> tensor<768xf32>
  return %s : tensor<768xf32>
}

// The longest run of neighbouring reduced dims is cut; other reduced dims stay with the parts.
// CHECK-LABEL: @runs
// CHECK: graph.reshape %x : tensor<8x3x256x256xf32> -> tensor<8x3x16x4096xf32>
// CHECK: graph.reduce sum {{.*}} dims [0, 3] : tensor<8x3x16x4096xf32> -> tensor<3x16xf32>
// CHECK: graph.reduce sum {{.*}} dims [1] : tensor<3x16xf32> -> tensor<3xf32>
func.func @runs(%x: tensor<8x3x256x256xf32>) -> tensor<3xf32> {
  %s = graph.reduce sum %x dims [0, 2, 3] : tensor<8x3x256x256xf32> -> tensor<3xf32>
  return %s : tensor<3xf32>
}

// A range without a divisor is padded with the neutral value.
// CHECK-LABEL: @prime
// CHECK: graph.pad %x low [0] high [{{[0-9]+}}] value 1.0 : tensor<1048573xf32> -> tensor<1048576xf32>
// CHECK: graph.reduce prod
// CHECK: graph.reduce prod
func.func @prime(%x: tensor<1048573xf32>) -> tensor<f32> {
  %s = graph.reduce prod %x dims [0] : tensor<1048573xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// Partial sums of half precision are kept in f32.
// CHECK-LABEL: @half
// CHECK: graph.convert %x : tensor<1048576xbf16> -> tensor<1048576xf32>
// CHECK: graph.reduce sum
// CHECK: graph.reduce sum
// CHECK: graph.convert {{.*}} : tensor<f32> -> tensor<bf16>
func.func @half(%x: tensor<1048576xbf16>) -> tensor<bf16> {
  %s = graph.reduce sum %x dims [0] : tensor<1048576xbf16> -> tensor<bf16>
  return %s : tensor<bf16>
}

// The first part with the extremum has its position; the extremum itself shares the parts. Padding loses against all.
// CHECK-LABEL: @position
// CHECK:      %0 = graph.pad %x low [0] high [3] value inf : tensor<1048573xf32> -> tensor<1048576xf32>
// CHECK-NEXT: %1 = graph.reshape %0 : tensor<1048576xf32> -> tensor<128x8192xf32>
// CHECK-NEXT: %2 = graph.reduce min %1 dims [1] : tensor<128x8192xf32> -> tensor<128xf32>
// CHECK-NEXT: %m = graph.reduce min %2 dims [0] : tensor<128xf32> -> tensor<f32>
// CHECK-NEXT: %3 = graph.reduce argmin %1 dims [1] : tensor<128x8192xf32> -> tensor<128xi64>
// CHECK-NEXT: %4 = graph.reduce argmin %2 dims [0] : tensor<128xf32> -> tensor<i64>
// CHECK-NEXT: %5 = graph.gather %3[%4] dims [0] : (tensor<128xi64>, tensor<i64>) -> tensor<i64>
// CHECK-NEXT: %6 = graph.full 8192 : tensor<i64>
// CHECK-NEXT: %7 = graph.mul %4, %6 : tensor<i64>
// CHECK-NEXT: %p = graph.add %7, %5 : tensor<i64>
// CHECK-NEXT: return %m, %p
func.func @position(%x: tensor<1048573xf32>) -> (tensor<f32>, tensor<i64>) {
  %m = graph.reduce min %x dims [0] : tensor<1048573xf32> -> tensor<f32>
  %p = graph.reduce argmin %x dims [0] : tensor<1048573xf32> -> tensor<i64>
  return %m, %p : tensor<f32>, tensor<i64>
}

// Of a column, at the place of the column.
// CHECK-LABEL: @column_position
// CHECK:      [[P:%.*]] = graph.reduce argmax %{{.*}} dims [0] : tensor<32x768xf32> -> tensor<768xi64>
// CHECK-NEXT: [[C:%.*]] = graph.iota dim 0 : tensor<768xi64>
// CHECK-NEXT: graph.gather %{{.*}}{{\[}}[[P]], [[C]]] dims [0, 1] : (tensor<32x768xi64>, tensor<768xi64>, tensor<768xi64>) -> tensor<768xi64>
func.func @column_position(%x: tensor<4096x768xf32>) -> tensor<768xi64> {
  %p = graph.reduce argmax %x dims [0] : tensor<4096x768xf32> -> tensor<768xi64>
  return %p : tensor<768xi64>
}

// Enough rows, short rows, or an index over dims that are no neighbours: left whole.
// CHECK-LABEL: @whole
// CHECK-NOT: graph.reshape
func.func @whole(%x: tensor<4096x65536xf32>, %y: tensor<4x1024xf32>, %z: tensor<1024x2x1024xf32>)
    -> (tensor<4096xf32>, tensor<4xf32>, tensor<2xi64>) {
  %a = graph.reduce sum %x dims [1] : tensor<4096x65536xf32> -> tensor<4096xf32>
  %b = graph.reduce sum %y dims [1] : tensor<4x1024xf32> -> tensor<4xf32>
  %c = graph.reduce argmax %z dims [0, 2] : tensor<1024x2x1024xf32> -> tensor<2xi64>
  return %a, %b, %c : tensor<4096xf32>, tensor<4xf32>, tensor<2xi64>
}

// A sum of what depends on a reduction of each row is cut into the rows, and then over the rows as any other.
// CHECK-LABEL: @rows
// CHECK:      [[Y:%.*]] = graph.sub %x
// CHECK-NEXT: [[S:%.*]] = graph.reduce sum [[Y]] dims [1] : tensor<65536x100xf32> -> tensor<65536xf32>
// CHECK-NEXT: [[P:%.*]] = graph.reshape [[S]] : tensor<65536xf32> -> tensor<16x4096xf32>
// CHECK-NEXT: [[Q:%.*]] = graph.reduce sum [[P]] dims [1] : tensor<16x4096xf32> -> tensor<16xf32>
// CHECK-NEXT: graph.reduce sum [[Q]] dims [0] : tensor<16xf32> -> tensor<f32>
func.func @rows(%x: tensor<65536x100xf32>) -> tensor<f32> {
  %m = graph.reduce max %x dims [1] : tensor<65536x100xf32> -> tensor<65536xf32>
  %b = graph.broadcast %m dims [0] : tensor<65536xf32> -> tensor<65536x100xf32>
  %y = graph.sub %x, %b : tensor<65536x100xf32>
  %s = graph.reduce sum %y dims [0, 1] : tensor<65536x100xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// Few long rows are cut into parts anyway.
// CHECK-LABEL: @long_rows
// CHECK:      graph.reduce sum %{{.*}} dims [1] : tensor<512x4096xf32> -> tensor<512xf32>
// CHECK-NEXT: graph.reduce sum %{{.*}} dims [0] : tensor<512xf32> -> tensor<f32>
func.func @long_rows(%x: tensor<2x1048576xf32>) -> tensor<f32> {
  %m = graph.reduce max %x dims [1] : tensor<2x1048576xf32> -> tensor<2xf32>
  %b = graph.broadcast %m dims [0] : tensor<2xf32> -> tensor<2x1048576xf32>
  %y = graph.sub %x, %b : tensor<2x1048576xf32>
  %s = graph.reduce sum %y dims [0, 1] : tensor<2x1048576xf32> -> tensor<f32>
  return %s : tensor<f32>
}

// Few long rows that are written again are left to programs that share them; statistics alone are split.
// CHECK-LABEL: @rows_again
// CHECK-NOT: graph.reshape
// CHECK: graph.reduce max %x dims [1]
// CHECK-NOT: graph.reshape
// CHECK: return
func.func @rows_again(%x: tensor<8x262144xf32>) -> tensor<8x262144xf32> {
  %m = graph.reduce max %x dims [1] : tensor<8x262144xf32> -> tensor<8xf32>
  %n = graph.neg %m : tensor<8xf32>
  %b = graph.broadcast %n dims [0] : tensor<8xf32> -> tensor<8x262144xf32>
  %r = graph.add %x, %b : tensor<8x262144xf32>
  return %r : tensor<8x262144xf32>
}

// CHECK-LABEL: @statistics
// CHECK: graph.reshape %x
// CHECK: graph.reshape %d
func.func @statistics(%x: tensor<8x262144xf32>) -> tensor<8xf32> {
  %m = graph.reduce max %x dims [1] : tensor<8x262144xf32> -> tensor<8xf32>
  %b = graph.broadcast %m dims [0] : tensor<8xf32> -> tensor<8x262144xf32>
  %d = graph.sub %x, %b : tensor<8x262144xf32>
  %s = graph.reduce sum %d dims [1] : tensor<8x262144xf32> -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// One row of 64M elements has more parts than programs fit the device.
// CHECK-LABEL: @too_long
// CHECK: graph.reshape
func.func @too_long(%x: tensor<67108864xf32>) -> tensor<67108864xf32> {
  %m = graph.reduce max %x dims [0] : tensor<67108864xf32> -> tensor<f32>
  %b = graph.broadcast %m dims [] : tensor<f32> -> tensor<67108864xf32>
  %r = graph.sub %x, %b : tensor<67108864xf32>
  return %r : tensor<67108864xf32>
}

// Squared deviations from a mean of all parts: each part has its own mean, so that x is read once. What the means are off is
// added for the parts: n (c - m)^2.

// CHECK-LABEL: func.func @variance
// CHECK:       %[[CUT:.*]] = graph.reshape %x : tensor<1048576xf32> -> tensor<[[P:[0-9]+]]x[[N:[0-9]+]]xf32>
// CHECK-NEXT:  %[[SUMS:.*]] = graph.reduce sum %[[CUT]] dims [1]
// CHECK-NEXT:  %[[SUM:.*]] = graph.reduce sum %[[SUMS]] dims [0]
// CHECK:       %[[MEANS:.*]] = graph.mul %[[SUMS]], %{{.*}} : tensor<[[P]]xf32>
// CHECK-NEXT:  %[[SPREAD:.*]] = graph.broadcast %[[MEANS]] dims [0] : tensor<[[P]]xf32> -> tensor<[[P]]x[[N]]xf32>
// CHECK-NEXT:  %[[D:.*]] = graph.sub %[[CUT]], %[[SPREAD]]
// CHECK-NEXT:  %[[S:.*]] = graph.mul %[[D]], %[[D]]
// CHECK-NEXT:  %[[SQUARES:.*]] = graph.reduce sum %[[S]] dims [1]
// CHECK:       %[[SHIFT:.*]] = graph.sub %[[MEANS]], %{{.*}}
// CHECK-NEXT:  %[[SHIFT2:.*]] = graph.mul %[[SHIFT]], %[[SHIFT]]
// CHECK-NEXT:  %[[COUNT:.*]] = graph.full [[N]].0 : tensor<[[P]]xf32>
// CHECK-NEXT:  %[[MOVED:.*]] = graph.mul %[[SHIFT2]], %[[COUNT]]
// CHECK-NEXT:  %[[A:.*]] = graph.reduce sum %[[SQUARES]] dims [0]
// CHECK-NEXT:  %[[B:.*]] = graph.reduce sum %[[MOVED]] dims [0]
// CHECK-NEXT:  graph.add %[[A]], %[[B]]
func.func @variance(%x: tensor<1048576xf32>) -> tensor<f32> {
  %t = graph.reduce sum %x dims [0] : tensor<1048576xf32> -> tensor<f32>
  %c = graph.full 9.5367431640625e-07 : tensor<f32>
  %m = graph.mul %t, %c : tensor<f32>
  %b = graph.broadcast %m dims [] : tensor<f32> -> tensor<1048576xf32>
  %d = graph.sub %x, %b : tensor<1048576xf32>
  %s = graph.mul %d, %d : tensor<1048576xf32>
  %q = graph.reduce sum %s dims [0] : tensor<1048576xf32> -> tensor<f32>
  %v = graph.mul %q, %c : tensor<f32>
  func.return %v : tensor<f32>
}

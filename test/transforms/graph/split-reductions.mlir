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

// Enough rows, short rows, or an index to find: left whole.
// CHECK-LABEL: @whole
// CHECK-NOT: graph.reshape
func.func @whole(%x: tensor<4096x65536xf32>, %y: tensor<4x1024xf32>, %z: tensor<1048576xf32>)
    -> (tensor<4096xf32>, tensor<4xf32>, tensor<i64>) {
  %a = graph.reduce sum %x dims [1] : tensor<4096x65536xf32> -> tensor<4096xf32>
  %b = graph.reduce sum %y dims [1] : tensor<4x1024xf32> -> tensor<4xf32>
  %c = graph.reduce argmax %z dims [0] : tensor<1048576xf32> -> tensor<i64>
  return %a, %b, %c : tensor<4096xf32>, tensor<4xf32>, tensor<i64>
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

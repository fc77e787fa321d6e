// RUN: fusir-opt %s --split-reductions | filecheck %s
// RUN: fusir-opt %s --split-reductions --remarks 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Rows and columns of one tensor: the column reduction is cut into programs that walk over whole rows, every n-th one
// where rows are long. The row reduction stays.

// CHECK-LABEL: @gradients
// CHECK:         graph.reduce sum %wg dims [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
// CHECK:         [[X:%.*]] = graph.reshape %t : tensor<16384x4096xf32> -> tensor<64x256x4096xf32>
// CHECK-NEXT:    [[P:%.*]] = graph.reduce sum [[X]] dims [0] : tensor<64x256x4096xf32> -> tensor<256x4096xf32>
// CHECK-NEXT:    graph.reduce sum [[P]] dims [0] : tensor<256x4096xf32> -> tensor<4096xf32>
// REMARK:      sum over 16384 in 256 parts, for one pass over rows and columns
func.func @gradients(%x: tensor<16384x4096xf32>, %g: tensor<16384x4096xf32>) -> (tensor<16384x4096xf32>, tensor<4096xf32>) {
  %wg = graph.mul %g, %g : tensor<16384x4096xf32>
  %m = graph.reduce sum %wg dims [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %0 = graph.broadcast %m dims [0] : tensor<16384xf32> -> tensor<16384x4096xf32>
  %dx = graph.sub %x, %0 : tensor<16384x4096xf32>
  %t = graph.mul %g, %dx : tensor<16384x4096xf32>
  %dw = graph.reduce sum %t dims [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  func.return %dx, %dw : tensor<16384x4096xf32>, tensor<4096xf32>
}

// Rows may be several dims, and so may columns. Short rows of a program are next to each other; half precision sums keep
// their partial results in f32.

// CHECK-LABEL: @several_dims
// CHECK:         graph.reduce max %x dims [2, 3] : tensor<32x2048x8x32xbf16> -> tensor<32x2048xbf16>
// CHECK:         [[X:%.*]] = graph.convert %x
// CHECK:         [[Y:%.*]] = graph.reshape [[X]] : tensor<32x2048x8x32xf32> -> tensor<256x256x8x32xf32>
// CHECK:         graph.reduce sum [[Y]] dims [1] : tensor<256x256x8x32xf32> -> tensor<256x8x32xf32>
func.func @several_dims(%x: tensor<32x2048x8x32xbf16>) -> (tensor<32x2048xbf16>, tensor<8x32xbf16>) {
  %r = graph.reduce max %x dims [2, 3] : tensor<32x2048x8x32xbf16> -> tensor<32x2048xbf16>
  %c = graph.reduce sum %x dims [0, 1] : tensor<32x2048x8x32xbf16> -> tensor<8x32xbf16>
  func.return %r, %c : tensor<32x2048xbf16>, tensor<8x32xbf16>
}

// Nothing needs the row results in the pass, and the tensor is stored transposed: tiles, for which rows are cut too.

// CHECK-LABEL: @transposed
// CHECK:         [[X:%.*]] = graph.reshape %x : tensor<16384x8192xf32> -> tensor<32x512x8192xf32>
// CHECK-NEXT:    [[C:%.*]] = graph.reduce sum [[X]] dims [1] : tensor<32x512x8192xf32> -> tensor<32x8192xf32>
// CHECK-NEXT:    graph.reduce sum [[C]] dims [0]
// CHECK-NEXT:    [[Y:%.*]] = graph.reshape %x : tensor<16384x8192xf32> -> tensor<16384x128x64xf32>
// CHECK-NEXT:    [[R:%.*]] = graph.reduce sum [[Y]] dims [2] : tensor<16384x128x64xf32> -> tensor<16384x128xf32>
// CHECK-NEXT:    graph.reduce sum [[R]] dims [1]
func.func @transposed(%x: tensor<16384x8192xf32>) -> (tensor<8192x16384xf32>, tensor<8192xf32>, tensor<16384xf32>) {
  %t = graph.permute %x dims [1, 0] : tensor<16384x8192xf32> -> tensor<8192x16384xf32>
  %c = graph.reduce sum %x dims [0] : tensor<16384x8192xf32> -> tensor<8192xf32>
  %r = graph.reduce sum %x dims [1] : tensor<16384x8192xf32> -> tensor<16384xf32>
  func.return %t, %c, %r : tensor<8192x16384xf32>, tensor<8192xf32>, tensor<16384xf32>
}

// Long rows are cut as well, unless their results are needed in the pass.

// CHECK-LABEL: @long_rows
// CHECK:         graph.reduce max {{.*}} dims [2] : tensor<4096x16x1000xf32> -> tensor<4096x16xf32>
// CHECK:         graph.reduce sum {{.*}} dims [1] : tensor<64x64x16000xf32> -> tensor<64x16000xf32>
func.func @long_rows(%x: tensor<4096x16000xf32>) -> (tensor<4096xf32>, tensor<16000xf32>) {
  %r = graph.reduce max %x dims [1] : tensor<4096x16000xf32> -> tensor<4096xf32>
  %c = graph.reduce sum %x dims [0] : tensor<4096x16000xf32> -> tensor<16000xf32>
  func.return %r, %c : tensor<4096xf32>, tensor<16000xf32>
}

// CHECK-LABEL: @long_rows_needed
// CHECK:         graph.reduce max %x dims [1] : tensor<4096x16000xf32> -> tensor<4096xf32>
// CHECK:         graph.reduce sum %c dims [0] : tensor<4096x16000xf32> -> tensor<16000xf32>
// REMARK:      sum over 4096 not in one pass over rows and columns: the results of 16000 columns do not stay in registers
func.func @long_rows_needed(%x: tensor<4096x16000xf32>) -> (tensor<4096x16000xf32>, tensor<16000xf32>) {
  %r = graph.reduce max %x dims [1] : tensor<4096x16000xf32> -> tensor<4096xf32>
  %0 = graph.broadcast %r dims [0] : tensor<4096xf32> -> tensor<4096x16000xf32>
  %c = graph.sub %x, %0 : tensor<4096x16000xf32>
  %s = graph.reduce sum %c dims [0] : tensor<4096x16000xf32> -> tensor<16000xf32>
  func.return %c, %s : tensor<4096x16000xf32>, tensor<16000xf32>
}

// Rows that no fit number of programs shares evenly, and too few of them for what the partial results cost.

// CHECK-LABEL: @prime
// CHECK-NOT:     graph.reshape
// CHECK:         graph.reduce sum %x dims [1] : tensor<16381x256xf32> -> tensor<16381xf32>
// REMARK:      sum over 16381 not in one pass over rows and columns: no 132 to 264 programs share 1 times 16381 rows evenly
func.func @prime(%x: tensor<16381x256xf32>) -> (tensor<16381xf32>, tensor<256xf32>) {
  %r = graph.reduce sum %x dims [1] : tensor<16381x256xf32> -> tensor<16381xf32>
  %c = graph.reduce sum %x dims [0] : tensor<16381x256xf32> -> tensor<256xf32>
  func.return %r, %c : tensor<16381xf32>, tensor<256xf32>
}

// CHECK-LABEL: @few
// CHECK:         graph.reshape %x : tensor<1024x8192xf32> -> tensor<4x256x8192xf32>
// CHECK:         func.return
// REMARK:      sum over 1024 not in one pass over rows and columns: the partial results of 256 programs take too much of what one pass saves
func.func @few(%x: tensor<1024x8192xf32>) -> (tensor<1024xf32>, tensor<8192xf32>) {
  %r = graph.reduce argmax %x dims [1] : tensor<1024x8192xf32> -> tensor<1024xi64>
  %0 = graph.convert %r : tensor<1024xi64> -> tensor<1024xf32>
  %c = graph.reduce sum %x dims [0] : tensor<1024x8192xf32> -> tensor<8192xf32>
  func.return %0, %c : tensor<1024xf32>, tensor<8192xf32>
}

// Two tensors: there is nothing to read once.

// CHECK-LABEL: @two_tensors
// CHECK:         graph.reduce sum %x dims [1]
// CHECK:         graph.reshape %y : tensor<16384x4096xf32> -> tensor<8x2048x4096xf32>
// REMARK-NOT:  one pass
func.func @two_tensors(%x: tensor<16384x4096xf32>, %y: tensor<16384x4096xf32>) -> (tensor<16384xf32>, tensor<4096xf32>) {
  %r = graph.reduce sum %x dims [1] : tensor<16384x4096xf32> -> tensor<16384xf32>
  %c = graph.reduce sum %y dims [0] : tensor<16384x4096xf32> -> tensor<4096xf32>
  func.return %r, %c : tensor<16384xf32>, tensor<4096xf32>
}

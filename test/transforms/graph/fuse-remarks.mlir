// RUN: fusir-opt %s --fuse --remarks 2>&1 >/dev/null | filecheck %s

// CHECK: remark: [fuse] fused: 3 ops that compute %e, %columns; moves 12736 bytes
func.func @row_and_column_sums(%x: tensor<48x64xf32>) -> (tensor<48xf32>, tensor<64xf32>) {
  %rows = graph.reduce sum %x dims [1] : tensor<48x64xf32> -> tensor<48xf32>
  %e = graph.exp %rows : tensor<48xf32>
  %columns = graph.reduce sum %x dims [0] : tensor<48x64xf32> -> tensor<64xf32>
  func.return %e, %columns : tensor<48xf32>, tensor<64xf32>
}

// CHECK: remark: [fuse] not fused: one kernel of %rows and %columns takes longer than two
func.func @one_program(%x: tensor<480x6400xf32>) -> (tensor<480xf32>, tensor<6400xf32>) {
  %rows = graph.reduce sum %x dims [1] : tensor<480x6400xf32> -> tensor<480xf32>
  %columns = graph.reduce sum %x dims [0] : tensor<480x6400xf32> -> tensor<6400xf32>
  func.return %rows, %columns : tensor<480xf32>, tensor<6400xf32>
}

// CHECK: remark: [fuse] not fused: %rows and %columns reduce rows and columns: 1 results for each of 16384 columns do not stay in registers
func.func @many_columns(%x: tensor<200x2x16384xf32>) -> (tensor<200x2xf32>, tensor<200x16384xf32>) {
  %rows = graph.reduce sum %x dims [2] : tensor<200x2x16384xf32> -> tensor<200x2xf32>
  %columns = graph.reduce sum %x dims [1] : tensor<200x2x16384xf32> -> tensor<200x16384xf32>
  func.return %rows, %columns : tensor<200x2xf32>, tensor<200x16384xf32>
}

// CHECK: remark: [fuse] not fused: %rows and %columns reduce rows and columns: rows of 4 elements are not next to each other
func.func @bits_of_rows(%x: tensor<48x64x4xf32>) -> (tensor<48x64xf32>, tensor<64x4xf32>) {
  %rows = graph.reduce sum %x dims [2] : tensor<48x64x4xf32> -> tensor<48x64xf32>
  %columns = graph.reduce sum %x dims [0] : tensor<48x64x4xf32> -> tensor<64x4xf32>
  func.return %rows, %columns : tensor<48x64xf32>, tensor<64x4xf32>
}

// CHECK: remark: [fuse] not fused: %b needs column results in every row, %rows those of its row
func.func @columns_in_rows(%x: tensor<48x64xf32>) -> (tensor<48x64xf32>, tensor<48xf32>) {
  %columns = graph.reduce sum %x dims [0] : tensor<48x64xf32> -> tensor<64xf32>
  %0 = graph.broadcast %columns dims [1] : tensor<64xf32> -> tensor<48x64xf32>
  %b = graph.sub %x, %0 : tensor<48x64xf32>
  %rows = graph.reduce sum %x dims [1] : tensor<48x64xf32> -> tensor<48xf32>
  func.return %b, %rows : tensor<48x64xf32>, tensor<48xf32>
}

// CHECK: remark: [fuse] not fused: %t and %rows reduce rows of 200 elements and store them transposed
func.func @transposed_rows(%x: tensor<48x200xf32>) -> (tensor<200x48xf32>, tensor<48xf32>) {
  %t = graph.permute %x dims [1, 0] : tensor<48x200xf32> -> tensor<200x48xf32>
  %rows = graph.reduce sum %x dims [1] : tensor<48x200xf32> -> tensor<48xf32>
  func.return %t, %rows : tensor<200x48xf32>, tensor<48xf32>
}

// CHECK: remark: [fuse] not fused: %partial reduces over dims [1] of 48x64, %total over dims [0] of 48
func.func @twice(%x: tensor<48x64xf32>) -> tensor<f32> {
  %partial = graph.reduce sum %x dims [1] : tensor<48x64xf32> -> tensor<48xf32>
  %total = graph.reduce sum %partial dims [0] : tensor<48xf32> -> tensor<f32>
  func.return %total : tensor<f32>
}

// CHECK: remark: [fuse] not fused: %sum reduces 1 rows of 67108864 elements: too few rows to keep the device busy writing %scaled
func.func @few_long_rows(%x: tensor<67108864xf32>) -> tensor<67108864xf32> {
  %sum = graph.reduce sum %x dims [0] : tensor<67108864xf32> -> tensor<f32>
  %0 = graph.broadcast %sum dims [] : tensor<f32> -> tensor<67108864xf32>
  %scaled = graph.div %x, %0 : tensor<67108864xf32>
  func.return %scaled : tensor<67108864xf32>
}

// CHECK: remark: [fuse] not fused: %y: graph.permute of a value that depends on a reduction or scan needs that value at other places
func.func @transposed_softmax(%x: tensor<48x48xf32>, %b: tensor<48x48xf32>) -> tensor<48x48xf32> {
  %m = graph.reduce max %x dims [1] : tensor<48x48xf32> -> tensor<48xf32>
  %0 = graph.broadcast %m dims [0] : tensor<48xf32> -> tensor<48x48xf32>
  %c = graph.sub %x, %0 : tensor<48x48xf32>
  %t = graph.permute %c dims [1, 0] : tensor<48x48xf32> -> tensor<48x48xf32>
  %y = graph.add %t, %b : tensor<48x48xf32>
  %r = graph.reduce sum %c dims [1] : tensor<48x48xf32> -> tensor<48xf32>
  %1 = graph.broadcast %r dims [1] : tensor<48xf32> -> tensor<48x48xf32>
  %z = graph.mul %y, %1 : tensor<48x48xf32>
  func.return %z : tensor<48x48xf32>
}

// CHECK: remark: [fuse] not fused: between %a and %sum is an op that is not in their kernel
func.func @around(%x: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = graph.exp %x : tensor<64xf32>
  %b = graph.call_aten "aten.cumsum.default"(%a) {args = [#graph.operand<0>, 0]} : (tensor<64xf32>) -> tensor<64xf32>
  %sum = graph.add %a, %b : tensor<64xf32>
  func.return %sum, %a : tensor<64xf32>, tensor<64xf32>
}

// CHECK: remark: [fuse] not fused: %p has shape 6x4, %q has shape 4x6
func.func @shapes(%x: tensor<24xf32>) -> (tensor<6x4xf32>, tensor<4x6xf32>) {
  %0 = graph.reshape %x : tensor<24xf32> -> tensor<6x4xf32>
  %1 = graph.reshape %x : tensor<24xf32> -> tensor<4x6xf32>
  %p = graph.exp %0 : tensor<6x4xf32>
  %q = graph.sin %1 : tensor<4x6xf32>
  func.return %p, %q : tensor<6x4xf32>, tensor<4x6xf32>
}

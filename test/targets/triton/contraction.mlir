// RUN: fusir-opt %s -t triton | filecheck %s

// Blocks of descriptors, and a dot that accumulates in the loop.

tt.func public @matmul(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %M: i32 {tt.divisibility = 16 : i32}, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {fusir.constexprs = {MBLOCK = 128 : i64, NBLOCK = 128 : i64, KBLOCK = 64 : i64}, fusir.num_warps = 8 : i64, fusir.num_stages = 3 : i64} {
  %mblock = arith.constant {fusir.name = "MBLOCK"} 128 : i32
  %nblock = arith.constant {fusir.name = "NBLOCK"} 128 : i32
  %kblock = arith.constant {fusir.name = "KBLOCK"} 64 : i32
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1 : i64
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %0 = arith.extsi %K : i32 to i64
  %1 = arith.extsi %N : i32 to i64
  %2 = tt.make_tensor_descriptor %a, [%M, %K], [%0, %one] {fusir.names = ["MBLOCK", "KBLOCK"]} : <bf16>, <tensor<128x64xbf16>>
  %3 = tt.make_tensor_descriptor %b, [%K, %N], [%1, %one] {fusir.names = ["KBLOCK", "NBLOCK"]} : <bf16>, <tensor<64x128xbf16>>
  %4 = tt.make_tensor_descriptor %y, [%M, %N], [%1, %one] {fusir.names = ["MBLOCK", "NBLOCK"]} : <bf16>, <tensor<128x128xbf16>>
  %pid = tt.get_program_id x : i32
  %5 = arith.addi %N, %nblock : i32
  %c1 = arith.constant 1 : i32
  %6 = arith.subi %5, %c1 : i32
  %columns = arith.divsi %6, %nblock : i32
  %7 = arith.divsi %pid, %columns : i32
  %m = arith.muli %7, %mblock : i32
  %8 = arith.remsi %pid, %columns : i32
  %n = arith.muli %8, %nblock : i32
  %acc = scf.for %k = %c0 to %K step %kblock iter_args(%s = %zeros) -> (tensor<128x128xf32>) : i32 {
    %va = tt.descriptor_load %2[%m, %k] : !tt.tensordesc<tensor<128x64xbf16>> -> tensor<128x64xbf16>
    %vb = tt.descriptor_load %3[%k, %n] : !tt.tensordesc<tensor<64x128xbf16>> -> tensor<64x128xbf16>
    %d = tt.dot %va, %vb, %s : tensor<128x64xbf16> * tensor<64x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tt.num_stages = 4 : i32}
  %9 = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xbf16>
  tt.descriptor_store %4[%m, %n], %9 : !tt.tensordesc<tensor<128x128xbf16>>, tensor<128x128xbf16>
  tt.return
}

// CHECK:      def matmul(
// CHECK:          a_desc = tl.make_tensor_descriptor(
// CHECK-NEXT:         a_ptr,
// CHECK-NEXT:         shape=[M, K],
// CHECK-NEXT:         strides=[K, 1],
// CHECK-NEXT:         block_shape=[MBLOCK, KBLOCK],
// CHECK-NEXT:     )
// CHECK:              strides=[N, 1],
// CHECK-NEXT:         block_shape=[KBLOCK, NBLOCK],
// CHECK:          s = tl.full([MBLOCK, NBLOCK], 0.0, tl.float32)
// CHECK-NEXT:     for k in tl.range(0, K, KBLOCK, num_stages=4):
// CHECK-NEXT:         va = a_desc.load([m, k])
// CHECK-NEXT:         vb = b_desc.load([k, n])
// CHECK-NEXT:         s = tl.dot(va, vb, s)
// CHECK-NEXT:     y_desc.store([m, n], s.to(tl.bfloat16))

// RUN: fusir-opt %s -t triton | filecheck %s

// Blocks of descriptors, and a dot that accumulates in the loop.

tt.func public @product(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %M: i32 {tt.divisibility = 16 : i32}, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {fusir.constexprs = {MBLOCK = 128 : i64, NBLOCK = 128 : i64, KBLOCK = 64 : i64}, fusir.num_warps = 8 : i64, fusir.num_stages = 3 : i64} {
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

// CHECK:      def product(
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

// Batches: blocks with a leading dimension of 1, which the tiles do not have. The second factor is transposed in memory.

tt.func public @batched(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %M: i32 {tt.divisibility = 16 : i32}) attributes {fusir.constexprs = {MBLOCK = 64 : i64, NBLOCK = 32 : i64, KBLOCK = 64 : i64}} {
  %mblock = arith.constant {fusir.name = "MBLOCK"} 64 : i32
  %nblock = arith.constant {fusir.name = "NBLOCK"} 32 : i32
  %kblock = arith.constant {fusir.name = "KBLOCK"} 64 : i32
  %c0 = arith.constant 0 : i32
  %batches = arith.constant 8 : i32
  %N = arith.constant 256 : i32
  %K = arith.constant 128 : i32
  %one = arith.constant 1 : i64
  %ks = arith.constant 128 : i64
  %ns = arith.constant 256 : i64
  %bs = arith.constant 32768 : i64
  %0 = arith.muli %M, %K : i32
  %1 = arith.extsi %0 : i32 to i64
  %2 = arith.muli %M, %N : i32
  %3 = arith.extsi %2 : i32 to i64
  %4 = tt.make_tensor_descriptor %a, [%batches, %M, %K], [%1, %ks, %one] {fusir.names = ["", "MBLOCK", "KBLOCK"]} : <f16>, <tensor<1x64x64xf16>>
  %5 = tt.make_tensor_descriptor %b, [%batches, %N, %K], [%bs, %ks, %one] {fusir.names = ["", "NBLOCK", "KBLOCK"]} : <f16>, <tensor<1x32x64xf16>>
  %6 = tt.make_tensor_descriptor %y, [%batches, %M, %N], [%3, %ns, %one] {fusir.names = ["", "MBLOCK", "NBLOCK"]} : <f16>, <tensor<1x64x32xf16>>
  %pid = tt.get_program_id x : i32
  %batch = arith.remsi %pid, %batches : i32
  %tile = arith.divsi %pid, %batches : i32
  %m = arith.muli %tile, %mblock : i32
  scf.for %n = %c0 to %N step %nblock : i32 {
    %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
    %7 = tt.descriptor_load %4[%batch, %m, %c0] : !tt.tensordesc<tensor<1x64x64xf16>> -> tensor<64x64xf16>
    %8 = tt.descriptor_load %5[%batch, %n, %c0] : !tt.tensordesc<tensor<1x32x64xf16>> -> tensor<32x64xf16>
    %9 = tt.trans %8 {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %10 = tt.dot %7, %9, %zeros : tensor<64x64xf16> * tensor<64x32xf16> -> tensor<64x32xf32>
    %11 = arith.truncf %10 : tensor<64x32xf32> to tensor<64x32xf16>
    tt.descriptor_store %6[%batch, %m, %n], %11 : !tt.tensordesc<tensor<1x64x32xf16>>, tensor<64x32xf16>
    scf.yield
  } {tt.flatten, tt.num_stages = 2 : i32}
  tt.return
}

// CHECK:      def batched(
// CHECK:              shape=[8, M, 128],
// CHECK-NEXT:         strides=[M * 128, 128, 1],
// CHECK-NEXT:         block_shape=[1, MBLOCK, KBLOCK],
// CHECK:          for n in tl.range(0, 256, NBLOCK, num_stages=2, flatten=True):
// CHECK-NEXT:         a = a_desc.load([batch, m, 0]).reshape(MBLOCK, KBLOCK)
// CHECK-NEXT:         b = b_desc.load([batch, n, 0]).reshape(NBLOCK, KBLOCK)
// CHECK-NEXT:         y_desc.store([batch, m, n], tl.dot(a, b.T).to(tl.float16).reshape(1, MBLOCK, NBLOCK))

// Pointers, masked in the rows and columns, with K a multiple of the block.

tt.func public @pointers(%a: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {fusir.constexprs = {MBLOCK = 128 : i64, NBLOCK = 128 : i64, KBLOCK = 32 : i64}, fusir.num_warps = 4 : i64} {
  %mblock = arith.constant {fusir.name = "MBLOCK"} 128 : i32
  %nblock = arith.constant {fusir.name = "NBLOCK"} 128 : i32
  %kblock = arith.constant {fusir.name = "KBLOCK"} 32 : i32
  %c0 = arith.constant 0 : i32
  %zeros = arith.constant dense<0.0> : tensor<128x128xf32>
  %none = arith.constant dense<0.0> : tensor<128x32xbf16>
  %pid_m = tt.get_program_id x : i32
  %pid_n = tt.get_program_id y : i32
  %0 = arith.muli %pid_m, %mblock : i32
  %1 = arith.muli %pid_n, %nblock : i32
  %2 = tt.make_range {end = 128 : i32, start = 0 : i32, fusir.name = "MBLOCK"} : tensor<128xi32>
  %3 = tt.make_range {end = 128 : i32, start = 0 : i32, fusir.name = "NBLOCK"} : tensor<128xi32>
  %4 = tt.make_range {end = 32 : i32, start = 0 : i32, fusir.name = "KBLOCK"} : tensor<32xi32>
  %5 = tt.splat %0 : i32 -> tensor<128xi32>
  %6 = tt.splat %1 : i32 -> tensor<128xi32>
  %7 = arith.addi %5, %2 : tensor<128xi32>
  %8 = arith.addi %6, %3 : tensor<128xi32>
  %m = tt.expand_dims %7 {axis = 1 : i32} : tensor<128xi32> -> tensor<128x1xi32>
  %n = tt.expand_dims %8 {axis = 0 : i32} : tensor<128xi32> -> tensor<1x128xi32>
  %9 = tt.splat %M : i32 -> tensor<128x1xi32>
  %mmask = arith.cmpi slt, %m, %9 : tensor<128x1xi32>
  %10 = tt.splat %N : i32 -> tensor<1x128xi32>
  %nmask = arith.cmpi slt, %n, %10 : tensor<1x128xi32>
  %11 = tt.splat %K : i32 -> tensor<128x1xi32>
  %12 = arith.muli %m, %11 : tensor<128x1xi32>
  %13 = tt.broadcast %12 : tensor<128x1xi32> -> tensor<128x32xi32>
  %14 = tt.broadcast %mmask : tensor<128x1xi1> -> tensor<128x32xi1>
  %15 = tt.broadcast %n : tensor<1x128xi32> -> tensor<32x128xi32>
  %16 = tt.broadcast %nmask : tensor<1x128xi1> -> tensor<32x128xi1>
  %as = tt.splat %a : !tt.ptr<bf16> -> tensor<128x32x!tt.ptr<bf16>>
  %bs = tt.splat %b : !tt.ptr<bf16> -> tensor<32x128x!tt.ptr<bf16>>
  %noneb = arith.constant dense<0.0> : tensor<32x128xbf16>
  %acc = scf.for %k = %c0 to %K step %kblock iter_args(%s = %zeros) -> (tensor<128x128xf32>) : i32 {
    %17 = tt.splat %k : i32 -> tensor<32xi32>
    %18 = arith.addi %17, %4 : tensor<32xi32>
    %19 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %20 = tt.broadcast %19 : tensor<1x32xi32> -> tensor<128x32xi32>
    %21 = arith.addi %13, %20 : tensor<128x32xi32>
    %22 = tt.addptr %as, %21 : tensor<128x32x!tt.ptr<bf16>>, tensor<128x32xi32>
    %va = tt.load %22, %14, %none : tensor<128x32x!tt.ptr<bf16>>
    %23 = tt.expand_dims %18 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %24 = tt.splat %N : i32 -> tensor<32x1xi32>
    %25 = arith.muli %23, %24 : tensor<32x1xi32>
    %26 = tt.broadcast %25 : tensor<32x1xi32> -> tensor<32x128xi32>
    %27 = arith.addi %26, %15 : tensor<32x128xi32>
    %28 = tt.addptr %bs, %27 : tensor<32x128x!tt.ptr<bf16>>, tensor<32x128xi32>
    %vb = tt.load %28, %16, %noneb : tensor<32x128x!tt.ptr<bf16>>
    %d = tt.dot %va, %vb, %s : tensor<128x32xbf16> * tensor<32x128xbf16> -> tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  } {tt.num_stages = 3 : i32}
  %result = arith.truncf %acc : tensor<128x128xf32> to tensor<128x128xbf16>
  %29 = tt.splat %N : i32 -> tensor<128x1xi32>
  %30 = arith.muli %m, %29 : tensor<128x1xi32>
  %31 = tt.broadcast %30 : tensor<128x1xi32> -> tensor<128x128xi32>
  %32 = tt.broadcast %n : tensor<1x128xi32> -> tensor<128x128xi32>
  %33 = arith.addi %31, %32 : tensor<128x128xi32>
  %34 = tt.broadcast %mmask : tensor<128x1xi1> -> tensor<128x128xi1>
  %35 = tt.broadcast %nmask : tensor<1x128xi1> -> tensor<128x128xi1>
  %36 = arith.andi %34, %35 : tensor<128x128xi1>
  %ys = tt.splat %y : !tt.ptr<bf16> -> tensor<128x128x!tt.ptr<bf16>>
  %37 = tt.addptr %ys, %33 : tensor<128x128x!tt.ptr<bf16>>, tensor<128x128xi32>
  tt.store %37, %result, %36 : tensor<128x128x!tt.ptr<bf16>>
  tt.return
}

// CHECK:      def pointers(
// CHECK:          s = tl.full([MBLOCK, NBLOCK], 0.0, tl.float32)
// CHECK-NEXT:     for k in tl.range(0, K, KBLOCK, num_stages=3):
// CHECK:              va = tl.load(
// CHECK:              vb = tl.load(
// CHECK:              s = tl.dot(va, vb, s)

tt.func public @pieces(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {fusir.constexprs = {MBLOCK = 64 : i64, NBLOCK = 64 : i64, KBLOCK = 32 : i64}, fusir.num_warps = 4 : i64} {
  %mblock = arith.constant {fusir.name = "MBLOCK"} 64 : i32
  %nblock = arith.constant {fusir.name = "NBLOCK"} 64 : i32
  %kblock = arith.constant {fusir.name = "KBLOCK"} 32 : i32
  %c0 = arith.constant 0 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %pid_m = tt.get_program_id x : i32
  %pid_n = tt.get_program_id y : i32
  %0 = arith.muli %pid_m, %mblock : i32
  %1 = arith.muli %pid_n, %nblock : i32
  %2 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "MBLOCK"} : tensor<64xi32>
  %3 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "NBLOCK"} : tensor<64xi32>
  %4 = tt.make_range {end = 32 : i32, start = 0 : i32, fusir.name = "KBLOCK"} : tensor<32xi32>
  %5 = tt.splat %0 : i32 -> tensor<64xi32>
  %6 = tt.splat %1 : i32 -> tensor<64xi32>
  %7 = arith.addi %5, %2 : tensor<64xi32>
  %8 = arith.addi %6, %3 : tensor<64xi32>
  %m = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %9 = tt.splat %M : i32 -> tensor<64x1xi32>
  %mmask = arith.cmpi slt, %m, %9 : tensor<64x1xi32>
  %10 = tt.splat %N : i32 -> tensor<1x64xi32>
  %nmask = arith.cmpi slt, %n, %10 : tensor<1x64xi32>
  %11 = tt.splat %K : i32 -> tensor<64x1xi32>
  %12 = arith.muli %m, %11 : tensor<64x1xi32>
  %13 = tt.broadcast %12 : tensor<64x1xi32> -> tensor<64x32xi32>
  %14 = tt.broadcast %mmask : tensor<64x1xi1> -> tensor<64x32xi1>
  %15 = tt.broadcast %n : tensor<1x64xi32> -> tensor<32x64xi32>
  %16 = tt.broadcast %nmask : tensor<1x64xi1> -> tensor<32x64xi1>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  %noneb = arith.constant dense<0.0> : tensor<32x64xf32>
  %acc = scf.for %k = %c0 to %K step %kblock iter_args(%s = %zeros) -> (tensor<64x64xf32>) : i32 {
    %17 = tt.splat %k : i32 -> tensor<32xi32>
    %18 = arith.addi %17, %4 : tensor<32xi32>
    %19 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %20 = tt.broadcast %19 : tensor<1x32xi32> -> tensor<64x32xi32>
    %21 = arith.addi %13, %20 : tensor<64x32xi32>
    %22 = tt.addptr %as, %21 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %va = tt.load %22, %14, %none : tensor<64x32x!tt.ptr<f32>>
    %23 = tt.expand_dims %18 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %24 = tt.splat %N : i32 -> tensor<32x1xi32>
    %25 = arith.muli %23, %24 : tensor<32x1xi32>
    %26 = tt.broadcast %25 : tensor<32x1xi32> -> tensor<32x64xi32>
    %27 = arith.addi %26, %15 : tensor<32x64xi32>
    %28 = tt.addptr %bs, %27 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %vb = tt.load %28, %16, %noneb : tensor<32x64x!tt.ptr<f32>>
    %d = tt.dot %va, %vb, %s, inputPrecision = bf16x6 : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {tt.num_stages = 3 : i32}
  %29 = tt.splat %N : i32 -> tensor<64x1xi32>
  %30 = arith.muli %m, %29 : tensor<64x1xi32>
  %31 = tt.broadcast %30 : tensor<64x1xi32> -> tensor<64x64xi32>
  %32 = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %33 = arith.addi %31, %32 : tensor<64x64xi32>
  %34 = tt.broadcast %mmask : tensor<64x1xi1> -> tensor<64x64xi1>
  %35 = tt.broadcast %nmask : tensor<1x64xi1> -> tensor<64x64xi1>
  %36 = arith.andi %34, %35 : tensor<64x64xi1>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %37 = tt.addptr %ys, %33 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %37, %acc, %36 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// CHECK:      def pieces(
// CHECK:              s = tl.dot(va, vb, s, input_precision="bf16x6")

tt.func public @tf32(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {fusir.constexprs = {MBLOCK = 64 : i64, NBLOCK = 64 : i64, KBLOCK = 32 : i64}, fusir.num_warps = 4 : i64} {
  %mblock = arith.constant {fusir.name = "MBLOCK"} 64 : i32
  %nblock = arith.constant {fusir.name = "NBLOCK"} 64 : i32
  %kblock = arith.constant {fusir.name = "KBLOCK"} 32 : i32
  %c0 = arith.constant 0 : i32
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x32xf32>
  %pid_m = tt.get_program_id x : i32
  %pid_n = tt.get_program_id y : i32
  %0 = arith.muli %pid_m, %mblock : i32
  %1 = arith.muli %pid_n, %nblock : i32
  %2 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "MBLOCK"} : tensor<64xi32>
  %3 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "NBLOCK"} : tensor<64xi32>
  %4 = tt.make_range {end = 32 : i32, start = 0 : i32, fusir.name = "KBLOCK"} : tensor<32xi32>
  %5 = tt.splat %0 : i32 -> tensor<64xi32>
  %6 = tt.splat %1 : i32 -> tensor<64xi32>
  %7 = arith.addi %5, %2 : tensor<64xi32>
  %8 = arith.addi %6, %3 : tensor<64xi32>
  %m = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %9 = tt.splat %M : i32 -> tensor<64x1xi32>
  %mmask = arith.cmpi slt, %m, %9 : tensor<64x1xi32>
  %10 = tt.splat %N : i32 -> tensor<1x64xi32>
  %nmask = arith.cmpi slt, %n, %10 : tensor<1x64xi32>
  %11 = tt.splat %K : i32 -> tensor<64x1xi32>
  %12 = arith.muli %m, %11 : tensor<64x1xi32>
  %13 = tt.broadcast %12 : tensor<64x1xi32> -> tensor<64x32xi32>
  %14 = tt.broadcast %mmask : tensor<64x1xi1> -> tensor<64x32xi1>
  %15 = tt.broadcast %n : tensor<1x64xi32> -> tensor<32x64xi32>
  %16 = tt.broadcast %nmask : tensor<1x64xi1> -> tensor<32x64xi1>
  %as = tt.splat %a : !tt.ptr<f32> -> tensor<64x32x!tt.ptr<f32>>
  %bs = tt.splat %b : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  %noneb = arith.constant dense<0.0> : tensor<32x64xf32>
  %acc = scf.for %k = %c0 to %K step %kblock iter_args(%s = %zeros) -> (tensor<64x64xf32>) : i32 {
    %17 = tt.splat %k : i32 -> tensor<32xi32>
    %18 = arith.addi %17, %4 : tensor<32xi32>
    %19 = tt.expand_dims %18 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %20 = tt.broadcast %19 : tensor<1x32xi32> -> tensor<64x32xi32>
    %21 = arith.addi %13, %20 : tensor<64x32xi32>
    %22 = tt.addptr %as, %21 : tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>
    %va = tt.load %22, %14, %none : tensor<64x32x!tt.ptr<f32>>
    %23 = tt.expand_dims %18 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %24 = tt.splat %N : i32 -> tensor<32x1xi32>
    %25 = arith.muli %23, %24 : tensor<32x1xi32>
    %26 = tt.broadcast %25 : tensor<32x1xi32> -> tensor<32x64xi32>
    %27 = arith.addi %26, %15 : tensor<32x64xi32>
    %28 = tt.addptr %bs, %27 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
    %vb = tt.load %28, %16, %noneb : tensor<32x64x!tt.ptr<f32>>
    %d = tt.dot %va, %vb, %s, inputPrecision = tf32 : tensor<64x32xf32> * tensor<32x64xf32> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {tt.num_stages = 3 : i32}
  %29 = tt.splat %N : i32 -> tensor<64x1xi32>
  %30 = arith.muli %m, %29 : tensor<64x1xi32>
  %31 = tt.broadcast %30 : tensor<64x1xi32> -> tensor<64x64xi32>
  %32 = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %33 = arith.addi %31, %32 : tensor<64x64xi32>
  %34 = tt.broadcast %mmask : tensor<64x1xi1> -> tensor<64x64xi1>
  %35 = tt.broadcast %nmask : tensor<1x64xi1> -> tensor<64x64xi1>
  %36 = arith.andi %34, %35 : tensor<64x64xi1>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x64x!tt.ptr<f32>>
  %37 = tt.addptr %ys, %33 : tensor<64x64x!tt.ptr<f32>>, tensor<64x64xi32>
  tt.store %37, %acc, %36 : tensor<64x64x!tt.ptr<f32>>
  tt.return
}

// CHECK:      def tf32(
// CHECK:              s = tl.dot(va, vb, s, input_precision="tf32")

tt.func public @integers(%a: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %b: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %y: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %M: i32, %N: i32 {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}) attributes {fusir.constexprs = {MBLOCK = 64 : i64, NBLOCK = 64 : i64, KBLOCK = 64 : i64}, fusir.num_warps = 4 : i64} {
  %mblock = arith.constant {fusir.name = "MBLOCK"} 64 : i32
  %nblock = arith.constant {fusir.name = "NBLOCK"} 64 : i32
  %kblock = arith.constant {fusir.name = "KBLOCK"} 64 : i32
  %c0 = arith.constant 0 : i32
  %zeros = arith.constant dense<0> : tensor<64x64xi32>
  %none = arith.constant dense<0> : tensor<64x64xi8>
  %pid_m = tt.get_program_id x : i32
  %pid_n = tt.get_program_id y : i32
  %0 = arith.muli %pid_m, %mblock : i32
  %1 = arith.muli %pid_n, %nblock : i32
  %2 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "MBLOCK"} : tensor<64xi32>
  %3 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "NBLOCK"} : tensor<64xi32>
  %4 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "KBLOCK"} : tensor<64xi32>
  %5 = tt.splat %0 : i32 -> tensor<64xi32>
  %6 = tt.splat %1 : i32 -> tensor<64xi32>
  %7 = arith.addi %5, %2 : tensor<64xi32>
  %8 = arith.addi %6, %3 : tensor<64xi32>
  %m = tt.expand_dims %7 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %n = tt.expand_dims %8 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %9 = tt.splat %M : i32 -> tensor<64x1xi32>
  %mmask = arith.cmpi slt, %m, %9 : tensor<64x1xi32>
  %10 = tt.splat %N : i32 -> tensor<1x64xi32>
  %nmask = arith.cmpi slt, %n, %10 : tensor<1x64xi32>
  %11 = tt.splat %K : i32 -> tensor<64x1xi32>
  %12 = arith.muli %m, %11 : tensor<64x1xi32>
  %13 = tt.broadcast %12 : tensor<64x1xi32> -> tensor<64x64xi32>
  %14 = tt.broadcast %mmask : tensor<64x1xi1> -> tensor<64x64xi1>
  %15 = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %16 = tt.broadcast %nmask : tensor<1x64xi1> -> tensor<64x64xi1>
  %as = tt.splat %a : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
  %bs = tt.splat %b : !tt.ptr<i8> -> tensor<64x64x!tt.ptr<i8>>
  %noneb = arith.constant dense<0> : tensor<64x64xi8>
  %acc = scf.for %k = %c0 to %K step %kblock iter_args(%s = %zeros) -> (tensor<64x64xi32>) : i32 {
    %17 = tt.splat %k : i32 -> tensor<64xi32>
    %18 = arith.addi %17, %4 : tensor<64xi32>
    %19 = tt.expand_dims %18 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
    %20 = tt.broadcast %19 : tensor<1x64xi32> -> tensor<64x64xi32>
    %21 = arith.addi %13, %20 : tensor<64x64xi32>
    %22 = tt.addptr %as, %21 : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    %va = tt.load %22, %14, %none : tensor<64x64x!tt.ptr<i8>>
    %23 = tt.expand_dims %18 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
    %24 = tt.splat %N : i32 -> tensor<64x1xi32>
    %25 = arith.muli %23, %24 : tensor<64x1xi32>
    %26 = tt.broadcast %25 : tensor<64x1xi32> -> tensor<64x64xi32>
    %27 = arith.addi %26, %15 : tensor<64x64xi32>
    %28 = tt.addptr %bs, %27 : tensor<64x64x!tt.ptr<i8>>, tensor<64x64xi32>
    %vb = tt.load %28, %16, %noneb : tensor<64x64x!tt.ptr<i8>>
    %d = tt.dot %va, %vb, %s : tensor<64x64xi8> * tensor<64x64xi8> -> tensor<64x64xi32>
    scf.yield %d : tensor<64x64xi32>
  } {tt.num_stages = 3 : i32}
  %29 = tt.splat %N : i32 -> tensor<64x1xi32>
  %30 = arith.muli %m, %29 : tensor<64x1xi32>
  %31 = tt.broadcast %30 : tensor<64x1xi32> -> tensor<64x64xi32>
  %32 = tt.broadcast %n : tensor<1x64xi32> -> tensor<64x64xi32>
  %33 = arith.addi %31, %32 : tensor<64x64xi32>
  %34 = tt.broadcast %mmask : tensor<64x1xi1> -> tensor<64x64xi1>
  %35 = tt.broadcast %nmask : tensor<1x64xi1> -> tensor<64x64xi1>
  %36 = arith.andi %34, %35 : tensor<64x64xi1>
  %ys = tt.splat %y : !tt.ptr<i32> -> tensor<64x64x!tt.ptr<i32>>
  %37 = tt.addptr %ys, %33 : tensor<64x64x!tt.ptr<i32>>, tensor<64x64xi32>
  tt.store %37, %acc, %36 : tensor<64x64x!tt.ptr<i32>>
  tt.return
}

// CHECK:      def integers(
// CHECK:              s = tl.dot(va, vb, s, out_dtype=tl.int32)

// Factors of 8-bit floats: how many terms are summed imprecisely is said, since Triton's default is all of them.

tt.func public @float8(%a: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f8E4M3FN> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f8E5M2> {tt.divisibility = 16 : i32}, %K: i32 {tt.divisibility = 16 : i32}, %scale: !tt.ptr<f32>) attributes {fusir.constexprs = {MBLOCK = 64 : i64, NBLOCK = 64 : i64, KBLOCK = 64 : i64}} {
  %mblock = arith.constant {fusir.name = "MBLOCK"} 64 : i32
  %kblock = arith.constant {fusir.name = "KBLOCK"} 64 : i32
  %c0 = arith.constant 0 : i32
  %M = arith.constant 512 : i32
  %N = arith.constant 64 : i32
  %one = arith.constant 1 : i64
  %ns = arith.constant 64 : i64
  %ks = arith.extsi %K : i32 to i64
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %0 = tt.make_tensor_descriptor %a, [%M, %K], [%ks, %one] {fusir.names = ["MBLOCK", "KBLOCK"]} : <f8E4M3FN>, <tensor<64x64xf8E4M3FN>>
  %1 = tt.make_tensor_descriptor %b, [%N, %K], [%ks, %one] {fusir.names = ["NBLOCK", "KBLOCK"]} : <f8E4M3FN>, <tensor<64x64xf8E4M3FN>>
  %2 = tt.make_tensor_descriptor %y, [%M, %N], [%ns, %one] {fusir.names = ["MBLOCK", "NBLOCK"]} : <f8E5M2>, <tensor<64x64xf8E5M2>>
  %pid = tt.get_program_id x : i32
  %m = arith.muli %pid, %mblock : i32
  %acc = scf.for %k = %c0 to %K step %kblock iter_args(%s = %zeros) -> (tensor<64x64xf32>) : i32 {
    %va = tt.descriptor_load %0[%m, %k] : !tt.tensordesc<tensor<64x64xf8E4M3FN>> -> tensor<64x64xf8E4M3FN>
    %vb = tt.descriptor_load %1[%c0, %k] : !tt.tensordesc<tensor<64x64xf8E4M3FN>> -> tensor<64x64xf8E4M3FN>
    %3 = tt.trans %vb {order = array<i32: 1, 0>} : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %d = tt.dot %va, %3, %s {maxNumImpreciseAcc = 64 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  } {tt.num_stages = 3 : i32}
  %factor = tt.load %scale : !tt.ptr<f32>
  %4 = tt.splat %factor : f32 -> tensor<64x64xf32>
  %5 = arith.mulf %acc, %4 : tensor<64x64xf32>
  %6 = tt.fp_to_fp %5, rounding = rtne : tensor<64x64xf32> -> tensor<64x64xf8E5M2>
  tt.descriptor_store %2[%m, %c0], %6 : !tt.tensordesc<tensor<64x64xf8E5M2>>, tensor<64x64xf8E5M2>
  tt.return
}

// CHECK:      def float8(
// CHECK:              s = tl.dot(va, vb.T, s, max_num_imprecise_acc=64)
// CHECK:          y_desc.store([m, 0], (s * factor).to(tl.float8e5))

// Options of the loop.

tt.func public @loop_options(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %y: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %n = arith.constant 256 : i32
  %one = arith.constant 1 : i64
  %zeros = arith.constant dense<0.0> : tensor<32x32xf32>
  %0 = tt.make_tensor_descriptor %a, [%n], [%one] {padding = 2 : i32} : <f16>, <tensor<32xf16>>
  %1 = tt.make_tensor_descriptor %y, [%n], [%one] : <f32>, <tensor<32xf32>>
  scf.for %i = %c0 to %n step %c32 : i32 {
    %2 = tt.descriptor_load %0[%i] : !tt.tensordesc<tensor<32xf16>> -> tensor<32xf16>
    %3 = arith.extf %2 : tensor<32xf16> to tensor<32xf32>
    tt.descriptor_store %1[%i], %3 : !tt.tensordesc<tensor<32xf32>>, tensor<32xf32>
    scf.yield
  } {tt.disallow_acc_multi_buffer, tt.flatten, tt.loop_unroll_factor = 1 : i32, tt.num_stages = 1 : i32, tt.warp_specialize}
  tt.return
}

// CHECK:      def loop_options(a_ptr, y_ptr):
// CHECK-NEXT:     a_desc = tl.make_tensor_descriptor(
// CHECK:              padding_option="nan",
// CHECK:          for i in tl.range(
// CHECK:              num_stages=1,
// CHECK-NEXT:         loop_unroll_factor=1,
// CHECK-NEXT:         disallow_acc_multi_buffer=True,
// CHECK-NEXT:         flatten=True,
// CHECK-NEXT:         warp_specialize=True,
// CHECK-NEXT:     ):
// CHECK-NEXT:         a = a_desc.load([i])
// CHECK-NEXT:         y_desc.store([i], a.to(tl.float32))

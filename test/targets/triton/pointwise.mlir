// RUN: fusir-opt %s -t triton | filecheck %s

// A masked pointwise kernel in bf16: named block size, source lines, casts inside expressions.

tt.func public @fused(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %w: !tt.ptr<f32>, %out: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %s0: i32) attributes {fusir.constexprs = {XBLOCK = 1024 : i64}} {
  %c = arith.constant {fusir.name = "XBLOCK"} 1024 : i32
  %pid = tt.get_program_id x : i32
  %0 = arith.muli %pid, %c : i32
  %1 = tt.make_range {end = 1024 : i32, start = 0 : i32, fusir.name = "XBLOCK"} : tensor<1024xi32>
  %2 = tt.splat %0 : i32 -> tensor<1024xi32>
  %xindex = arith.addi %2, %1 : tensor<1024xi32>
  %3 = tt.splat %s0 : i32 -> tensor<1024xi32>
  %xmask = arith.cmpi slt, %xindex, %3 : tensor<1024xi32>
  %4 = tt.splat %x : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
  %5 = tt.addptr %4, %xindex : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
  %zero = arith.constant dense<0.0> : tensor<1024xbf16>
  %6 = tt.load %5, %xmask, %zero evictionPolicy = evict_last : tensor<1024x!tt.ptr<bf16>>
  %7 = arith.extf %6 : tensor<1024xbf16> to tensor<1024xf32>
  %8 = tt.load %w : !tt.ptr<f32>
  %9 = tt.splat %8 : f32 -> tensor<1024xf32>
  %10 = arith.mulf %7, %9 : tensor<1024xf32> loc("/home/me/model.py":12:4)
  %half = arith.constant dense<1.5> : tensor<1024xf32>
  %11 = arith.addf %10, %half : tensor<1024xf32> loc("/home/me/model.py":12:4)
  %12 = tt.extern_elementwise %11 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<1024xf32>) -> tensor<1024xf32> loc("/home/me/model.py":13:4)
  %13 = arith.truncf %12 : tensor<1024xf32> to tensor<1024xbf16>
  %14 = tt.splat %out : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>>
  %15 = tt.addptr %14, %xindex : tensor<1024x!tt.ptr<bf16>>, tensor<1024xi32>
  tt.store %15, %13, %xmask : tensor<1024x!tt.ptr<bf16>>
  tt.return
}

// CHECK:      import triton
// CHECK-NEXT: import triton.language as tl
// CHECK-NEXT: from triton.language.extra import libdevice
// CHECK:      @triton.jit
// CHECK-NEXT: def fused(x_ptr, w_ptr, out_ptr, s0, XBLOCK: tl.constexpr):
// CHECK-NEXT:     pid = tl.program_id(0)
// CHECK-NEXT:     xindex = pid * XBLOCK + tl.arange(0, XBLOCK)
// CHECK-NEXT:     xmask = xindex < s0
// CHECK-NEXT:     x = tl.load(x_ptr + xindex, mask=xmask, other=0.0, eviction_policy="evict_last")
// CHECK-NEXT:     w = tl.load(w_ptr)
// CHECK-NEXT:     tmp0 = x.to(tl.float32) * w + 1.5  # model.py:12
// CHECK-NEXT:     tmp1 = libdevice.tanh(tmp0)  # model.py:13
// CHECK-NEXT:     tl.store(out_ptr + xindex, tmp1.to(tl.bfloat16), mask=xmask)

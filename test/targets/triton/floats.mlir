// RUN: fusir-opt %s -t triton | filecheck %s

// Exact constants, halves, f64, NaN rules, narrow floats.

tt.func public @constants(%x: !tt.ptr<f64>, %h: !tt.ptr<f16>, %b: !tt.ptr<bf16>, %s: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %px = tt.splat %x : !tt.ptr<f64> -> tensor<64x!tt.ptr<f64>>
  %qx = tt.addptr %px, %i : tensor<64x!tt.ptr<f64>>, tensor<64xi32>
  %v = tt.load %qx : tensor<64x!tt.ptr<f64>>
  %tenth = arith.constant dense<1.000000e-01> : tensor<64xf64>
  %0 = arith.mulf %v, %tenth : tensor<64xf64>
  %tiny = arith.constant dense<1.0e-310> : tensor<64xf64>
  %1 = arith.maximumf %0, %tiny : tensor<64xf64>
  %2 = math.fma %1, %tenth, %v : tensor<64xf64>
  %minus = arith.constant dense<-1.0> : tensor<64xf64>
  %n = arith.mulf %2, %minus : tensor<64xf64>
  tt.store %qx, %n : tensor<64x!tt.ptr<f64>>

  %ph = tt.splat %h : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>>
  %qh = tt.addptr %ph, %i : tensor<64x!tt.ptr<f16>>, tensor<64xi32>
  %vh = tt.load %qh : tensor<64x!tt.ptr<f16>>
  %third = arith.constant dense<3.332520e-01> : tensor<64xf16>
  %3 = arith.addf %vh, %third : tensor<64xf16>
  %4 = arith.maxnumf %3, %third : tensor<64xf16>
  tt.store %qh, %4 : tensor<64x!tt.ptr<f16>>

  %pb = tt.splat %b : !tt.ptr<bf16> -> tensor<64x!tt.ptr<bf16>>
  %qb = tt.addptr %pb, %i : tensor<64x!tt.ptr<bf16>>, tensor<64xi32>
  %vb = tt.load %qb : tensor<64x!tt.ptr<bf16>>
  %two = arith.constant dense<2.0> : tensor<64xbf16>
  %5 = arith.mulf %vb, %two : tensor<64xbf16>
  %6 = arith.cmpf olt, %5, %two : tensor<64xbf16>
  %7 = arith.select %6, %5, %two : tensor<64xi1>, tensor<64xbf16>
  tt.store %qb, %7 : tensor<64x!tt.ptr<bf16>>

  %ps = tt.splat %s : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %qs = tt.addptr %ps, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %vs = tt.load %qs : tensor<64x!tt.ptr<f32>>
  %inf = arith.constant dense<0x7F800000> : tensor<64xf32>
  %nan = arith.constant dense<0x7FC00000> : tensor<64xf32>
  %lowest = arith.constant dense<0xFF7FFFFF> : tensor<64xf32>
  %nzero = arith.constant dense<-0.0> : tensor<64xf32>
  %denormal = arith.constant dense<1.000000e-40> : tensor<64xf32>
  %tenth32 = arith.constant dense<1.000000e-01> : tensor<64xf32>
  %finite = arith.maximumf %vs, %lowest : tensor<64xf32>
  %8 = arith.minimumf %finite, %inf : tensor<64xf32>
  %9 = arith.cmpf ult, %8, %tenth32 : tensor<64xf32>
  %10 = arith.select %9, %nan, %8 : tensor<64xi1>, tensor<64xf32>
  %11 = arith.addf %10, %nzero : tensor<64xf32>
  %12 = arith.minnumf %11, %denormal : tensor<64xf32>
  %13 = tt.precise_sqrt %12 : tensor<64xf32>
  %14 = tt.precise_divf %13, %tenth32 : tensor<64xf32>
  %15 = arith.divf %14, %vs : tensor<64xf32>
  %16 = tt.fp_to_fp %15, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  %17 = tt.fp_to_fp %16 : tensor<64xf8E5M2> -> tensor<64xf32>
  %18 = tt.fp_to_fp %17, rounding = rtz : tensor<64xf32> -> tensor<64xbf16>
  %19 = arith.extf %18 : tensor<64xbf16> to tensor<64xf32>
  %20 = math.absf %19 : tensor<64xf32>
  %21 = tt.clampf %20, %denormal, %tenth32, propagateNan = all : tensor<64xf32>
  %22 = arith.select %9, %tenth32, %inf : tensor<64xi1>, tensor<64xf32>
  %23 = arith.addf %21, %22 : tensor<64xf32>
  tt.store %qs, %23 : tensor<64x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: def constants(
// CHECK:           tmp0 = tl.maximum(v * 0.1, tl.full([], 1e-310, tl.float64), propagate_nan=tl.PropagateNan.ALL)
// CHECK:           n = tl.fma(tmp0, tl.full([], 0.1, tl.float64), v) * -1.0
// CHECK:           tl.maximum({{.*}}, tl.full([], 0.333251953125, tl.float16))
// CHECK:           tl.where(tmp{{[0-9]+}} < 2.0, tmp{{[0-9]+}}, 2.0)
// Not -3.4028235e+38, which is less than the lowest float32: Triton would take it for a float64.
// CHECK:           tl.maximum(vs, -3.4028234663852886e+38, propagate_nan=tl.PropagateNan.ALL)
// CHECK:           tl.minimum({{.*}}, float("inf"), propagate_nan=tl.PropagateNan.ALL)
// CHECK:           ~({{.*}} >= 0.1)
// CHECK:           float("nan")
// CHECK:           tl.full([], 0.0, tl.float32) * -1.0
// CHECK:           .to(tl.bfloat16, fp_downcast_rounding="rtz")

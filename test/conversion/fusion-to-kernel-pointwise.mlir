// RUN: fusir-opt %s --convert-graph-to-loop --split-input-file | filecheck %s

// Functions of one float that `math` has.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xf32>) -> tensor<4xf32> {
    // CHECK: math.exp %{{.*}} : f32
    %0 = graph.exp %x_ : tensor<4xf32>
    // CHECK: math.exp2 %{{.*}} : f32
    %1 = graph.exp2 %0 : tensor<4xf32>
    // CHECK: math.expm1 %{{.*}} : f32
    %2 = graph.expm1 %1 : tensor<4xf32>
    // CHECK: math.log %{{.*}} : f32
    %3 = graph.log %2 : tensor<4xf32>
    // CHECK: math.log2 %{{.*}} : f32
    %4 = graph.log2 %3 : tensor<4xf32>
    // CHECK: math.log10 %{{.*}} : f32
    %5 = graph.log10 %4 : tensor<4xf32>
    // CHECK: math.log1p %{{.*}} : f32
    %6 = graph.log1p %5 : tensor<4xf32>
    // CHECK: math.sqrt %{{.*}} : f32
    %7 = graph.sqrt %6 : tensor<4xf32>
    // CHECK: math.rsqrt %{{.*}} : f32
    %8 = graph.rsqrt %7 : tensor<4xf32>
    // CHECK: math.sin %{{.*}} : f32
    %9 = graph.sin %8 : tensor<4xf32>
    // CHECK: math.cos %{{.*}} : f32
    %10 = graph.cos %9 : tensor<4xf32>
    // CHECK: math.tan %{{.*}} : f32
    %11 = graph.tan %10 : tensor<4xf32>
    // CHECK: math.asin %{{.*}} : f32
    %12 = graph.asin %11 : tensor<4xf32>
    // CHECK: math.acos %{{.*}} : f32
    %13 = graph.acos %12 : tensor<4xf32>
    // CHECK: math.atan %{{.*}} : f32
    %14 = graph.atan %13 : tensor<4xf32>
    // CHECK: math.sinh %{{.*}} : f32
    %15 = graph.sinh %14 : tensor<4xf32>
    // CHECK: math.cosh %{{.*}} : f32
    %16 = graph.cosh %15 : tensor<4xf32>
    // CHECK: math.tanh %{{.*}} : f32
    %17 = graph.tanh %16 : tensor<4xf32>
    // CHECK: math.asinh %{{.*}} : f32
    %18 = graph.asinh %17 : tensor<4xf32>
    // CHECK: math.acosh %{{.*}} : f32
    %19 = graph.acosh %18 : tensor<4xf32>
    // CHECK: math.atanh %{{.*}} : f32
    %20 = graph.atanh %19 : tensor<4xf32>
    // CHECK: math.erf %{{.*}} : f32
    %21 = graph.erf %20 : tensor<4xf32>
    // CHECK: math.floor %{{.*}} : f32
    %22 = graph.floor %21 : tensor<4xf32>
    // CHECK: math.ceil %{{.*}} : f32
    %23 = graph.ceil %22 : tensor<4xf32>
    // CHECK: math.roundeven %{{.*}} : f32
    %24 = graph.round %23 : tensor<4xf32>
    // CHECK: math.trunc %{{.*}} : f32
    %25 = graph.trunc %24 : tensor<4xf32>
    // CHECK: math.absf %{{.*}} : f32
    %26 = graph.abs %25 : tensor<4xf32>
    graph.yield %26 : tensor<4xf32>
  }
  return %r0 : tensor<4xf32>
}

// -----

// Functions of one float that are made of others.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xf32>) -> tensor<4xf32> {
    // CHECK: arith.negf
    %0 = graph.neg %x_ : tensor<4xf32>
    // CHECK: arith.cmpf olt
    // CHECK: arith.cmpf ogt
    // CHECK: arith.select
    // CHECK: arith.select
    %1 = graph.sign %0 : tensor<4xf32>
    // CHECK: arith.divf
    %2 = graph.reciprocal %1 : tensor<4xf32>
    // CHECK: arith.negf
    // CHECK: math.exp
    // CHECK: arith.addf
    // CHECK: arith.divf
    %3 = graph.sigmoid %2 : tensor<4xf32>
    // CHECK: arith.maximumf
    %4 = graph.relu %3 : tensor<4xf32>
    // CHECK: loop.libm "erfc"(%{{.*}}) : (f32) -> f32
    %5 = graph.erfc %4 : tensor<4xf32>
    graph.yield %5 : tensor<4xf32>
  }
  return %r0 : tensor<4xf32>
}

// -----

// Two floats.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xf32>, %y_ = %y : tensor<4xf32>) -> tensor<4xf32> {
    // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
    %0 = graph.add %x_, %y_ : tensor<4xf32>
    // CHECK: arith.subf %{{.*}}, %{{.*}} : f32
    %1 = graph.sub %0, %y_ : tensor<4xf32>
    // CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
    %2 = graph.mul %1, %y_ : tensor<4xf32>
    // CHECK: arith.divf %{{.*}}, %{{.*}} : f32
    %3 = graph.div %2, %y_ : tensor<4xf32>
    // CHECK: math.powf %{{.*}}, %{{.*}} : f32
    %4 = graph.pow %3, %y_ : tensor<4xf32>
    // CHECK: math.atan2 %{{.*}}, %{{.*}} : f32
    %5 = graph.atan2 %4, %y_ : tensor<4xf32>
    // CHECK: arith.maximumf %{{.*}}, %{{.*}} : f32
    %6 = graph.maximum %5, %y_ : tensor<4xf32>
    // CHECK: arith.minimumf %{{.*}}, %{{.*}} : f32
    %7 = graph.minimum %6, %y_ : tensor<4xf32>
    // CHECK: arith.maxnumf %{{.*}}, %{{.*}} : f32
    %8 = graph.fmax %7, %y_ : tensor<4xf32>
    // CHECK: arith.minnumf %{{.*}}, %{{.*}} : f32
    %9 = graph.fmin %8, %y_ : tensor<4xf32>
    // CHECK: loop.libm "fmod"(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
    %10 = graph.rem %9, %y_ : tensor<4xf32>
    graph.yield %10 : tensor<4xf32>
  }
  return %r0 : tensor<4xf32>
}

// -----

// Two signed integers.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xi32>, %y_ = %y : tensor<4xi32>) -> tensor<4xi32> {
    // CHECK: arith.addi %{{.*}}, %{{.*}} : i32
    %0 = graph.add %x_, %y_ : tensor<4xi32>
    // CHECK: arith.subi %{{.*}}, %{{.*}} : i32
    %1 = graph.sub %0, %y_ : tensor<4xi32>
    // CHECK: arith.muli %{{.*}}, %{{.*}} : i32
    %2 = graph.mul %1, %y_ : tensor<4xi32>
    // CHECK: arith.divsi %{{.*}}, %{{.*}} : i32
    %3 = graph.div %2, %y_ : tensor<4xi32>
    // CHECK: arith.remsi %{{.*}}, %{{.*}} : i32
    %4 = graph.rem %3, %y_ : tensor<4xi32>
    // CHECK: arith.maxsi %{{.*}}, %{{.*}} : i32
    %5 = graph.maximum %4, %y_ : tensor<4xi32>
    // CHECK: arith.minsi %{{.*}}, %{{.*}} : i32
    %6 = graph.minimum %5, %y_ : tensor<4xi32>
    // CHECK: arith.andi %{{.*}}, %{{.*}} : i32
    %7 = graph.and %6, %y_ : tensor<4xi32>
    // CHECK: arith.ori %{{.*}}, %{{.*}} : i32
    %8 = graph.or %7, %y_ : tensor<4xi32>
    // CHECK: arith.xori %{{.*}}, %{{.*}} : i32
    %9 = graph.xor %8, %y_ : tensor<4xi32>
    // CHECK: arith.shli %{{.*}}, %{{.*}} : i32
    %10 = graph.shl %9, %y_ : tensor<4xi32>
    // CHECK: arith.shrsi %{{.*}}, %{{.*}} : i32
    %11 = graph.shr %10, %y_ : tensor<4xi32>
    graph.yield %11 : tensor<4xi32>
  }
  return %r0 : tensor<4xi32>
}

// -----

// Unsigned integers are signless bytes in a kernel; the ops are unsigned.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xui8>, %y_ = %y : tensor<4xui8>) -> tensor<4xui8> {
    // CHECK: arith.divui %{{.*}}, %{{.*}} : i8
    %0 = graph.div %x_, %y_ : tensor<4xui8>
    // CHECK: arith.remui %{{.*}}, %{{.*}} : i8
    %1 = graph.rem %0, %y_ : tensor<4xui8>
    // CHECK: arith.maxui %{{.*}}, %{{.*}} : i8
    %2 = graph.maximum %1, %y_ : tensor<4xui8>
    // CHECK: arith.minui %{{.*}}, %{{.*}} : i8
    %3 = graph.minimum %2, %y_ : tensor<4xui8>
    // CHECK: arith.shrui %{{.*}}, %{{.*}} : i8
    %4 = graph.shr %3, %y_ : tensor<4xui8>
    graph.yield %4 : tensor<4xui8>
  }
  return %r0 : tensor<4xui8>
}

// -----

// One integer.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xi32>) -> tensor<4xi32> {
    // CHECK: arith.subi
    %0 = graph.neg %x_ : tensor<4xi32>
    // CHECK: math.absi
    %1 = graph.abs %0 : tensor<4xi32>
    // CHECK: arith.cmpi slt
    // CHECK: arith.cmpi sgt
    %2 = graph.sign %1 : tensor<4xi32>
    // CHECK: arith.maxsi
    %3 = graph.relu %2 : tensor<4xi32>
    // CHECK: arith.xori
    %4 = graph.not %3 : tensor<4xi32>
    graph.yield %4 : tensor<4xi32>
  }
  return %r0 : tensor<4xi32>
}

// -----

// One unsigned integer: the absolute value and relu change nothing.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xui8>) -> tensor<4xui8> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xui8>) -> tensor<4xui8> {
    // CHECK-NOT: arith.max
    // CHECK-NOT: math.absi
    %0 = graph.abs %x_ : tensor<4xui8>
    %1 = graph.relu %0 : tensor<4xui8>
    // CHECK: arith.cmpi ne
    // CHECK: arith.select
    %2 = graph.sign %1 : tensor<4xui8>
    graph.yield %2 : tensor<4xui8>
  }
  return %r0 : tensor<4xui8>
}

// -----

// Comparisons by element type; NaN makes all but `ne` false.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xf32>, %i: tensor<4xi32>, %u: tensor<4xui8>) -> tensor<4xf32> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xf32>, %i_ = %i : tensor<4xi32>, %u_ = %u : tensor<4xui8>) -> tensor<4xf32> {
    // CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
    %feq = graph.compare eq %x_, %x_ : tensor<4xf32>
    // CHECK: arith.cmpf une, %{{.*}}, %{{.*}} : f32
    %fne = graph.compare ne %x_, %x_ : tensor<4xf32>
    // CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
    %flt = graph.compare lt %x_, %x_ : tensor<4xf32>
    // CHECK: arith.cmpf ole, %{{.*}}, %{{.*}} : f32
    %fle = graph.compare le %x_, %x_ : tensor<4xf32>
    // CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : f32
    %fgt = graph.compare gt %x_, %x_ : tensor<4xf32>
    // CHECK: arith.cmpf oge, %{{.*}}, %{{.*}} : f32
    %fge = graph.compare ge %x_, %x_ : tensor<4xf32>
    // CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : i32
    %seq = graph.compare eq %i_, %i_ : tensor<4xi32>
    // CHECK: arith.cmpi slt, %{{.*}}, %{{.*}} : i32
    %slt = graph.compare lt %i_, %i_ : tensor<4xi32>
    // CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : i32
    %sge = graph.compare ge %i_, %i_ : tensor<4xi32>
    // CHECK: arith.cmpi ne, %{{.*}}, %{{.*}} : i8
    %une = graph.compare ne %u_, %u_ : tensor<4xui8>
    // CHECK: arith.cmpi ule, %{{.*}}, %{{.*}} : i8
    %ule = graph.compare le %u_, %u_ : tensor<4xui8>
    // CHECK: arith.cmpi ugt, %{{.*}}, %{{.*}} : i8
    %ugt = graph.compare gt %u_, %u_ : tensor<4xui8>
    // CHECK: arith.cmpi ugt, %{{.*}}, %{{.*}} : i1
    %bgt = graph.compare gt %feq, %fne : tensor<4xi1>
    // CHECK: arith.cmpf uno
    %nan = graph.isnan %x_ : tensor<4xf32>
    // CHECK: math.absf
    // CHECK: arith.cmpf oeq
    %inf = graph.isinf %x_ : tensor<4xf32>
    // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
    %sel = graph.select %nan, %x_, %x_ : tensor<4xf32>
    graph.yield %sel : tensor<4xf32>
  }
  return %r0 : tensor<4xf32>
}

// -----

// Conversions. A float goes to an unsigned integer through a wide signed one.

// CHECK-LABEL: loop.kernel
func.func @main(%x: tensor<4xf32>) -> tensor<4xi32> {
  %r0 = graph.fusion (%x_ = %x : tensor<4xf32>) -> tensor<4xi32> {
    // CHECK: arith.truncf %{{.*}} : f32 to f16
    %a = graph.convert %x_ : tensor<4xf32> -> tensor<4xf16>
    // CHECK: arith.extf %{{.*}} : f16 to f32
    // CHECK: arith.truncf %{{.*}} : f32 to bf16
    %b = graph.convert %a : tensor<4xf16> -> tensor<4xbf16>
    // CHECK: arith.extf %{{.*}} : bf16 to f32
    %c = graph.convert %b : tensor<4xbf16> -> tensor<4xf32>
    // CHECK: arith.fptosi %{{.*}} : f32 to i32
    %d = graph.convert %c : tensor<4xf32> -> tensor<4xi32>
    // CHECK: arith.fptosi %{{.*}} : f32 to i64
    // CHECK: arith.trunci %{{.*}} : i64 to i8
    %e = graph.convert %c : tensor<4xf32> -> tensor<4xui8>
    // CHECK: arith.cmpf une
    %f = graph.convert %c : tensor<4xf32> -> tensor<4xi1>
    // CHECK: arith.cmpi ne
    %g = graph.convert %d : tensor<4xi32> -> tensor<4xi1>
    // CHECK: arith.extsi %{{.*}} : i32 to i64
    %h = graph.convert %d : tensor<4xi32> -> tensor<4xi64>
    // CHECK: arith.extui %{{.*}} : i8 to i64
    %i = graph.convert %e : tensor<4xui8> -> tensor<4xi64>
    // CHECK: arith.extui %{{.*}} : i1 to i64
    %j = graph.convert %g : tensor<4xi1> -> tensor<4xi64>
    // CHECK: arith.trunci %{{.*}} : i64 to i32
    %k = graph.convert %h : tensor<4xi64> -> tensor<4xi32>
    // CHECK: arith.sitofp %{{.*}} : i64 to f32
    %l = graph.convert %h : tensor<4xi64> -> tensor<4xf32>
    // CHECK: arith.uitofp %{{.*}} : i8 to f32
    %m = graph.convert %e : tensor<4xui8> -> tensor<4xf32>
    // CHECK: arith.uitofp %{{.*}} : i1 to f32
    %n = graph.convert %g : tensor<4xi1> -> tensor<4xf32>
    // CHECK: arith.bitcast %{{.*}} : f32 to i32
    %o = graph.bitcast %x_ : tensor<4xf32> -> tensor<4xi32>
    graph.yield %o : tensor<4xi32>
  }
  return %r0 : tensor<4xi32>
}

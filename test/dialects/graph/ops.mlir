// RUN: fusir-opt %s | filecheck %s
// RUN: fusir-opt %s --print-op-generic | fusir-opt | filecheck %s
// RUN: fusir-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @unary(
func.func @unary(%x: tensor<4x8xf32>, %i: tensor<4xi64>, %b: tensor<4xi1>) {
  // CHECK: graph.neg %x : tensor<4x8xf32>
  // GENERIC: "graph.neg"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = graph.neg %x : tensor<4x8xf32>
  // CHECK-NEXT: graph.neg %i : tensor<4xi64>
  %1 = graph.neg %i : tensor<4xi64>
  // CHECK-NEXT: graph.not %b : tensor<4xi1>
  %2 = graph.not %b : tensor<4xi1>
  // CHECK-NEXT: graph.exp %x : tensor<4x8xf32>
  %3 = graph.exp %x : tensor<4x8xf32>
  // CHECK-NEXT: graph.relu %x {note = 1 : i64} : tensor<4x8xf32>
  %4 = graph.relu %x {note = 1 : i64} : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @all_unary(
func.func @all_unary(%x: tensor<4xf32>) {
  // CHECK: graph.abs %x : tensor<4xf32>
  // CHECK-NEXT: graph.sign %x
  // CHECK-NEXT: graph.exp2 %x
  // CHECK-NEXT: graph.expm1 %x
  // CHECK-NEXT: graph.log %x
  // CHECK-NEXT: graph.log2 %x
  // CHECK-NEXT: graph.log10 %x
  // CHECK-NEXT: graph.log1p %x
  // CHECK-NEXT: graph.sqrt %x
  // CHECK-NEXT: graph.rsqrt %x
  // CHECK-NEXT: graph.reciprocal %x
  // CHECK-NEXT: graph.sin %x
  // CHECK-NEXT: graph.cos %x
  // CHECK-NEXT: graph.tan %x
  // CHECK-NEXT: graph.asin %x
  // CHECK-NEXT: graph.acos %x
  // CHECK-NEXT: graph.atan %x
  // CHECK-NEXT: graph.sinh %x
  // CHECK-NEXT: graph.cosh %x
  // CHECK-NEXT: graph.tanh %x
  // CHECK-NEXT: graph.asinh %x
  // CHECK-NEXT: graph.acosh %x
  // CHECK-NEXT: graph.atanh %x
  // CHECK-NEXT: graph.erf %x
  // CHECK-NEXT: graph.erfc %x
  // CHECK-NEXT: graph.sigmoid %x
  // CHECK-NEXT: graph.floor %x
  // CHECK-NEXT: graph.ceil %x
  // CHECK-NEXT: graph.round %x
  // CHECK-NEXT: graph.trunc %x
  %0 = graph.abs %x : tensor<4xf32>
  %1 = graph.sign %x : tensor<4xf32>
  %2 = graph.exp2 %x : tensor<4xf32>
  %3 = graph.expm1 %x : tensor<4xf32>
  %4 = graph.log %x : tensor<4xf32>
  %5 = graph.log2 %x : tensor<4xf32>
  %6 = graph.log10 %x : tensor<4xf32>
  %7 = graph.log1p %x : tensor<4xf32>
  %8 = graph.sqrt %x : tensor<4xf32>
  %9 = graph.rsqrt %x : tensor<4xf32>
  %10 = graph.reciprocal %x : tensor<4xf32>
  %11 = graph.sin %x : tensor<4xf32>
  %12 = graph.cos %x : tensor<4xf32>
  %13 = graph.tan %x : tensor<4xf32>
  %14 = graph.asin %x : tensor<4xf32>
  %15 = graph.acos %x : tensor<4xf32>
  %16 = graph.atan %x : tensor<4xf32>
  %17 = graph.sinh %x : tensor<4xf32>
  %18 = graph.cosh %x : tensor<4xf32>
  %19 = graph.tanh %x : tensor<4xf32>
  %20 = graph.asinh %x : tensor<4xf32>
  %21 = graph.acosh %x : tensor<4xf32>
  %22 = graph.atanh %x : tensor<4xf32>
  %23 = graph.erf %x : tensor<4xf32>
  %24 = graph.erfc %x : tensor<4xf32>
  %25 = graph.sigmoid %x : tensor<4xf32>
  %26 = graph.floor %x : tensor<4xf32>
  %27 = graph.ceil %x : tensor<4xf32>
  %28 = graph.round %x : tensor<4xf32>
  %29 = graph.trunc %x : tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @binary(
func.func @binary(%x: tensor<4xbf16>, %y: tensor<4xbf16>, %i: tensor<ui8>, %b: tensor<4xi1>) {
  // CHECK: graph.add %x, %y : tensor<4xbf16>
  // CHECK-NEXT: graph.sub %x, %y
  // CHECK-NEXT: graph.mul %x, %y
  // CHECK-NEXT: graph.div %x, %y
  // CHECK-NEXT: graph.floor_div %x, %y
  // CHECK-NEXT: graph.rem %x, %y
  // CHECK-NEXT: graph.mod %x, %y
  // CHECK-NEXT: graph.pow %x, %y
  // CHECK-NEXT: graph.atan2 %x, %y
  // CHECK-NEXT: graph.maximum %x, %y
  // CHECK-NEXT: graph.minimum %x, %y
  // CHECK-NEXT: graph.fmax %x, %y
  // CHECK-NEXT: graph.fmin %x, %y
  // CHECK-NEXT: graph.and %b, %b : tensor<4xi1>
  // CHECK-NEXT: graph.or %b, %b
  // CHECK-NEXT: graph.xor %b, %b
  // CHECK-NEXT: graph.shl %i, %i : tensor<ui8>
  // CHECK-NEXT: graph.shr %i, %i
  %0 = graph.add %x, %y : tensor<4xbf16>
  %1 = graph.sub %x, %y : tensor<4xbf16>
  %2 = graph.mul %x, %y : tensor<4xbf16>
  %3 = graph.div %x, %y : tensor<4xbf16>
  %4 = graph.floor_div %x, %y : tensor<4xbf16>
  %5 = graph.rem %x, %y : tensor<4xbf16>
  %6 = graph.mod %x, %y : tensor<4xbf16>
  %7 = graph.pow %x, %y : tensor<4xbf16>
  %8 = graph.atan2 %x, %y : tensor<4xbf16>
  %9 = graph.maximum %x, %y : tensor<4xbf16>
  %10 = graph.minimum %x, %y : tensor<4xbf16>
  %11 = graph.fmax %x, %y : tensor<4xbf16>
  %12 = graph.fmin %x, %y : tensor<4xbf16>
  %13 = graph.and %b, %b : tensor<4xi1>
  %14 = graph.or %b, %b : tensor<4xi1>
  %15 = graph.xor %b, %b : tensor<4xi1>
  %16 = graph.shl %i, %i : tensor<ui8>
  %17 = graph.shr %i, %i : tensor<ui8>
  return
}

// CHECK-LABEL: func.func @other_pointwise(
func.func @other_pointwise(%x: tensor<4xf16>, %y: tensor<4xf16>, %i: tensor<4xi16>) {
  // CHECK: %{{.*}} = graph.compare lt %x, %y : tensor<4xf16>
  // GENERIC: "graph.compare"(%x, %y) <{predicate = #graph<predicate lt>}> : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
  %0 = graph.compare lt %x, %y : tensor<4xf16>
  // CHECK-NEXT: graph.select %0, %x, %y : tensor<4xf16>
  %1 = graph.select %0, %x, %y : tensor<4xf16>
  // CHECK-NEXT: graph.isnan %x : tensor<4xf16>
  %2 = graph.isnan %x : tensor<4xf16>
  // CHECK-NEXT: graph.isinf %x : tensor<4xf16>
  %3 = graph.isinf %x : tensor<4xf16>
  // CHECK-NEXT: graph.or %2, %3 : tensor<4xi1>
  %4 = graph.or %2, %3 : tensor<4xi1>
  // CHECK-NEXT: graph.convert %x : tensor<4xf16> -> tensor<4xf32>
  %5 = graph.convert %x : tensor<4xf16> -> tensor<4xf32>
  // CHECK-NEXT: graph.bitcast %x : tensor<4xf16> -> tensor<4xi16>
  %6 = graph.bitcast %x : tensor<4xf16> -> tensor<4xi16>
  return
}

// CHECK-LABEL: func.func @creation(
func.func @creation(%seed: tensor<i64>) {
  // CHECK: graph.full 2.0 : tensor<4xf32>
  // GENERIC: "graph.full"() <{value = 2.000000e+00 : f32}> : () -> tensor<4xf32>
  %0 = graph.full 2.0 : tensor<4xf32>
  // CHECK-NEXT: graph.full 0.1 : tensor<4xf32>
  %1 = graph.full 0.1 : tensor<4xf32>
  // CHECK-NEXT: graph.full 0.100098 : tensor<4xbf16>
  %2 = graph.full 0.1000976562 : tensor<4xbf16>
  // CHECK-NEXT: graph.full -inf : tensor<4xf16>
  %3 = graph.full -inf : tensor<4xf16>
  // CHECK-NEXT: graph.full inf : tensor<4xf64>
  %4 = graph.full inf : tensor<4xf64>
  // CHECK-NEXT: graph.full nan : tensor<4xf32>
  %5 = graph.full nan : tensor<4xf32>
  // CHECK-NEXT: graph.full -0.0 : tensor<f32>
  %6 = graph.full -0.0 : tensor<f32>
  // CHECK-NEXT: graph.full 1.0e-07 : tensor<f64>
  %7 = graph.full 1.0e-7 : tensor<f64>
  // CHECK-NEXT: graph.full 0.30000000000000004 : tensor<f64>
  %8 = graph.full 0.30000000000000004 : tensor<f64>
  // CHECK-NEXT: graph.full -9223372036854775808 : tensor<i64>
  %9 = graph.full -9223372036854775808 : tensor<i64>
  // CHECK-NEXT: graph.full 255 : tensor<ui8>
  %10 = graph.full 255 : tensor<ui8>
  // CHECK-NEXT: graph.full true : tensor<2xi1>
  %11 = graph.full true : tensor<2xi1>
  // CHECK-NEXT: graph.full false : tensor<2xi1>
  %12 = graph.full false : tensor<2xi1>
  // CHECK-NEXT: graph.constant dense<[1, 2]> : tensor<2xi64>
  %13 = graph.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK-NEXT: graph.iota dim 1 : tensor<4x8xi64>
  %14 = graph.iota dim 1 : tensor<4x8xi64>
  // CHECK-NEXT: graph.random uniform %seed offset 7 : tensor<i64> -> tensor<4x8xf32>
  %15 = graph.random uniform %seed offset 7 : tensor<i64> -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @shape(
func.func @shape(%x: tensor<4x8xf32>, %c: tensor<8xcomplex<f32>>, %q: tensor<2x4xf8E4M3FN>) {
  // CHECK: graph.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  %0 = graph.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK-NEXT: graph.permute %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %1 = graph.permute %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  // CHECK-NEXT: graph.broadcast %c dims [1] : tensor<8xcomplex<f32>> -> tensor<4x8xcomplex<f32>>
  %2 = graph.broadcast %c dims [1] : tensor<8xcomplex<f32>> -> tensor<4x8xcomplex<f32>>
  // CHECK-NEXT: graph.slice %x starts [0, 4] steps [1, 2] : tensor<4x8xf32> -> tensor<4x2xf32>
  %3 = graph.slice %x starts [0, 4] steps [1, 2] : tensor<4x8xf32> -> tensor<4x2xf32>
  // CHECK-NEXT: graph.reverse %x dims [1] : tensor<4x8xf32>
  %4 = graph.reverse %x dims [1] : tensor<4x8xf32>
  // CHECK-NEXT: graph.pad %x low [0, 1] high [2, 0] value 0.0 : tensor<4x8xf32> -> tensor<6x9xf32>
  %5 = graph.pad %x low [0, 1] high [2, 0] value 0.0 : tensor<4x8xf32> -> tensor<6x9xf32>
  // CHECK-NEXT: graph.concat %x, %3 dim 1 : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  %6 = graph.concat %x, %3 dim 1 : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  // CHECK-NEXT: graph.permute %q dims [1, 0] : tensor<2x4xf8E4M3FN> -> tensor<4x2xf8E4M3FN>
  %7 = graph.permute %q dims [1, 0] : tensor<2x4xf8E4M3FN> -> tensor<4x2xf8E4M3FN>
  return
}

// CHECK-LABEL: func.func @symbolic(
// CHECK-SAME: graph.symbol = #graph.symbol<0, min = 2, max = 4096, divisor = 16>
// CHECK-SAME: tensor<?x4xf32, #graph.dims<[s0, 4]>>
func.func @symbolic(%s0: index {graph.symbol = #graph.symbol<0, min = 2, max = 4096, divisor = 16>},
                    %s1: index {graph.symbol = #graph.symbol<1, min = 0>},
                    %x: tensor<?x4xf32, #graph.dims<[s0, 4]>>) {
  // CHECK: graph.reshape %x : tensor<?x4xf32, #graph.dims<[s0, 4]>> -> tensor<?xf32, #graph.dims<[s0 * 4]>>
  %0 = graph.reshape %x : tensor<?x4xf32, #graph.dims<[s0, 4]>> -> tensor<?xf32, #graph.dims<[s0 * 4]>>
  // CHECK-NEXT: graph.slice %x starts [s1, 0] steps [1, 1] : {{.*}} -> tensor<?x4xf32, #graph.dims<[s0 + s1 * -1, 4]>>
  %1 = graph.slice %x starts [s1, 0] steps [1, 1] : tensor<?x4xf32, #graph.dims<[s0, 4]>> -> tensor<?x4xf32, #graph.dims<[s0 - s1, 4]>>
  // CHECK-NEXT: graph.concat %x, %x dim 0 : {{.*}} -> tensor<?x4xf32, #graph.dims<[s0 * 2, 4]>>
  %2 = graph.concat %x, %x dim 0 : (tensor<?x4xf32, #graph.dims<[s0, 4]>>, tensor<?x4xf32, #graph.dims<[s0, 4]>>) -> tensor<?x4xf32, #graph.dims<[s0 * 2, 4]>>
  // CHECK-NEXT: graph.pad %x low [s1, 0] high [0, 0] value 1.5 : {{.*}} -> tensor<?x4xf32, #graph.dims<[s0 + s1, 4]>>
  %3 = graph.pad %x low [s1, 0] high [0, 0] value 1.5 : tensor<?x4xf32, #graph.dims<[s0, 4]>> -> tensor<?x4xf32, #graph.dims<[s0 + s1, 4]>>
  // CHECK-NEXT: graph.full 1.0 : tensor<?x?xf32, #graph.dims<[(s0 + 1) floordiv 2, s0 * s1]>>
  %4 = graph.full 1.0 : tensor<?x?xf32, #graph.dims<[(s0 + 1) floordiv 2, s0 * s1]>>
  return
}

// CHECK-LABEL: func.func @indexing(
func.func @indexing(%x: tensor<4x8x16xf32>, %i: tensor<5xi64>, %a: tensor<2x4x8xf32>, %b: tensor<2x8x5xf32>) {
  // CHECK: graph.gather %x[%i, %i] dims [0, 2] : (tensor<4x8x16xf32>, tensor<5xi64>, tensor<5xi64>) -> tensor<5x8xf32>
  %0 = graph.gather %x[%i, %i] dims [0, 2] : (tensor<4x8x16xf32>, tensor<5xi64>, tensor<5xi64>) -> tensor<5x8xf32>
  // CHECK-NEXT: graph.reduce sum %x dims [1] : tensor<4x8x16xf32> -> tensor<4x16xf32>
  %1 = graph.reduce sum %x dims [1] : tensor<4x8x16xf32> -> tensor<4x16xf32>
  // CHECK-NEXT: graph.reduce argmax %x dims [0, 1, 2] : tensor<4x8x16xf32> -> tensor<i64>
  %2 = graph.reduce argmax %x dims [0, 1, 2] : tensor<4x8x16xf32> -> tensor<i64>
  // CHECK-NEXT: graph.reduce logsumexp %x dims [2] : tensor<4x8x16xf32> -> tensor<4x8xf32>
  %exponentials = graph.reduce logsumexp %x dims [2] : tensor<4x8x16xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: graph.scan max %x dim 1 : tensor<4x8x16xf32>
  %3 = graph.scan max %x dim 1 : tensor<4x8x16xf32>
  // CHECK-NEXT: graph.scan sum %x dim 2 reverse : tensor<4x8x16xf32>
  %suffixes = graph.scan sum %x dim 2 reverse : tensor<4x8x16xf32>
  // CHECK-NEXT: graph.scan argmin %x dim 0 reverse : tensor<4x8x16xf32> -> tensor<4x8x16xi64>
  %positions = graph.scan argmin %x dim 0 reverse : tensor<4x8x16xf32> -> tensor<4x8x16xi64>
  // CHECK-NEXT: graph.scan logsumexp %x dim 0 {fusir.note} : tensor<4x8x16xf32>
  %logarithms = graph.scan logsumexp %x dim 0 {fusir.note} : tensor<4x8x16xf32>
  // CHECK-NEXT: graph.contract %a, %b batch [0], [0] contract [2], [1] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  %4 = graph.contract %a, %b batch [0], [0] contract [2], [1] : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  // CHECK-NEXT: graph.contract %a, %b batch [0], [0] contract [2], [1] precision bf16x6 : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  %pieces = graph.contract %a, %b batch [0], [0] contract [2], [1] precision bf16x6 : (tensor<2x4x8xf32>, tensor<2x8x5xf32>) -> tensor<2x4x5xf32>
  return
}

// CHECK-LABEL: func.func @fusion(
func.func @fusion(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %0 = graph.fusion (%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %{{.*}} = graph.add %a, %b : tensor<4xf32>
  // CHECK-NEXT: graph.yield %{{.*}} : tensor<4xf32>
  // CHECK-NEXT: }
  %0 = graph.fusion (%a = %x : tensor<4xf32>, %b = %y : tensor<4xf32>) -> tensor<4xf32> {
    %1 = graph.add %a, %b : tensor<4xf32>
    graph.yield %1 : tensor<4xf32>
  }
  // CHECK: %1, %2 = graph.fusion (%a = %x : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {note} {
  %1, %2 = graph.fusion (%a = %x : tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {note} {
    %3 = graph.sin %a : tensor<4xf32>
    %4 = graph.cos %a : tensor<4xf32>
    // CHECK: graph.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>
    graph.yield %3, %4 : tensor<4xf32>, tensor<4xf32>
  }
  // CHECK: graph.fusion () -> () {
  // CHECK-NEXT: graph.yield
  graph.fusion () -> () {
    graph.yield
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @call_aten(
func.func @call_aten(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) {
  // CHECK: graph.call_aten "aten.mm.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %0 = graph.call_aten "aten.mm.default"(%x, %w) {args = [#graph.operand<0>, #graph.operand<1>]} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  // CHECK-NEXT: graph.call_aten "aten.topk.default"(%x) {args = [#graph.operand<0>, #graph.sym<s0 * 2>, -1 : i64], kwargs = {dtype = #graph.torch<"bfloat16">, note = #graph.none, sizes = [1 : i64, [2.500000e+00 : f64, true, "a"]]}, pure = false, result_strides = [#graph.dims<[1, 4]>, #graph.dims<[1, 4]>], operand_strides = [#graph.dims<[8, 1]>]} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  %1, %2 = graph.call_aten "aten.topk.default"(%x) {args = [#graph.operand<0>, #graph.sym<s0 * 2>, -1 : i64], kwargs = {dtype = #graph.torch<"bfloat16">, note = #graph.none, sizes = [1 : i64, [2.5 : f64, true, "a"]]}, pure = false, result_strides = [#graph.dims<[1, 4]>, #graph.dims<[1, 4]>], operand_strides = [#graph.dims<[8, 1]>]} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  // CHECK-NEXT: graph.call_aten "c10d.barrier.default"() {pure = false} : () -> ()
  graph.call_aten "c10d.barrier.default"() {pure = false} : () -> ()
  return
}

// CHECK-LABEL: func.func @float8(
func.func @float8(%x: tensor<4x8xf8E4M3FN>, %y: tensor<8x5xf8E4M3FN>, %z: tensor<4xf16>) {
  // CHECK-NEXT: graph.contract %x, %y batch [], [] contract [1], [0] : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>) -> tensor<4x5xf32>
  %0 = graph.contract %x, %y batch [], [] contract [1], [0] : (tensor<4x8xf8E4M3FN>, tensor<8x5xf8E4M3FN>) -> tensor<4x5xf32>
  // CHECK-NEXT: graph.convert %z : tensor<4xf16> -> tensor<4xf8E5M2>
  %1 = graph.convert %z : tensor<4xf16> -> tensor<4xf8E5M2>
  // CHECK-NEXT: graph.fusion (%a = %1 : tensor<4xf8E5M2>) -> tensor<4xf32> {
  %2 = graph.fusion (%a = %1 : tensor<4xf8E5M2>) -> tensor<4xf32> {
    %3 = graph.convert %a : tensor<4xf8E5M2> -> tensor<4xf32>
    graph.yield %3 : tensor<4xf32>
  }
  return
}

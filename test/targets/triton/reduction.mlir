// RUN: fusir-opt %s -t triton | filecheck %s

// Persistent reductions: `tl.sum` and `tl.max` where they are the same, helper functions where they are not.

tt.func public @rows(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %where: !tt.ptr<i64>) attributes {fusir.constexprs = {RBLOCK = 1024 : i64}} {
  %row = tt.get_program_id x : i32
  %c1000 = arith.constant 1000 : i32
  %r = tt.make_range {end = 1024 : i32, start = 0 : i32, fusir.name = "RBLOCK"} : tensor<1024xi32>
  %n = arith.constant dense<1000> : tensor<1024xi32>
  %mask = arith.cmpi slt, %r, %n : tensor<1024xi32>
  %start = arith.muli %row, %c1000 : i32
  %0 = tt.splat %start : i32 -> tensor<1024xi32>
  %1 = arith.addi %0, %r : tensor<1024xi32>
  %2 = tt.splat %x : !tt.ptr<f32> -> tensor<1024x!tt.ptr<f32>>
  %3 = tt.addptr %2, %1 : tensor<1024x!tt.ptr<f32>>, tensor<1024xi32>
  %low = arith.constant dense<0xFF800000> : tensor<1024xf32>
  %v = tt.load %3, %mask, %low : tensor<1024x!tt.ptr<f32>>
  %nanmax = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<1024xf32>) -> f32
  %max = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %m = arith.maxnumf %a, %b : f32
    tt.reduce.return %m : f32
  }) : (tensor<1024xf32>) -> f32
  %4 = tt.splat %nanmax : f32 -> tensor<1024xf32>
  %5 = arith.subf %v, %4 : tensor<1024xf32>
  %6 = math.exp %5 : tensor<1024xf32>
  %zero = arith.constant dense<0.0> : tensor<1024xf32>
  %7 = arith.select %mask, %6, %zero : tensor<1024xi1>, tensor<1024xf32>
  %sum = "tt.reduce"(%7) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    tt.reduce.return %s : f32
  }) : (tensor<1024xf32>) -> f32
  // argmax: NaN first, then the greatest, then the smaller index.
  %i64 = arith.extsi %r : tensor<1024xi32> to tensor<1024xi64>
  %best:2 = "tt.reduce"(%v, %i64) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %i: i64, %b: f32, %j: i64):
    %gt = arith.cmpf ogt, %a, %b : f32
    %an = arith.cmpf une, %a, %a : f32
    %bn = arith.cmpf une, %b, %b : f32
        %true = arith.constant true
    %bok = arith.xori %bn, %true : i1
    %first = arith.andi %an, %bok : i1
    %better = arith.ori %gt, %first : i1
    %eq = arith.cmpf oeq, %a, %b : f32
    %both = arith.andi %an, %bn : i1
    %tie = arith.ori %eq, %both : i1
    %less = arith.cmpi slt, %i, %j : i64
    %tieless = arith.andi %tie, %less : i1
    %take = arith.ori %better, %tieless : i1
    %value = arith.select %take, %a, %b : f32
    %index = arith.select %take, %i, %j : i64
    tt.reduce.return %value, %index : f32, i64
  }) : (tensor<1024xf32>, tensor<1024xi64>) -> (f32, i64)
  %8 = tt.addptr %out, %row : !tt.ptr<f32>, i32
  %9 = arith.addf %sum, %max : f32
  %10 = arith.divf %9, %best#0 : f32
  tt.store %8, %10 : !tt.ptr<f32>
  %11 = tt.addptr %where, %row : !tt.ptr<i64>, i32
  tt.store %11, %best#1 : !tt.ptr<i64>
  tt.return
}

// The same helper function serves both kernels.
tt.func public @columns(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %j = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %i1 = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %j1 = tt.expand_dims %j {axis = 0 : i32} : tensor<8xi32> -> tensor<1x8xi32>
  %eight = arith.constant dense<8> : tensor<16x1xi32>
  %i8 = arith.muli %i1, %eight : tensor<16x1xi32>
  %i2 = tt.broadcast %i8 : tensor<16x1xi32> -> tensor<16x8xi32>
  %j2 = tt.broadcast %j1 : tensor<1x8xi32> -> tensor<16x8xi32>
  %o = arith.addi %i2, %j2 : tensor<16x8xi32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<16x8x!tt.ptr<f32>>
  %q = tt.addptr %p, %o : tensor<16x8x!tt.ptr<f32>>, tensor<16x8xi32>
  %v = tt.load %q : tensor<16x8x!tt.ptr<f32>>
  %m = "tt.reduce"(%v) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    tt.reduce.return %0 : f32
  }) : (tensor<16x8xf32>) -> tensor<8xf32>
  %s = "tt.scan"(%m) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %b : f32
    tt.scan.return %0 : f32
  }) : (tensor<8xf32>) -> tensor<8xf32>
  %po = tt.splat %out : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %qo = tt.addptr %po, %j : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  tt.store %qo, %s : tensor<8x!tt.ptr<f32>>
  tt.return
}

// CHECK:      def _maximum_with_nan(a, b):
// CHECK-NEXT:     return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
// CHECK:      def _argmax(a0, a1, b0, b1):
// CHECK:          an = a0 != a0
// CHECK:          return tl.where(take, a0, b0), tl.where(take, a1, b1)
// CHECK:      def _multiply(a, b):
// CHECK:      def rows(x_ptr, out_ptr, where_ptr, RBLOCK: tl.constexpr):
// CHECK:          v = tl.load(x_ptr + ({{.*}}), mask=mask, other=float("-inf"))
// CHECK-NEXT:     nanmax = tl.reduce(v, 0, _maximum_with_nan)
// CHECK-NEXT:     max_1 = tl.max(v, 0)
// CHECK-NEXT:     sum_1 = tl.sum(tl.where(mask, tl.exp(v - nanmax), 0.0), 0)
// CHECK:          best, best_1 = tl.reduce((v, i64), 0, _argmax)
// CHECK:      def columns(x_ptr, out_ptr):
// CHECK:          m = tl.reduce(v, 0, _maximum_with_nan)
// CHECK-NEXT:     s = tl.associative_scan(m, 0, _multiply)

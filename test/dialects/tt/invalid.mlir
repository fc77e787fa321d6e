// RUN: fusir-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

tt.func public @f(%x: !tt.ptr<index>) {
  tt.return
}
// CHECK: the pointee is a float or a signless integer

// -----

tt.func public @f(%x: !tt.ptr<!tt.ptr<f32>>) {
  tt.return
}
// CHECK: !tt.ptr of !tt.ptr<f32>: the pointee is a float or a signless integer

// -----

tt.func public @f(%x: tensor<3xf32>) {
  tt.return
}
// CHECK: tensor<3xf32>: the number of elements must be a power of two, got 3

// -----

tt.func public @f(%x: tensor<?xf32>) {
  tt.return
}
// CHECK: the extents of a tile are static and positive

// -----

tt.func public @f(%x: tensor<2097152xf32>) {
  tt.return
}
// CHECK: 2097152 elements, at most 1048576 are allowed

// -----

tt.func public @f(%x: tensor<4xf32, 1 : i32>) {
  tt.return
}
// CHECK: a tensor of tt has no encoding

// -----

tt.func public @f(%x: tensor<4xindex>) {
  tt.return
}
// CHECK: tensor<4xindex>: a tensor element is a float, a signless integer or a pointer

// -----

tt.func public @f(%x: memref<4xf32>) {
  tt.return
}
// CHECK: memref<4xf32>: expected a float, a signless integer, a pointer or a tensor of these

// -----

tt.func public @f(%x: ui8) {
  tt.return
}
// CHECK: ui8: expected a float, a signless integer, a pointer or a tensor of these

// -----

"tt.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^bb0(%x: i64):
  tt.return
}) : () -> ()
// CHECK: the entry block arguments must have the types of the function's inputs

// -----

"tt.func"() <{sym_name = "f", function_type = (i32) -> (), arg_attrs = []}> ({
^bb0(%x: i32):
  tt.return
}) : () -> ()
// CHECK: one arg_attrs an argument

// -----

tt.func public @f(%x: i32) -> i64 {
  tt.return %x : i32
}
// CHECK: the operands of tt.return must have the result types of the function

// -----

%x = tt.get_program_id w : i32
// CHECK: unknown ProgramIDDim 'w', expected one of x, y, z

// -----

%x = "tt.get_program_id"() <{axis = 3 : i32}> : () -> i32
// CHECK: 3 : i32 is not a ProgramIDDim: expected an i32 of [0, 1, 2]

// -----

%x = tt.make_range {end = 4 : i32, start = 4 : i32} : tensor<4xi32>
// CHECK: start must be below end, got 4 and 4

// -----

%x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi64>
// CHECK: expected an i32 result, got tensor<4xi64>

// -----

%x = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<8xi32>
// CHECK: the range has 4 elements, the result type is tensor<8xi32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.splat %x : tensor<4xf32> -> tensor<4xf32>
  tt.return
}
// CHECK: expected a scalar, got tensor<4xf32>

// -----

tt.func public @f(%x: f32) {
  %0 = tt.splat %x : f32 -> tensor<4xf16>
  tt.return
}
// CHECK: element types differ: f32 and tensor<4xf16>

// -----

tt.func public @f(%x: tensor<2xf32>) {
  %0 = tt.unsplat %x : tensor<2xf32>
  tt.return
}
// CHECK: expected a tensor of one element, got tensor<2xf32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.expand_dims %x {axis = 2 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  tt.return
}
// CHECK: axis 2 is out of range for tensor<4xf32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.expand_dims %x {axis = 0 : i32} : tensor<4xf32> -> tensor<4x1xf32>
  tt.return
}
// CHECK: expanding tensor<4xf32> at axis 0 does not give tensor<4x1xf32>

// -----

tt.func public @f(%x: tensor<4x1xf32>) {
  %0 = tt.broadcast %x : tensor<4x1xf32> -> tensor<8x8xf32>
  tt.return
}
// CHECK: cannot broadcast tensor<4x1xf32> to tensor<8x8xf32>: 4 to 8

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.broadcast %x : tensor<4xf32> -> tensor<4x8xf32>
  tt.return
}
// CHECK: cannot broadcast tensor<4xf32> to tensor<4x8xf32>: ranks differ

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.reshape %x : tensor<4xf32> -> tensor<8xf32>
  tt.return
}
// CHECK: tensor<4xf32> and tensor<8xf32> have different numbers of elements

// -----

tt.func public @f(%x: tensor<4x8xf32>) {
  %0 = tt.trans %x {order = array<i32: 1, 1>} : tensor<4x8xf32> -> tensor<8x8xf32>
  tt.return
}
// CHECK: order [1, 1] does not permute tensor<4x8xf32>

// -----

tt.func public @f(%x: tensor<4x8xf32>) {
  %0 = tt.trans %x {order = array<i32: 1, 0>} : tensor<4x8xf32> -> tensor<4x8xf32>
  tt.return
}
// CHECK: permuting tensor<4x8xf32> by [1, 0] does not give tensor<4x8xf32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.join %x, %x : tensor<4xf32> -> tensor<2x4xf32>
  tt.return
}
// CHECK: joining two tensor<4xf32> does not give tensor<2x4xf32>

// -----

tt.func public @f(%x: tensor<2xf32>) {
  %0, %1 = tt.split %x : tensor<2xf32> -> tensor<1xf32>
  tt.return
}
// CHECK: the last of at least two dimensions must be 2, got tensor<2xf32>

// -----

tt.func public @f(%x: tensor<4x2xf32>) {
  %0, %1 = tt.split %x : tensor<4x2xf32> -> tensor<8xf32>
  tt.return
}
// CHECK: splitting tensor<4x2xf32> does not give tensor<8xf32>

// -----

tt.func public @f(%x: tensor<4x2xf32>) {
  %0 = tt.cat %x, %x : tensor<4x2xf32> -> tensor<8x2xf32>
  tt.return
}
// CHECK: expected tensors of one dimension, got tensor<4x2xf32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.cat %x, %x : tensor<4xf32> -> tensor<4xf32>
  tt.return
}
// CHECK: concatenating two tensor<4xf32> does not give tensor<4xf32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.histogram %x : tensor<4xf32> -> tensor<4xi32>
  tt.return
}
// CHECK: expected integers, got tensor<4xf32>

// -----

tt.func public @f(%x: tensor<4xi32>) {
  %0 = tt.histogram %x : tensor<4xi32> -> tensor<2x2xi32>
  tt.return
}
// CHECK: expected one dimension of bins, got tensor<2x2xi32>

// -----

tt.func public @f(%x: tensor<4xf32>, %i: tensor<2xi32>) {
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  tt.return
}
// CHECK: the result must have the shape of the indices

// -----

tt.func public @f(%x: tensor<4xf32>, %i: tensor<2xi32>) {
  %0 = tt.gather %x[%i] {axis = 1 : i32} : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>
  tt.return
}
// CHECK: axis 1 is out of range for tensor<4xf32>

// -----

tt.func public @f(%x: tensor<4x4xf32>, %i: tensor<2x8xi32>) {
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<4x4xf32>, tensor<2x8xi32>) -> tensor<2x8xf32>
  tt.return
}
// CHECK: the indices exceed tensor<4x4xf32> in dimension 1

// -----

tt.func public @f(%x: tensor<4xf32>, %i: tensor<2x2xi32>) {
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<4xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
  tt.return
}
// CHECK: the operand and the indices must have one rank

// -----

tt.func public @f(%x: i32) {
  %0 = tt.int_to_ptr %x : i32 -> !tt.ptr<f32>
  tt.return
}
// CHECK: expected i64, got i32

// -----

tt.func public @f(%x: i64) {
  %0 = tt.int_to_ptr %x : i64 -> f64
  tt.return
}
// CHECK: expected a pointer result, got f64

// -----

tt.func public @f(%x: i64) {
  %0 = tt.ptr_to_int %x : i64 -> i64
  tt.return
}
// CHECK: expected a pointer, got i64

// -----

tt.func public @f(%x: !tt.ptr<f32>) {
  %0 = tt.ptr_to_int %x : !tt.ptr<f32> -> i32
  tt.return
}
// CHECK: expected an i64 result, got i32

// -----

tt.func public @f(%x: f32) {
  %0 = tt.bitcast %x : f32 -> i64
  tt.return
}
// CHECK: cannot bitcast f32 to i64: 32 and 64 bits

// -----

tt.func public @f(%x: i64) {
  %0 = tt.bitcast %x : i64 -> !tt.ptr<f32>
  tt.return
}
// CHECK: cannot bitcast i64 to !tt.ptr<f32>: use tt.ptr_to_int or tt.int_to_ptr

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.bitcast %x : tensor<4xf32> -> tensor<8xi32>
  tt.return
}
// CHECK: shapes differ: tensor<4xf32> and tensor<8xi32>

// -----

tt.func public @f(%x: f32) {
  %0 = tt.fp_to_fp %x : f32 -> bf16
  tt.return
}
// CHECK: a narrowing tt.fp_to_fp needs a rounding mode

// -----

tt.func public @f(%x: f16) {
  %0 = tt.fp_to_fp %x, rounding = rtz : f16 -> f32
  tt.return
}
// CHECK: only a narrowing tt.fp_to_fp has a rounding mode

// -----

tt.func public @f(%x: f32) {
  %0 = tt.fp_to_fp %x, rounding = up : f32 -> f16
  tt.return
}
// CHECK: unknown RoundingMode 'up', expected one of rtz, rtne

// -----

tt.func public @f(%x: i32) {
  %0 = tt.fp_to_fp %x : i32 -> f32
  tt.return
}
// CHECK: expected floats, got i32 and f32

// -----

tt.func public @f(%x: i32) {
  %0 = tt.clampf %x, %x, %x, propagateNan = all : i32
  tt.return
}
// CHECK: expected floats, got i32

// -----

tt.func public @f(%x: i32) {
  %0 = tt.precise_sqrt %x : i32
  tt.return
}
// CHECK: expected floats, got i32

// -----

tt.func public @f(%x: i32) {
  %0 = tt.precise_divf %x, %x : i32
  tt.return
}
// CHECK: expected floats, got i32

// -----

tt.func public @f(%x: f32) {
  %0 = tt.mulhiui %x, %x : f32
  tt.return
}
// CHECK: expected integers, got f32

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "g"} : (tensor<4xf32>) -> tensor<8xf32>
  tt.return
}
// CHECK: the operands and the result must have one shape

// -----

tt.func public @f(%x: f32) {
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = ""} : (f32) -> f32
  tt.return
}
// CHECK: the symbol must not be empty

// -----

tt.func public @f(%x: f32, %i: i32) {
  %0 = tt.addptr %x, %i : f32, i32
  tt.return
}
// CHECK: expected pointers, got f32

// -----

tt.func public @f(%x: !tt.ptr<f32>, %i: f32) {
  %0 = tt.addptr %x, %i : !tt.ptr<f32>, f32
  tt.return
}
// CHECK: expected an integer offset, got f32

// -----

tt.func public @f(%x: tensor<4x!tt.ptr<f32>>, %i: i32) {
  %0 = tt.addptr %x, %i : tensor<4x!tt.ptr<f32>>, i32
  tt.return
}
// CHECK: shapes differ: tensor<4x!tt.ptr<f32>> and i32

// -----

tt.func public @f(%x: f32) {
  %0 = tt.load %x : f32
  tt.return
}
// CHECK: expected a pointer or a tensor of pointers, got f32

// -----

tt.func public @f(%x: !tt.ptr<f32>) {
  %0 = tt.load %x cacheModifier = fast : !tt.ptr<f32>
  tt.return
}
// CHECK: unknown CacheModifier 'fast', expected one of none, ca, cg, wb, cs, wt, cv

// -----

tt.func public @f(%x: !tt.ptr<f32>) {
  %0 = tt.load %x speed = fast : !tt.ptr<f32>
  tt.return
}
// CHECK: unknown clause 'speed', expected one of cacheModifier, evictionPolicy

// -----

tt.func public @f(%x: !tt.ptr<f32>, %m: i1, %o: f32) {
  %0 = tt.load %x, %m, %o, %o : !tt.ptr<f32>
  tt.return
}
// CHECK: expected 1 to 3 operands, got 4

// -----

tt.func public @f(%x: !tt.ptr<f32>) {
  %0 = "tt.load"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f32>) -> f16
  tt.return
}
// CHECK: !tt.ptr<f32> points to f32, got f16

// -----

tt.func public @f(%x: tensor<4x!tt.ptr<f32>>, %m: i1) {
  %0 = "tt.load"(%x, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4x!tt.ptr<f32>>, i1) -> tensor<4xf32>
  tt.return
}
// CHECK: the mask of tensor<4x!tt.ptr<f32>> is tensor<4xi1>, got i1

// -----

tt.func public @f(%x: !tt.ptr<f32>, %o: f32) {
  %0 = "tt.load"(%x, %o) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!tt.ptr<f32>, f32) -> f32
  tt.return
}
// CHECK: a load with another value needs a mask

// -----

tt.func public @f(%x: !tt.ptr<f32>, %m: i1, %o: f16) {
  %0 = "tt.load"(%x, %m, %o) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!tt.ptr<f32>, i1, f16) -> f32
  tt.return
}
// CHECK: the other value is f32, got f16

// -----

tt.func public @f(%x: !tt.ptr<f32>) {
  %0 = tt.load %x {boundaryCheck = array<i32: 0>} : !tt.ptr<f32>
  tt.return
}
// CHECK: tensor pointers are not supported

// -----

tt.func public @f(%x: !tt.ptr<f32>) {
  %0 = "tt.load"(%x) <{cache = 9 : i32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (!tt.ptr<f32>) -> f32
  tt.return
}
// CHECK: 9 : i32 is not a CacheModifier

// -----

tt.func public @f(%x: !tt.ptr<f32>, %v: f16) {
  "tt.store"(%x, %v) : (!tt.ptr<f32>, f16) -> ()
  tt.return
}
// CHECK: !tt.ptr<f32> points to f32, got f16

// -----

tt.func public @f(%x: !tt.ptr<f32>, %v: f32, %m: i8) {
  "tt.store"(%x, %v, %m) : (!tt.ptr<f32>, f32, i8) -> ()
  tt.return
}
// CHECK: the mask of !tt.ptr<f32> is i1, got i8

// -----

tt.func public @f(%x: !tt.ptr<f32>, %v: f32) {
  tt.store %x, %v {boundaryCheck = array<i32: 0>} : !tt.ptr<f32>
  tt.return
}
// CHECK: tensor pointers are not supported

// -----

tt.func public @f(%x: !tt.ptr<f32>, %v: f32) {
  %0 = tt.atomic_rmw add, acq_rel, gpu, %x, %v : (!tt.ptr<f32>, f32) -> f32
  tt.return
}
// CHECK: add needs integers, got f32

// -----

tt.func public @f(%x: !tt.ptr<i32>, %v: i32) {
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %x, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}
// CHECK: fadd needs floats, got i32

// -----

tt.func public @f(%x: !tt.ptr<i32>, %v: i32) {
  %0 = tt.atomic_rmw twice, acq_rel, gpu, %x, %v : (!tt.ptr<i32>, i32) -> i32
  tt.return
}
// CHECK: unknown RMWOp 'twice', expected one of and, or, xor, add, fadd, max, min, umax, umin, exch

// -----

tt.func public @f(%x: !tt.ptr<i32>, %v: i64) {
  %0 = tt.atomic_cas acq_rel, gpu, %x, %v, %v : (!tt.ptr<i32>, i64, i64) -> i64
  tt.return
}
// CHECK: !tt.ptr<i32> points to i32, got i64

// -----

tt.func public @f(%x: i32) {
  tt.assert %x, "m" : i32
  tt.return
}
// CHECK: expected i1, got i32

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}
// CHECK: axis 1 is out of range for tensor<4xf32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> tensor<1xf32>
  tt.return
}
// CHECK: expected results (f32), got (tensor<1xf32>)

// -----

"tt.reduce"() <{axis = 0 : i32}> ({
^bb0:
  "tt.reduce.return"() : () -> ()
}) : () -> ()
// CHECK: expected at least one operand

// -----

tt.func public @f(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  %0:2 = "tt.reduce"(%x, %y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<4xf32>, tensor<8xf32>) -> (f32, f32)
  tt.return
}
// CHECK: shapes differ: tensor<4xf32> and tensor<8xf32>

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f16):
    tt.reduce.return %a : f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}
// CHECK: expected region arguments (f32, f32), got (f32, f16)

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    tt.reduce.return %a, %b : f32, f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}
// CHECK: the region must return (f32), got (f32, f32)

// -----

tt.func public @f(%x: tensor<4xf32>) {
  %0 = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<4xf32>) -> f32
  tt.return
}
// CHECK: expected results (tensor<4xf32>), got (f32)

// -----

tt.func public @f(%a: tensor<4x8xf16>, %b: tensor<4x8xf16>, %c: tensor<4x8xf32>) {
  %0 = tt.dot %a, %b, %c : tensor<4x8xf16> * tensor<4x8xf16> -> tensor<4x8xf32>
  tt.return
}
// CHECK: the contracted dimensions differ: tensor<4x8xf16> and tensor<4x8xf16>

// -----

tt.func public @f(%a: tensor<4x8xf16>, %b: tensor<8x4xf16>, %c: tensor<4x8xf32>) {
  %0 = tt.dot %a, %b, %c : tensor<4x8xf16> * tensor<8x4xf16> -> tensor<4x8xf32>
  tt.return
}
// CHECK: the product of tensor<4x8xf16> and tensor<8x4xf16> is not tensor<4x8xf32>

// -----

tt.func public @f(%a: tensor<4xf16>, %c: tensor<4x4xf32>) {
  %0 = tt.dot %a, %a, %c : tensor<4xf16> * tensor<4xf16> -> tensor<4x4xf32>
  tt.return
}
// CHECK: the operands must all have two or three dimensions

// -----

tt.func public @f(%a: tensor<4x4xf16>, %b: tensor<4x4xf32>) {
  %0 = tt.dot %a, %b, %b : tensor<4x4xf16> * tensor<4x4xf32> -> tensor<4x4xf32>
  tt.return
}
// CHECK: the factors must have one element type

// -----

tt.func public @f(%a: tensor<4x4x!tt.ptr<f16>>, %b: tensor<4x4xf32>) {
  %0 = tt.dot %a, %a, %b : tensor<4x4x!tt.ptr<f16>> * tensor<4x4x!tt.ptr<f16>> -> tensor<4x4xf32>
  tt.return
}
// CHECK: expected floats or integers, got tensor<4x4x!tt.ptr<f16>>

// -----

tt.func public @f(%a: tensor<4x4xf32>) {
  %0 = tt.dot %a, %a, %a, inputPrecision = tf64 : tensor<4x4xf32> * tensor<4x4xf32> -> tensor<4x4xf32>
  tt.return
}
// CHECK: unknown InputPrecision 'tf64', expected one of tf32, tf32x3, ieee, bf16x3, bf16x6

// -----

func.func @f(%x: tensor<4xf32>) {
  %0 = "arith.cmpf"(%x, %x) <{predicate = 1 : i64, fastmath = #arith.fastmath<none>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xi1>
  return
}
// CHECK: the result is tensor<4xi1>, got tensor<8xi1>

// -----

func.func @f(%x: tensor<4xi32>) {
  %0 = arith.cmpi lt, %x, %x : tensor<4xi32>
  return
}
// CHECK: unknown predicate 'lt', expected one of eq, ne, slt

// -----

func.func @f(%x: tensor<4xi32>) {
  %0 = "arith.cmpi"(%x, %x) <{predicate = 10 : i64}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}
// CHECK: predicate 10 is unknown

// -----

func.func @f(%x: tensor<4xf32>, %c: tensor<8xi1>) {
  %0 = arith.select %c, %x, %x : tensor<8xi1>, tensor<4xf32>
  return
}
// CHECK: the condition is i1 or tensor<4xi1>, got tensor<8xi1>

// -----

func.func @f(%x: tensor<4xi32>) {
  %0 = arith.extsi %x : tensor<4xi32> to tensor<8xi64>
  return
}
// CHECK: shapes differ: tensor<4xi32> and tensor<8xi64>

// -----

func.func @f(%x: tensor<4xi32>) {
  %0 = arith.extsi %x : tensor<4xi32> to tensor<4xi16>
  return
}
// CHECK: Destination bit-width must be larger than the input bit-width

// -----

tt.func @k(%x: tensor<4xf32>) {
  %y = tt.elementwise_inline_asm "" {constraints = "=r,0", packed_element = 2 : i32, pure = true} %x : tensor<4xf32> -> tensor<4xf32>
  tt.return
}
// CHECK: elements of 16 bits are expected

// -----

tt.func @k(%x: tensor<4xf16>) {
  %y = tt.elementwise_inline_asm "nop;" {constraints = "=r,0", packed_element = 2 : i32, pure = true} %x : tensor<4xf16> -> tensor<4xf16>
  tt.return
}
// CHECK: only empty assembly is supported

// -----

tt.func public @f(%d: !tt.tensordesc<tensor<16x24xf16>>) {

  tt.return
}
// CHECK: the number of elements must be a power of two, got 384

// -----

tt.func public @f(%d: !tt.tensordesc<tensor<16x16x!tt.ptr<f16>>>) {

  tt.return
}
// CHECK: the elements of a block are floats or integers

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <tensor<16x16xf32>>
  tt.return
}
// CHECK: !tt.ptr<f16> does not point to the elements of tensor<16x16xf32>

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n], [%one] : <f16>, <tensor<16x16xf16>>
  tt.return
}
// CHECK: a block of 2 dimensions needs as many extents and strides, got 1 and 1

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%one] : <f16>, <tensor<16x16xf16>>
  tt.return
}
// CHECK: 2 extents, but 1 strides

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n, %n, %n, %n, %n], [%s, %s, %s, %s, %s, %one] : <f16>, <tensor<1x1x1x1x16x16xf16>>
  tt.return
}
// CHECK: a descriptor has 1 to 5 dimensions, not 6

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <tensor<64x4xf16>>
  tt.return
}
// CHECK: the last dimension of tensor<64x4xf16> has 8 bytes, at least 16 needed

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %s] : <f16>, <tensor<16x16xf16>>
  tt.return
}
// CHECK: the last stride must be the constant 1

// -----

tt.func public @f(%p: !tt.ptr<i8>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] {padding = 2 : i32} : <i8>, <tensor<16x16xsi8>>
  tt.return
}
// CHECK: elements of type i8 cannot be padded with NaN

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %x = tt.descriptor_load %d[%n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.return
}
// CHECK: 1 indices into a descriptor of 2 dimensions

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %x = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<32x16xf16>
  tt.return
}
// CHECK: a block is tensor<16x32xf16>, or that without leading dimensions of 1, not tensor<32x16xf16>

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %x = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<32xf16>
  tt.return
}
// CHECK: without leading dimensions of 1, not tensor<32xf16>

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <tensor<16x32xf16>>
  %x = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf32>
  tt.return
}
// CHECK: a block has elements of type f16, got tensor<16x32xf32>

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32, %s: i64, %v: tensor<16x32xf32>) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <tensor<16x32xf16>>
  tt.descriptor_store %d[%n, %n], %v : !tt.tensordesc<tensor<16x32xf16>>, tensor<16x32xf32>
  tt.return
}
// CHECK: a block is tensor<16x32xf16>

// -----

tt.func public @f(%p: !tt.ptr<f16>, %n: i32) {
  %x = tt.descriptor_load %p[%n] : !tt.ptr<f16> -> tensor<16xf16>
  tt.return
}
// CHECK: expected a descriptor, got !tt.ptr<f16>

// -----

tt.func public @f(%a: tensor<16x16xf8E5M2>, %c: tensor<16x16xf32>) {
  %d = tt.dot %a, %a, %c {maxNumImpreciseAcc = 32 : i32} : tensor<16x16xf8E5M2> * tensor<16x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}
// CHECK: 32 of 16 terms cannot be imprecise

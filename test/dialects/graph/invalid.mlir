// RUN: fusir-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics --allow-unregistered-dialect | filecheck %s

func.func @main() {
  %0 = graph.full 1.0 : tensor<?xf32>
  return
}
// CHECK: dynamic tensor type needs a #graph.dims encoding: tensor<?xf32>

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<4xf32, #graph.dims<[4]>>
  return
}
// CHECK: a static tensor type has no encoding

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<?xf32, #graph.dims<[s0, 4]>>
  return
}
// CHECK: the encoding does not agree with the shape

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<?xf32, "x">
  return
}
// CHECK: the encoding of a tensor type must be #graph.dims, got "x"

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<?x?xf32, #graph.dims<[-1, s0]>>
  return
}
// CHECK: the encoding does not agree with the shape

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<?xf32, #graph.dims<[d0]>>
  return
}
// CHECK: expected a symbol s0, s1, ..., got 'd0'

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<?xf32, #graph.dims<[s0 +]>>
  return
}
// CHECK: expected an index expression

// -----

func.func @main(%s: index {graph.symbol = #graph.symbol<-1>}) {
  
  return
}
// CHECK: symbol position must not be negative, got -1

// -----

func.func @main(%s: index {graph.symbol = #graph.symbol<0, min = -2>}) {
  
  return
}
// CHECK: symbol min must not be negative, got -2

// -----

func.func @main(%s: index {graph.symbol = #graph.symbol<0, min = 2, max = 1>}) {
  
  return
}
// CHECK: symbol max 1 is less than min 2

// -----

func.func @main(%s: index {graph.symbol = #graph.symbol<0, divisor = 0>}) {
  
  return
}
// CHECK: symbol divisor must be positive, got 0

// -----

func.func @main(%s: index {graph.symbol = #graph.symbol<0, step = 0>}) {
  
  return
}
// CHECK: unknown field step of graph.symbol, expected min, max or divisor

// -----

func.func @main() {
  "test"() {a = #graph.operand<-1>} : () -> ()
  return
}
// CHECK: operand reference must not be negative, got -1

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = "graph.exp"(%x) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// CHECK: but got tensor<8x4xf32>

// -----

func.func @main(%x: f32) {
  %0 = "graph.exp"(%x) : (f32) -> f32
  return
}
// CHECK: f32 should be of base attribute tensor

// -----

func.func @main(%i: tensor<4xi32>) {
  %0 = graph.exp %i : tensor<4xi32>
  return
}
// CHECK: graph.exp expects floating-point elements, got i32

// -----

func.func @main(%i: tensor<4xi1>) {
  %0 = graph.neg %i : tensor<4xi1>
  return
}
// CHECK: graph.neg expects floating-point or integer elements, got i1

// -----

func.func @main(%i: tensor<4xcomplex<f32>>) {
  %0 = graph.neg %i : tensor<4xcomplex<f32>>
  return
}
// CHECK: graph.neg works on native element types only, got complex<f32>

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.not %x : tensor<4x8xf32>
  return
}
// CHECK: graph.not expects integer or i1 elements, got f32

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<8xf32>) {
  %0 = "graph.add"(%x, %y) : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
  return
}
// CHECK: but got tensor<8xf32>

// -----

func.func @main(%x: tensor<4xi1>) {
  %0 = graph.add %x, %x : tensor<4xi1>
  return
}
// CHECK: graph.add expects floating-point or integer elements, got i1

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.and %x, %x : tensor<4x8xf32>
  return
}
// CHECK: graph.and expects integer or i1 elements, got f32

// -----

func.func @main(%x: tensor<4xi1>) {
  %0 = graph.shl %x, %x : tensor<4xi1>
  return
}
// CHECK: graph.shl expects integer elements, got i1

// -----

func.func @main(%i: tensor<4xi32>) {
  %0 = graph.fmax %i, %i : tensor<4xi32>
  return
}
// CHECK: graph.fmax expects floating-point elements, got i32

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.compare less %x, %x : tensor<4x8xf32>
  return
}
// CHECK: `eq`, `ne`

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = "graph.compare"(%x, %x) <{predicate = #graph<predicate lt>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// CHECK: graph.compare: result type must be tensor<4x8xi1>, got tensor<4x8xf32>

// -----

func.func @main(%c: tensor<4xcomplex<f32>>) {
  %0 = graph.compare lt %c, %c : tensor<4xcomplex<f32>>
  return
}
// CHECK: graph.compare works on native element types only

// -----

func.func @main(%i: tensor<4xi32>) {
  %0 = graph.isnan %i : tensor<4xi32>
  return
}
// CHECK: graph.isnan expects floating-point elements, got i32

// -----

func.func @main(%i: f32) {
  %0 = graph.isinf %i : f32
  return
}
// CHECK: expected a tensor type

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = "graph.isnan"(%x) : (tensor<4x8xf32>) -> tensor<4xi1>
  return
}
// CHECK: graph.isnan: result type must be tensor<4x8xi1>, got tensor<4xi1>

// -----

func.func @main(%x: tensor<4x8xf32>, %i: tensor<4xi32>) {
  %0 = "graph.select"(%i, %x, %x) : (tensor<4xi32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// CHECK: graph.select: condition must be tensor<4x8xi1>, got tensor<4xi32>

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.convert %x : tensor<4x8xf32> -> tensor<8x4xf16>
  return
}
// CHECK: graph.convert keeps the shape, got tensor<4x8xf32> -> tensor<8x4xf16>

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.convert %x : tensor<4x8xf32> -> tensor<4x8xui32>
  return
}
// CHECK: graph.convert works on native element types only, got ui32

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.bitcast %x : tensor<4x8xf32> -> tensor<4x8xf16>
  return
}
// CHECK: graph.bitcast needs two element types of one width, got f32 and f16

// -----

func.func @main(%x: tensor<4xi8>) {
  %0 = graph.bitcast %x : tensor<4xi8> -> tensor<4xi1>
  return
}
// CHECK: graph.bitcast needs two element types of one width, got i8 and i1

// -----

func.func @main() {
  %0 = graph.full 1 : tensor<4xf32>
  return
}
// CHECK: a value of type f32 is written with a point, as 2.0

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<4xi32>
  return
}
// CHECK: the value 1.0 is not a literal of type i32

// -----

func.func @main() {
  %0 = graph.full 1 : tensor<4xi1>
  return
}
// CHECK: the value 1 is not a literal of type i1

// -----

func.func @main() {
  %0 = graph.full true : tensor<4xi8>
  return
}
// CHECK: the value True is not a literal of type i8

// -----

func.func @main() {
  %0 = graph.full 256 : tensor<4xui8>
  return
}
// CHECK: the value 256 does not fit ui8

// -----

func.func @main() {
  %0 = graph.full -1 : tensor<4xui8>
  return
}
// CHECK: the value -1 does not fit ui8

// -----

func.func @main() {
  %0 = graph.full 1.0 : tensor<4xcomplex<f32>>
  return
}
// CHECK: expected a native element type, got complex<f32>

// -----

func.func @main() {
  %0 = graph.full x : tensor<4xf32>
  return
}
// CHECK: expected a scalar: 2.0, -3, true, inf or nan

// -----

func.func @main() {
  %0 = graph.full 1.0 : f32
  return
}
// CHECK: expected a tensor type, got f32

// -----

func.func @main() {
  %0 = "graph.full"() <{value = 1.0 : f64}> : () -> tensor<4xf32>
  return
}
// CHECK: graph.full: value has type f64, element type is f32

// -----

func.func @main() {
  %0 = graph.constant 3 : i32
  return
}
// CHECK: expected dense<...> : tensor<...>

// -----

func.func @main() {
  %0 = "graph.constant"() <{value = dense<1> : tensor<2xi64>}> : () -> tensor<3xi64>
  return
}
// CHECK: graph.constant: value has type tensor<2xi64>, result tensor<3xi64>

// -----

func.func @main() {
  %0 = graph.iota dim 2 : tensor<4x8xi64>
  return
}
// CHECK: graph.iota: dim 2 is out of range for rank 2

// -----

func.func @main() {
  %0 = graph.iota dim 0 : tensor<4xi1>
  return
}
// CHECK: graph.iota expects floating-point or integer elements, got i1

// -----

func.func @main(%i: tensor<4xi32>) {
  %0 = graph.random uniform %i offset 0 : tensor<4xi32> -> tensor<4xf32>
  return
}
// CHECK: graph.random: seed must be tensor<i64>, got tensor<4xi32>

// -----

func.func @main(%i: tensor<i64>) {
  %0 = graph.random uniform %i offset 0 : tensor<i64> -> tensor<4xf16>
  return
}
// CHECK: graph.random: result must be f32, got f16

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reshape %x : tensor<4x8xf32> -> tensor<31xf32>
  return
}
// CHECK: graph.reshape must keep the number of elements

// -----

func.func @main(%x: tensor<?xf32, #graph.dims<[s0]>>) {
  %0 = graph.reshape %x : tensor<?xf32, #graph.dims<[s0]>> -> tensor<?xf32, #graph.dims<[s0 * 2]>>
  return
}
// CHECK: graph.reshape must keep the number of elements

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reshape %x : tensor<4x8xf32> -> tensor<32xf16>
  return
}
// CHECK: graph.reshape keeps the element type

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.permute %x dims [1, 1] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}
// CHECK: graph.permute: [1, 1] is not a permutation of 2 dims

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.permute %x dims [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
// CHECK: graph.permute: result type must be tensor<8x4xf32>, got tensor<4x8xf32>

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.broadcast %x dims [0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
// CHECK: graph.broadcast: needs one result dim for each of the 2 operand dims, got [0]

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.broadcast %x dims [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}
// CHECK: graph.broadcast: dims [1, 0] are not strictly increasing

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.broadcast %x dims [1, 2] : tensor<4x8xf32> -> tensor<4x4xf32>
  return
}
// CHECK: graph.broadcast: dims 2 is out of range for rank 2

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.broadcast %x dims [0, 1] : tensor<4x8xf32> -> tensor<4x9xf32>
  return
}
// CHECK: graph.broadcast: extent 8 cannot become 9 in result dim 1

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.slice %x starts [0] steps [1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
// CHECK: graph.slice: needs a start, a step and a result extent for each of the 2 dims

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.slice %x starts [0, 0] steps [1, 0] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
// CHECK: graph.slice: step of dim 1 must be positive, got 0

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.slice %x starts [0, -1] steps [1, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
// CHECK: graph.slice: start of dim 1 is negative: -1

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.slice %x starts [0, 1] steps [1, 2] : tensor<4x8xf32> -> tensor<4x5xf32>
  return
}
// CHECK: graph.slice: dim 1 of extent 8 is read up to index 9

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.slice %x starts [5, 0] steps [1, 1] : tensor<4x8xf32> -> tensor<0x8xf32>
  return
}
// CHECK: graph.slice: dim 0 of extent 4 is read up to index 5

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reverse %x dims [2] : tensor<4x8xf32>
  return
}
// CHECK: graph.reverse: dims 2 is out of range for rank 2

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reverse %x dims [1, 1] : tensor<4x8xf32>
  return
}
// CHECK: graph.reverse: dims [1, 1] repeat a dim

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.pad %x low [0] high [0, 0] value 0.0 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
// CHECK: graph.pad: needs a low and a high amount for each of 2 dims

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.pad %x low [-1, 0] high [0, 0] value 0.0 : tensor<4x8xf32> -> tensor<3x8xf32>
  return
}
// CHECK: graph.pad: amount -1 is negative

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.pad %x low [1, 0] high [0, 0] value 0.0 : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}
// CHECK: graph.pad: result type must be tensor<5x8xf32>, got tensor<4x8xf32>

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.pad %x low [1, 0] high [0, 0] value 0.0 : tensor<4x8xf32> -> tensor<5x8xf16>
  return
}
// CHECK: graph.pad keeps the element type

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = "graph.pad"(%x) <{low = #graph.dims<[0, 0]>, high = #graph.dims<[0, 0]>, value = 0 : i32}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// CHECK: graph.pad: value has type i32, element type is f32

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.concat %x, %x dim 2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}
// CHECK: graph.concat: dim 2 is out of range for rank 2

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.concat %x, %x dim 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<9x8xf32>
  return
}
// CHECK: graph.concat: the operands have 8 elements along dim 0, the result 9

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.concat %x, %x dim 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
// CHECK: graph.concat: operand tensor<4x8xf32> does not fit the result tensor<8x4xf32> along dim 0

// -----

func.func @main() {
  %0 = "graph.concat"() <{dim = 0 : i64}> : () -> tensor<8x4xf32>
  return
}
// CHECK: graph.concat needs at least one operand

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.gather %x[] dims [] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// CHECK: graph.gather needs at least one index tensor

// -----

func.func @main(%x: tensor<4x8xf32>, %i: tensor<4xi32>) {
  %0 = graph.gather %x[%i] dims [0, 1] : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
// CHECK: graph.gather: 1 index tensors for 2 dims [0, 1]

// -----

func.func @main(%x: tensor<4x8xf32>, %i: tensor<4xi32>) {
  %0 = graph.gather %x[%i] dims [2] : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
// CHECK: graph.gather: dims 2 is out of range for rank 2

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.gather %x[%x] dims [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8x8xf32>
  return
}
// CHECK: graph.gather expects integer elements, got f32

// -----

func.func @main(%x: tensor<4x8xf32>, %i: tensor<4xi32>, %j: tensor<5xi32>) {
  %0 = graph.gather %x[%i, %j] dims [0, 1] : (tensor<4x8xf32>, tensor<4xi32>, tensor<5xi32>) -> tensor<4xf32>
  return
}
// CHECK: graph.gather: index tensors must have one shape

// -----

func.func @main(%x: tensor<4x8xf32>, %i: tensor<4xi32>) {
  %0 = graph.gather %x[%i] dims [0] : (tensor<4x8xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}
// CHECK: graph.gather: result type must be tensor<4x8xf32>, got tensor<4xf32>

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reduce mean %x dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  return
}
// CHECK: `sum`

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reduce any %x dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  return
}
// CHECK: graph.reduce expects i1 elements, got f32

// -----

func.func @main(%x: tensor<4xi1>) {
  %0 = graph.reduce sum %x dims [0] : tensor<4xi1> -> tensor<i1>
  return
}
// CHECK: graph.reduce expects floating-point or integer elements, got i1

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reduce sum %x dims [2] : tensor<4x8xf32> -> tensor<8xf32>
  return
}
// CHECK: graph.reduce: dims 2 is out of range for rank 2

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reduce sum %x dims [0, 0] : tensor<4x8xf32> -> tensor<8xf32>
  return
}
// CHECK: graph.reduce: dims [0, 0] repeat a dim

// -----

func.func @main(%x: tensor<0x8xf32>) {
  %0 = graph.reduce max %x dims [0] : tensor<0x8xf32> -> tensor<8xf32>
  return
}
// CHECK: graph.reduce max over an empty dim has no value

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.reduce argmax %x dims [0] : tensor<4x8xf32> -> tensor<8xf32>
  return
}
// CHECK: graph.reduce: result type must be tensor<8xi64>, got tensor<8xf32>

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.scan argmax %x dim 0 : tensor<4x8xf32>
  return
}
// CHECK: graph.scan: result type must be tensor<4x8xi64>, got tensor<4x8xf32>

// -----

func.func @main(%x: tensor<4x8xi1>) {
  %0 = graph.scan any %x dim 0 : tensor<4x8xi1>
  return
}
// CHECK: graph.scan: kind must be one of sum, prod, max, min, argmax, argmin, logsumexp, got any

// -----

func.func @main(%x: tensor<4x8xi32>) {
  %0 = graph.scan logsumexp %x dim 0 : tensor<4x8xi32>
  return
}
// CHECK: graph.scan expects floating-point elements, got i32

// -----

func.func @main(%x: tensor<4x8xi32>) {
  %0 = graph.reduce logsumexp %x dims [0] : tensor<4x8xi32> -> tensor<8xi32>
  return
}
// CHECK: graph.reduce expects floating-point elements, got i32

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.scan sum %x dim 2 : tensor<4x8xf32>
  return
}
// CHECK: graph.scan: dim 2 is out of range for rank 2

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %h: tensor<8x4xf16>) {
  %0 = graph.contract %x, %h batch [], [] contract [1], [0] : (tensor<4x8xf32>, tensor<8x4xf16>) -> tensor<4x4xf32>
  return
}
// CHECK: graph.contract: element types differ

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %h: tensor<8x4xf16>) {
  %0 = graph.contract %x, %y batch [0], [0] contract [1], [1] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
  return
}
// CHECK: graph.contract: batch dims [0] of tensor<4x8xf32> and [0] of tensor<8x4xf32> differ in extent

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %h: tensor<8x4xf16>) {
  %0 = graph.contract %x, %y batch [], [] contract [0], [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}
// CHECK: graph.contract: contracted dims [0] of tensor<4x8xf32> and [0] of tensor<8x4xf32> differ in extent

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %h: tensor<8x4xf16>) {
  %0 = graph.contract %x, %y batch [], [] contract [2], [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  return
}
// CHECK: graph.contract: lhs dims 2 is out of range for rank 2

// -----

func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %h: tensor<8x4xf16>) {
  %0 = graph.contract %x, %y batch [], [] contract [1], [0] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x5xf32>
  return
}
// CHECK: graph.contract: result type must be tensor<4x4xf32>, got tensor<4x5xf32>

// -----

func.func @main(%x: tensor<4x8xbf16>) {
  %0 = graph.contract %x, %x batch [], [] contract [1], [1] precision tf32 : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x4xf32>
  return
}
// CHECK: graph.contract: tensor<4x8xbf16> has no precision tf32

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.contract %x, %x batch [], [] contract [1], [1] precision ieee : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}
// CHECK: graph.contract: precision ieee is not written

// -----

func.func @main(%x: tensor<4x8xf8E5M2>) {
  %0 = graph.contract %x, %x batch [], [] contract [1], [1] : (tensor<4x8xf8E5M2>, tensor<4x8xf8E5M2>) -> tensor<4x4xf8E5M2>
  return
}
// CHECK: graph.contract: the result of tensor<4x8xf8E5M2> and tensor<4x8xf8E5M2> cannot have elements of type f8E5M2

// -----

func.func @main(%x: tensor<4xi32>) {
  %0 = graph.convert %x : tensor<4xi32> -> tensor<4xf8E5M2>
  return
}
// CHECK: graph.convert does not convert i32 to f8E5M2

// -----

func.func @main(%x: tensor<4xf8E4M3FN>) {
  %0 = graph.add %x, %x : tensor<4xf8E4M3FN>
  return
}
// CHECK: graph.add works on native element types only, got f8E4M3FN

// -----

func.func @main(%x: tensor<4x8xf32>) {
  "graph.fusion"(%x) ({
  ^bb0(%a: tensor<4xf32>):
    graph.yield
  }) : (tensor<4x8xf32>) -> ()
  return
}
// CHECK: graph.fusion: the block arguments must have the types of the inputs

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.fusion (%a = %x : tensor<4x8xf32>) -> tensor<4xf32> {
    graph.yield %a : tensor<4x8xf32>
  }
  return
}
// CHECK: graph.fusion: the yielded types must be the result types

// -----

func.func @main(%x: tensor<4x8xf32>) {
  graph.fusion (%a = %x : tensor<4x8xf32>) -> () {
    func.return
  }
  return
}
// CHECK: func.return

// -----

func.func @main(%x: tensor<4x8xf32>) {
  graph.fusion (%a = %x : tensor<4x8xf32>) -> () {
    %0 = graph.call_aten "aten.sin.default"(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    graph.yield
  }
  return
}
// CHECK: graph.fusion: graph.call_aten is not allowed in a fusion

// -----

func.func @main(%x: tensor<4x8xf32>) {
  graph.fusion (%a = %x : tensor<4x8xf32>) -> () {
    graph.fusion () -> () {
      graph.yield
    }
    graph.yield
  }
  return
}
// CHECK: graph.fusion: graph.fusion is not allowed in a fusion

// -----

func.func @main(%x: tensor<4xui32>) {
  graph.fusion (%a = %x : tensor<4xui32>) -> () {
    graph.yield
  }
  return
}
// CHECK: graph.fusion: no kernel stores elements of type ui32

// -----

func.func @main(%x: tensor<4x8xf32>) {
  graph.call_aten "sin"(%x) {args = [#graph.operand<0>]} : (tensor<4x8xf32>) -> ()
  return
}
// CHECK: graph.call_aten: target must be "namespace.op.overload", got "sin"

// -----

func.func @main(%x: tensor<4x8xf32>) {
  graph.call_aten "aten.sin.default"(%x) {args = [[#graph.operand<1>]]} : (tensor<4x8xf32>) -> ()
  return
}
// CHECK: graph.call_aten: #graph.operand<1> but there are 1 operands

// -----

func.func @main(%x: tensor<4x8xf32>) {
  graph.call_aten "aten.sin.default"(%x) {args = [f32]} : (tensor<4x8xf32>) -> ()
  return
}
// CHECK: graph.call_aten: f32 is not an argument

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.call_aten "aten.sin.default"(%x) {args = [#graph.operand<0>], result_strides = []} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// CHECK: graph.call_aten: result_strides needs one #graph.dims for each of the 1 tensors

// -----

func.func @main(%x: tensor<4x8xf32>) {
  %0 = graph.call_aten "aten.sin.default"(%x) {args = [#graph.operand<0>], operand_strides = [#graph.dims<[1]>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// CHECK: graph.call_aten: operand_strides has 1 strides for a tensor of rank 2

// -----

func.func @main(%x: tensor<4xi1>) {
  %0 = graph.contract %x, %x batch [], [] contract [0], [0] : (tensor<4xi1>, tensor<4xi1>) -> tensor<i1>
  return
}
// CHECK: graph.contract expects floating-point or integer elements, got i1

// -----

func.func @main(%x: tensor<4xui32>) {
  %0 = graph.concat %x, %x dim 0 : (tensor<4xui32>, tensor<4xui32>) -> tensor<8xui32>
  return
}
// CHECK: graph.concat works on native element types only, got ui32

// -----

func.func @main(%x: tensor<4xui32>) {
  %0 = graph.pad %x low [1] high [0] value 0 : tensor<4xui32> -> tensor<5xui32>
  return
}
// CHECK: expected a native element type, got ui32

// -----

func.func @main(%x: tensor<4xui32>, %i: tensor<2xi64>) {
  %0 = graph.gather %x[%i] dims [0] : (tensor<4xui32>, tensor<2xi64>) -> tensor<2xui32>
  return
}
// CHECK: graph.gather works on native element types only, got ui32

// -----

func.func @main(%x: tensor<4xi1>) {
  %0 = graph.scan sum %x dim 0 : tensor<4xi1>
  return
}
// CHECK: graph.scan expects floating-point or integer elements, got i1

// -----

func.func @main(%x: tensor<?xf32>) {
  %0 = graph.reshape %x : tensor<?xf32> -> tensor<?xf32>
  return
}
// CHECK: dynamic tensor type needs a #graph.dims encoding: tensor<?xf32>

// -----

func.func @main(%x: tensor<4xf32>) {
  %0 = "graph.contract"(%x, %x) <{lhs_batch = array<i64>, rhs_batch = array<i64: 0, 0>, lhs_contract = array<i64>, rhs_contract = array<i64>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
// CHECK: graph.contract: rhs dims [0, 0] repeat a dim

// -----

func.func @main(%x: tensor<4xf32>) {
  graph.fusion (%a = %x : tensor<4xf32>) -> () {
    graph.exp %a : tensor<4xf32>
  }
  return
}
// CHECK: graph.exp terminates block in single-block region but is not a terminator

// -----

func.func @main(%x: tensor<4xf32>) {
  %0 = graph.fusion (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    graph.yield %x : tensor<4xf32>
  }
  return
}
// CHECK: Operation using value defined out of its IsolatedFromAbove parent

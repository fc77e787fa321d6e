// RUN: fusir-opt %s --pipeline -t python --split-input-file | filecheck %s

// A masked sum of prefixes of long rows, in steps: every element is loaded once and stored once, and a scalar
// is handed from step to step.

// CHECK:       @triton.jit
// CHECK-NEXT:  def _add(a, b):
// CHECK-NEXT:      return a + b
// CHECK:       def fused_{{.*}}(in0_ptr, in1_ptr, out0_ptr, RBLOCK: tl.constexpr):
// CHECK-NEXT:      x0 = tl.program_id(0)
// CHECK-NEXT:      acc0 = tl.full([], 0.0, tl.float32)
// CHECK-NEXT:      for rstart in range(0, 32768, RBLOCK):
// CHECK:               tl.load(in
// CHECK:               tl.load(in
// CHECK-NOT:           tl.load
// CHECK:               tl.associative_scan({{.*}}, 0, _add)
// CHECK:               tl.sum({{.*}}, 0)
// CHECK:               tl.store(out0_ptr
// CHECK-NOT:           tl.store
// CHECK:               acc0 = acc0 +
// CHECK:       def call(inputs):
// CHECK:           [(32768,)]({{.*}}, RBLOCK={{[0-9]+}}, num_warps={{[0-9]+}}, num_stages=1)
// CHECK:           return
func.func @main(%x: tensor<32768x32768xf32>, %m: tensor<32768x32768xi1>) -> tensor<32768x32768xf32> {
  %f = graph.convert %m : tensor<32768x32768xi1> -> tensor<32768x32768xf32>
  %p = graph.mul %x, %f : tensor<32768x32768xf32>
  %s = graph.scan sum %p dim 1 : tensor<32768x32768xf32>
  func.return %s : tensor<32768x32768xf32>
}

// -----

// From the end: the last tile first, whose lanes past the end hold the identity. A reversed result of reversed elements is
// one kernel too. The lanes are numbered from the end in groups that a thread loads at once.

// CHECK:       def _reverse_groups(x):
// CHECK-NEXT:      tmp0, tmp1 = tl.split(tl.reshape(x, [{{[0-9]+}}, 2, 2]))
// CHECK:           return
// CHECK:       def _maximum_with_nan(a, b):
// CHECK:       def fused_{{.*}}(in0_ptr, out0_ptr, RBLOCK: tl.constexpr):
// CHECK:           acc0 = tl.full([], float("-inf"), tl.float32)
// CHECK-NEXT:      for i in range(0, 20000, RBLOCK):
// CHECK-NEXT:          rstart = 16384 - i
// CHECK-NEXT:          lane = tl.arange(0, RBLOCK)
// CHECK-NEXT:          r = rstart + (RBLOCK - lane // 4 * 4 - 4 + lane % 4)
// CHECK:               tl.load(in0_ptr
// CHECK-NOT:           tl.load
// CHECK:               tl.where(rmask, {{.*}}, float("-inf"))
// CHECK:               [[T:tmp\d+]] = _reverse_groups({{.*}})
// CHECK-NEXT:          [[P:tmp\d+]] = tl.associative_scan([[T]], 0, _maximum_with_nan)
// CHECK:               _reverse_groups([[P]])
// CHECK:               tl.store(out0_ptr
// CHECK-NOT:           tl.store
// CHECK:       def call(inputs):
func.func @main(%x: tensor<64x20000xf32>) -> tensor<64x20000xf32> {
  %r = graph.reverse %x dims [1] : tensor<64x20000xf32>
  %s = graph.scan max %r dim 1 : tensor<64x20000xf32>
  %m = graph.reverse %s dims [1] : tensor<64x20000xf32>
  func.return %m : tensor<64x20000xf32>
}

// -----

// Along the columns a program takes several of them; what a step hands on is the last prefix of each.

// CHECK:       def fused_{{.*}}(in0_ptr, out0_ptr, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
// CHECK:           for rstart in range(0, 512, RBLOCK):
// CHECK:               tl.load(in0_ptr
// CHECK-NOT:           tl.load
// CHECK:               tl.associative_scan({{.*}}, 1, _add)
// CHECK:               tl.sum(tl.where((lane == {{31|63|127|255}})[None, :], {{.*}}, 0.0), 1)
// CHECK:               tl.store(out0_ptr
// CHECK-NOT:           tl.store
// CHECK:       def call(inputs):
func.func @main(%x: tensor<512x16384xf32>) -> tensor<512x16384xf32> {
  %s = graph.scan sum %x dim 0 : tensor<512x16384xf32>
  func.return %s : tensor<512x16384xf32>
}

// -----

// Maxima and their positions are one scan, of one load.

// CHECK:       def _last_argmax(a0, a1, b0, b1):
// CHECK-NEXT:      tmp0 = (b0 >= a0) | (b0 != b0)
// CHECK-NEXT:      return tl.where(tmp0, b0, a0), tl.where(tmp0, b1, a1)
// CHECK:       def fused_max_argmax_0(in0_ptr, out0_ptr, out1_ptr, RBLOCK: tl.constexpr):
// CHECK:           for rstart in range(0, 32768, RBLOCK):
// CHECK:               tl.load(in0_ptr
// CHECK-NOT:           tl.load
// CHECK:               {{.*}} = tl.associative_scan((in0, r), 0, _last_argmax)
// CHECK-NOT:           tl.associative_scan
// CHECK:               tl.store(out
// CHECK:               tl.store(out
// CHECK:       def call(inputs):
// CHECK:           fused_max_argmax_0[(512,)]
// CHECK-NEXT:      return
func.func @main(%x: tensor<512x32768xf32>) -> (tensor<512x32768xf32>, tensor<512x32768xi64>) {
  %m = graph.scan max %x dim 1 : tensor<512x32768xf32>
  %i = graph.scan argmax %x dim 1 : tensor<512x32768xf32> -> tensor<512x32768xi64>
  func.return %m, %i : tensor<512x32768xf32>, tensor<512x32768xi64>
}

// -----

// CHECK:       def _sum_exponentials(a0, a1, b0, b1):
// CHECK:           tl.exp(
// CHECK:       def fused_logsumexp_0(in0_ptr, out0_ptr, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr):
// CHECK:           tl.load(in0_ptr
// CHECK-NOT:       tl.load
// CHECK:           {{.*}} = tl.associative_scan(
// CHECK-NEXT:          (in0, tl.full([XBLOCK, RBLOCK], 1.0, tl.float32)),
// CHECK-NEXT:          1,
// CHECK-NEXT:          _sum_exponentials,
// CHECK:           tl.log(
// CHECK:           tl.store(out0_ptr
// CHECK:       def call(inputs):
func.func @main(%x: tensor<4096x1024xf32>) -> tensor<4096x1024xf32> {
  %s = graph.scan logsumexp %x dim 1 : tensor<4096x1024xf32>
  func.return %s : tensor<4096x1024xf32>
}

// -----

// One long row: the totals of its parts, what comes before each part, the parts from there. Each element is loaded twice and
// stored once, with what is pointwise around the scan.

// CHECK:       def fused_mul_sum_0(in0_ptr, out0_ptr, RBLOCK: tl.constexpr):
// CHECK:           tl.load(in0_ptr
// CHECK-NOT:       tl.load
// CHECK:           tl.sum(
// CHECK:       def fused_pad_sum_1(in0_ptr, out0_ptr, RBLOCK: tl.constexpr):
// CHECK:           tl.associative_scan(
// CHECK:       def fused_mul_sum_add_2(in0_ptr, in1_ptr, out0_ptr, RBLOCK: tl.constexpr):
// CHECK:           [[C:in\d]] = tl.load(in1_ptr + x0)
// CHECK:           tl.load(in0_ptr
// CHECK-NOT:       tl.load
// CHECK:           tl.associative_scan(
// CHECK:           tl.store(out0_ptr
// CHECK:       def call(inputs):
// CHECK-NOT:       aten
// CHECK:           fused_mul_sum_0[(1024,)]
// CHECK:           fused_pad_sum_1[(1,)]
// CHECK:           fused_mul_sum_add_2[(1024,)]
// CHECK:           return
func.func @main(%x: tensor<1x16777216xf32>) -> tensor<1x16777216xf32> {
  %c = graph.full 0.5 : tensor<1x16777216xf32>
  %y = graph.mul %x, %c : tensor<1x16777216xf32>
  %s = graph.scan sum %y dim 1 : tensor<1x16777216xf32>
  %z = graph.mul %s, %c : tensor<1x16777216xf32>
  func.return %z : tensor<1x16777216xf32>
}

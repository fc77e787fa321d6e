// RUN: fusir-opt %s -t triton | filecheck %s

// A transposing tile: expand_dims is indexing, broadcasts are implied.

tt.func public @transpose(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %s0: i32, %s1: i32) attributes {fusir.constexprs = {XBLOCK = 32 : i64, YBLOCK = 64 : i64}} {
  %cx = arith.constant {fusir.name = "XBLOCK"} 32 : i32
  %cy = arith.constant {fusir.name = "YBLOCK"} 64 : i32
  %px = tt.get_program_id x : i32
  %py = tt.get_program_id y : i32
  %0 = arith.muli %px, %cx : i32
  %1 = arith.muli %py, %cy : i32
  %2 = tt.make_range {end = 32 : i32, start = 0 : i32, fusir.name = "XBLOCK"} : tensor<32xi32>
  %3 = tt.make_range {end = 64 : i32, start = 0 : i32, fusir.name = "YBLOCK"} : tensor<64xi32>
  %4 = tt.splat %0 : i32 -> tensor<32xi32>
  %5 = tt.splat %1 : i32 -> tensor<64xi32>
  %xi = arith.addi %4, %2 : tensor<32xi32>
  %yi = arith.addi %5, %3 : tensor<64xi32>
  %xindex = tt.expand_dims %xi {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %yindex = tt.expand_dims %yi {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %6 = tt.splat %s0 : i32 -> tensor<32x1xi32>
  %7 = tt.splat %s1 : i32 -> tensor<1x64xi32>
  %xm = arith.cmpi slt, %xindex, %6 : tensor<32x1xi32>
  %ym = arith.cmpi slt, %yindex, %7 : tensor<1x64xi32>
  %8 = tt.broadcast %xm : tensor<32x1xi1> -> tensor<32x64xi1>
  %9 = tt.broadcast %ym : tensor<1x64xi1> -> tensor<32x64xi1>
  %mask = arith.andi %8, %9 : tensor<32x64xi1>
  %10 = tt.splat %s1 : i32 -> tensor<32x1xi32>
  %11 = arith.muli %xindex, %10 : tensor<32x1xi32>
  %12 = tt.broadcast %11 : tensor<32x1xi32> -> tensor<32x64xi32>
  %13 = tt.broadcast %yindex : tensor<1x64xi32> -> tensor<32x64xi32>
  %14 = arith.addi %12, %13 : tensor<32x64xi32>
  %15 = tt.splat %x : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  %16 = tt.addptr %15, %14 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
  %v = tt.load %16, %mask : tensor<32x64x!tt.ptr<f32>>
  %17 = tt.splat %s0 : i32 -> tensor<1x64xi32>
  %18 = arith.muli %yindex, %17 : tensor<1x64xi32>
  %19 = tt.broadcast %18 : tensor<1x64xi32> -> tensor<32x64xi32>
  %20 = tt.broadcast %xindex : tensor<32x1xi32> -> tensor<32x64xi32>
  %21 = arith.addi %19, %20 : tensor<32x64xi32>
  %22 = tt.splat %y : !tt.ptr<f32> -> tensor<32x64x!tt.ptr<f32>>
  %23 = tt.addptr %22, %21 : tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>
  %24 = tt.load %x : !tt.ptr<f32>
  %25 = tt.splat %24 : f32 -> tensor<1x64xf32>
  %26 = tt.broadcast %25 : tensor<1x64xf32> -> tensor<32x64xf32>
  %27 = arith.mulf %26, %v : tensor<32x64xf32>
  tt.store %23, %27, %mask : tensor<32x64x!tt.ptr<f32>>
  // A value of a lesser shape, where the full one is needed.
  %28 = arith.sitofp %xindex : tensor<32x1xi32> to tensor<32x1xf32>
  %29 = tt.broadcast %28 : tensor<32x1xf32> -> tensor<32x64xf32>
  %30 = tt.trans %29 {order = array<i32: 1, 0>} : tensor<32x64xf32> -> tensor<64x32xf32>
  %31 = tt.reshape %30 : tensor<64x32xf32> -> tensor<2048xf32>
  %32 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
  %33 = tt.splat %y : !tt.ptr<f32> -> tensor<2048x!tt.ptr<f32>>
  %34 = tt.addptr %33, %32 : tensor<2048x!tt.ptr<f32>>, tensor<2048xi32>
  tt.store %34, %31 : tensor<2048x!tt.ptr<f32>>
  tt.return
}

// CHECK:      def transpose(x_ptr, y_ptr, s0, s1, XBLOCK: tl.constexpr, YBLOCK: tl.constexpr):
// CHECK-NEXT:     px = tl.program_id(0)
// CHECK-NEXT:     py = tl.program_id(1)
// CHECK-NEXT:     xi = px * XBLOCK + tl.arange(0, XBLOCK)
// CHECK-NEXT:     yi = py * YBLOCK + tl.arange(0, YBLOCK)
// CHECK-NEXT:     xm = xi[:, None] < s0
// CHECK-NEXT:     ym = yi[None, :] < s1
// CHECK-NEXT:     mask = xm & ym
// CHECK-NEXT:     v = tl.load(x_ptr + (xi[:, None] * s1 + yi[None, :]), mask=mask)
// CHECK-NEXT:     x = tl.load(x_ptr)
// CHECK-NEXT:     tl.store(y_ptr + (yi[None, :] * s0 + xi[:, None]), x * v, mask=mask)
// CHECK:          tl.broadcast_to(xi[:, None].to(tl.float32), [XBLOCK, 64]).T

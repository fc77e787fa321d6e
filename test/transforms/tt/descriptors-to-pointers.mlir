// RUN: fusir-opt %s --descriptors-to-pointers | filecheck %s

// A block with a leading dimension that its tile does not have: what belongs to it is scalar.

tt.func public @load(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %m: i32, %s: i64, %i: i32) {
  %one = arith.constant 1 : i64
  %n = arith.constant 24 : i32
  %x = tt.make_tensor_descriptor %p, [%m, %n], [%s, %one] {fusir.names = ["", "NBLOCK"]} : <f16>, <tensor<1x32xf16>>
  %y = tt.make_tensor_descriptor %q, [%n], [%one] : <f16>, <tensor<32xf16>>
  scf.for %k = %i to %m step %n : i32 {
    %v = tt.descriptor_load %x[%k, %i] : !tt.tensordesc<tensor<1x32xf16>> -> tensor<32xf16>
    tt.descriptor_store %y[%k], %v : !tt.tensordesc<tensor<32xf16>>, tensor<32xf16>
    scf.yield
  } {tt.num_stages = 2 : i32, tt.warp_specialize}
  tt.return
}

// CHECK-LABEL: @load
// CHECK-NOT:   descriptor
// CHECK:       scf.for %k
// CHECK:         %[[AT:.*]] = arith.cmpi sge, %k, %{{.*}} : i32
// CHECK-NEXT:    %[[BELOW:.*]] = arith.cmpi slt, %k, %m : i32
// CHECK-NEXT:    arith.andi %[[AT]], %[[BELOW]] : i1
// CHECK-NEXT:    %[[WIDE:.*]] = arith.extsi %k : i32 to i64
// CHECK-NEXT:    %[[ROW:.*]] = arith.muli %[[WIDE]], %s : i64
// CHECK-NEXT:    tt.make_range {fusir.name = "NBLOCK", start = 0 : i32, end = 32 : i32}
// CHECK:         %v = tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x!tt.ptr<f16>>
// CHECK:         tt.store %{{.*}}, %v, %{{.*}} : tensor<32x!tt.ptr<f16>>
// CHECK-NOT:   descriptor
// CHECK:       } {tt.num_stages = 2 : i32}
// CHECK-NOT:   descriptor

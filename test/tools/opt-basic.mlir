// RUN: fusir-opt %s | filecheck %s
// RUN: fusir-opt %s -p '' | filecheck %s
// CHECK: func.func @main
func.func @main(%x: f32) -> f32 {
  // CHECK-NEXT: arith.addf
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}

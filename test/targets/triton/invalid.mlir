// RUN: fusir-opt %s --split-input-file --verify-diagnostics -t triton | filecheck %s
// RUN: fusir-opt %s --split-input-file --verify-diagnostics -t ttir | filecheck %s --check-prefix=TTIR

tt.func public @negation(%x: !tt.ptr<f32>) {
  %0 = tt.load %x : !tt.ptr<f32>
  %1 = arith.negf %0 : f32
  tt.store %x, %1 : !tt.ptr<f32>
  tt.return
}
// CHECK: arith.negf cannot be written in Triton's language
// TTIR:  Triton's compiler does not take arith.negf

// -----

tt.func public @symbol(%x: !tt.ptr<f32>) {
  %0 = tt.load %x : !tt.ptr<f32>
  %1 = tt.extern_elementwise %0 {libname = "", libpath = "", pure = true, symbol = "my_function"} : (f32) -> f32
  tt.store %x, %1 : !tt.ptr<f32>
  tt.return
}
// CHECK: triton.language.extra.libdevice has no function for my_function

// -----

tt.func public @half(%x: !tt.ptr<f16>) {
  %0 = tt.load %x : !tt.ptr<f16>
  %1 = math.exp %0 : f16
  tt.store %x, %1 : !tt.ptr<f16>
  tt.return
}
// CHECK: math.exp on f16: Triton's tl.exp takes f32 and f64 only

// -----

tt.func public @literal(%x: !tt.ptr<i32>) {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi32>
  %1 = tt.splat %x : !tt.ptr<i32> -> tensor<2x!tt.ptr<i32>>
  tt.store %1, %0 : tensor<2x!tt.ptr<i32>>
  tt.return
}
// CHECK: a constant tensor with different elements cannot be written in Triton's language

// -----

tt.func public @always(%x: !tt.ptr<i1>, %v: f32) {
  %0 = arith.cmpf true, %v, %v : f32
  tt.store %x, %0 : !tt.ptr<i1>
  tt.return
}
// CHECK: arith.cmpf true cannot be written in Triton's language

// -----

tt.func public @busy(%c: !tt.ptr<i32>, %n: i32) {
  %c1 = arith.constant 1 : i32
  scf.while () : () -> () {
    %old = tt.atomic_rmw add, acquire, gpu, %c, %c1 : (!tt.ptr<i32>, i32) -> i32
    %early = arith.cmpi slt, %old, %n : i32
    scf.condition(%early)
  } do {
    scf.yield
  }
  tt.return
}
// CHECK: an scf.while that does more than wait cannot be written in Triton's language

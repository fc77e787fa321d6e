// RUN: fusir-opt %s -t ttir | filecheck %s
// RUN: fusir-opt %s -t 'ttir{target=gfx942}' | filecheck %s --check-prefix=AMD
// RUN: fusir-opt %s -t 'ttir{locations=true}' | filecheck %s --check-prefix=LOC

// One module a function; our attributes are left out, Triton's stay; symbols of the target's device library.

tt.func public @first(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32, fusir.name = "x"}, %n: i32) attributes {fusir.num_warps = 8 : i64} {
  %c = arith.constant {fusir.name = "XBLOCK"} 64 : i32
  %0 = tt.load %x : !tt.ptr<f32>
  %1 = tt.extern_elementwise %0 {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (f32) -> f32 loc("/home/me/model.py":3:1)
  tt.store %x, %1 : !tt.ptr<f32>
  tt.return
}

tt.func public @second(%x: !tt.ptr<f64>) {
  %0 = tt.load %x : !tt.ptr<f64>
  %1 = tt.extern_elementwise %0 {libname = "", libpath = "", pure = true, symbol = "__nv_fabs"} : (f64) -> f64
  tt.store %x, %1 : !tt.ptr<f64>
  tt.return
}

// CHECK:      builtin.module {
// CHECK-NEXT:   tt.func public @first(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {noinline = false} {
// CHECK-NEXT:     %c = arith.constant 64 : i32
// CHECK:          symbol = "__nv_tanhf"
// CHECK:      // -----
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   tt.func public @second
// AMD:        symbol = "__ocml_tanh_f32"
// AMD:        symbol = "__ocml_fabs_f64"
// LOC:        symbol = "__nv_tanhf"} : (f32) -> f32 loc("/home/me/model.py":3:1)

// RUN: fusir-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: {{.*}}dominance.mlir:5:3: error: arith.addf: %x is used before it is defined
func.func @later_in_block() -> f32 {
  %sum = arith.addf %x, %x : f32
  %x = arith.constant 1.0 : f32
  return %sum : f32
}

// -----

// CHECK: dominance.mlir:17:3: error: values used but not defined: [%inner]
func.func @out_of_a_region(%c: i1) -> f32 {
  scf.if %c {
    %inner = arith.constant 1.0 : f32
  }
  return %inner : f32
}

// -----

// CHECK: error: arith.addf: %x is used before it is defined
func.func @own_result() -> f32 {
  %x = arith.addf %x, %x : f32
  return %x : f32
}

// -----

// CHECK: func.func @from_above
func.func @from_above(%c: i1, %x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %0 = scf.if %c -> (f32) {
    %1 = arith.addf %x, %one : f32
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  return %0 : f32
}

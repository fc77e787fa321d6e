// RUN: fusir-opt %s | fusir-opt | filecheck %s
// RUN: fusir-opt %s --print-op-generic | fusir-opt | filecheck %s

// Comparisons, select and integer casts on scalars and on tensors.

func.func @tensors(%i: tensor<4xi8>, %f: tensor<4xf32>, %c: i1) {
  %0 = arith.cmpi ult, %i, %i : tensor<4xi8>
  %1 = arith.cmpf une, %f, %f : tensor<4xf32>
  %2 = arith.select %1, %f, %f : tensor<4xi1>, tensor<4xf32>
  %3 = arith.select %c, %f, %f : tensor<4xf32>
  %4 = arith.extsi %i : tensor<4xi8> to tensor<4xi32>
  %5 = arith.extui %i : tensor<4xi8> to tensor<4xi32>
  %6 = arith.trunci %4 : tensor<4xi32> to tensor<4xi8>
  %7 = arith.sitofp %i : tensor<4xi8> to tensor<4xf32>
  %8 = arith.uitofp %0 : tensor<4xi1> to tensor<4xf32>
  %9 = arith.fptosi %f : tensor<4xf32> to tensor<4xi64>
  %10 = arith.fptoui %f : tensor<4xf32> to tensor<4xi8>
  return
}
// CHECK-LABEL: @tensors
// CHECK:      arith.cmpi ult, %i, %i : tensor<4xi8>
// CHECK-NEXT: arith.cmpf une, %f, %f : tensor<4xf32>
// CHECK-NEXT: arith.select %{{.*}}, %f, %f : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT: arith.select %c, %f, %f : tensor<4xf32>
// CHECK-NEXT: arith.extsi %i : tensor<4xi8> to tensor<4xi32>
// CHECK-NEXT: arith.extui %i : tensor<4xi8> to tensor<4xi32>
// CHECK-NEXT: arith.trunci %{{.*}} : tensor<4xi32> to tensor<4xi8>
// CHECK-NEXT: arith.sitofp %i : tensor<4xi8> to tensor<4xf32>
// CHECK-NEXT: arith.uitofp %{{.*}} : tensor<4xi1> to tensor<4xf32>
// CHECK-NEXT: arith.fptosi %f : tensor<4xf32> to tensor<4xi64>
// CHECK-NEXT: arith.fptoui %f : tensor<4xf32> to tensor<4xi8>

func.func @scalars(%i: i8, %f: f32) {
  %0 = arith.cmpi ult, %i, %i : i8
  %1 = arith.cmpf une, %f, %f : f32
  %2 = arith.select %1, %f, %f : f32
  %3 = arith.extsi %i : i8 to i32
  %4 = arith.fptoui %f : f32 to i8
  return
}
// CHECK-LABEL: @scalars
// CHECK:      arith.cmpi ult, %i, %i : i8
// CHECK-NEXT: arith.cmpf une, %f, %f : f32
// CHECK-NEXT: arith.select %{{.*}}, %f, %f : f32
// CHECK-NEXT: arith.extsi %i : i8 to i32
// CHECK-NEXT: arith.fptoui %f : f32 to i8

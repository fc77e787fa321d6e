// RUN: fusir-opt %s --fuse | filecheck %s
// RUN: fusir-opt %s --fuse --convert-graph-to-loop --loop-fuse | filecheck %s --check-prefix=LOOP

// The counter of a batch norm needs no kernel of its own: the first program of another kernel stores it.
// CHECK-LABEL: @counter
// CHECK-COUNT-1: graph.fusion
// CHECK-NOT: graph.fusion

// LOOP-LABEL: loop.kernel
// LOOP: loop.parallel (%[[I:.*]]) in (6400)
// LOOP: %[[FIRST:.*]] = arith.cmpi eq, %[[I]]
// LOOP: loop.store {{.*}} if %[[FIRST]] : memref<i64>
func.func @counter(%x: tensor<64x100xf32>, %n: tensor<i64>) -> (tensor<64x100xf32>, tensor<i64>) {
  %y = graph.relu %x : tensor<64x100xf32>
  %one = graph.full 1 : tensor<i64>
  %m = graph.add %n, %one : tensor<i64>
  return %y, %m : tensor<64x100xf32>, tensor<i64>
}

// RUN: fusir-opt %s --loop-online="always=true" --remarks 2> %t.remarks | filecheck %s
// RUN: filecheck %s --input-file %t.remarks --check-prefix REMARK
// RUN: fusir-opt %s --loop-online --remarks 2>&1 | filecheck %s --check-prefix PICKED

// Maximum, then sum of exponentials of differences: one walk. The sum is taken at the maximum so far, which is kept finite,
// and multiplied by exp(old - new) when the maximum grows.

// CHECK-LABEL: loop.kernel @logsumexp
// CHECK:       %m, %s = loop.online (%[[K:.*]]) in (1048576) carry (%[[M0:.*]] = %[[NEG_INF:.*]], %[[S0:.*]] = %[[ZERO:.*]]) -> f32, f32 {
// CHECK-NEXT:    %[[X:.*]] = loop.load %x[%{{.*}}, %[[K]]]
// CHECK-NEXT:    %[[B:.*]] = loop.fold max %[[X]] : f32
// CHECK-NEXT:    %[[M1:.*]] = arith.maximumf %[[M0]], %[[B]]
// CHECK-NEXT:    %[[NEW:.*]] = arith.maximumf %[[M1]], %[[LOWEST:.*]] : f32
// CHECK-NEXT:    %[[D:.*]] = arith.subf %[[X]], %[[NEW]]
// CHECK-NEXT:    %[[E:.*]] = math.exp %[[D]]
// CHECK-NEXT:    %[[T:.*]] = loop.fold add %[[E]] : f32
// CHECK-NEXT:    %[[OLD:.*]] = arith.maximumf %[[M0]], %[[LOWEST]]
// CHECK-NEXT:    %[[SHIFT:.*]] = arith.subf %[[OLD]], %[[NEW]]
// CHECK-NEXT:    %[[SCALE:.*]] = math.exp %[[SHIFT]]
// CHECK-NEXT:    %[[KEPT:.*]] = arith.mulf %[[S0]], %[[SCALE]]
// CHECK-NEXT:    %[[S1:.*]] = arith.addf %[[KEPT]], %[[T]]
// CHECK-NEXT:    loop.yield %[[M1]], %[[S1]] : f32, f32
// What walks over parts of the row end with: each sum goes to the maximum of all parts, then they are added.
// CHECK-NEXT:  } merge (%[[MP:.*]], %[[SP:.*]]) {
// CHECK-NEXT:    %[[MALL:.*]] = loop.fold max %[[MP]] : f32
// CHECK-NEXT:    %[[OWN:.*]] = arith.maximumf %[[MP]], %[[LOWEST]]
// CHECK-NEXT:    %[[ALL:.*]] = arith.maximumf %[[MALL]], %[[LOWEST]]
// CHECK-NEXT:    %[[DP:.*]] = arith.subf %[[OWN]], %[[ALL]]
// CHECK-NEXT:    %[[EP:.*]] = math.exp %[[DP]]
// CHECK-NEXT:    %[[SCALED:.*]] = arith.mulf %[[SP]], %[[EP]]
// CHECK-NEXT:    %[[SALL:.*]] = loop.fold add %[[SCALED]] : f32
// CHECK-NEXT:    loop.yield %[[MALL]], %[[SALL]] : f32, f32
// Behind the walk the sum goes from the finite estimate to the maximum itself: by exp(0), unless there was no number.
// CHECK:       %[[LAST:.*]] = arith.maximumf %m, %[[LOWEST]]
// CHECK-NEXT:  %[[REST:.*]] = arith.subf %[[LAST]], %m
// CHECK-NEXT:  %[[FACTOR:.*]] = math.exp %[[REST]]
// CHECK-NEXT:  %[[SUM:.*]] = arith.mulf %s, %[[FACTOR]]
// CHECK-NEXT:  math.log %[[SUM]]
// CHECK-NOT:   loop.reduce
// REMARK: @logsumexp: 2 cascaded reductions in one walk
// PICKED: @logsumexp: 2 cascaded reductions in one walk
loop.kernel @logsumexp(%x: memref<512x1048576xf32>, %y: memref<512xf32>) {
  loop.parallel (%i) in (512) {
    %m = loop.reduce [max] (%k) in (1048576) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x1048576xf32>
      loop.yield %a : f32
    }
    %s = loop.reduce [add] (%k) in (1048576) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x1048576xf32>
      %d = arith.subf %a, %m : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    }
    %l = math.log %s : f32
    %r = arith.addf %l, %m : f32
    loop.store %r, %y[%i] : memref<512xf32>
  }
}

// Mean, then the sum of squared deviations. The mean is estimated by the sum so far times N / n / N; the sums of squared
// deviations, of deviations and of 1 (the count) correct each other.

// CHECK-LABEL: loop.kernel @variance
// CHECK:       loop.online {{.*}} carry (%[[S0:.*]] = %[[ZERO:.*]], %[[Q0:.*]] = %[[ZERO]], %[[U0:.*]] = %[[ZERO]], %[[COUNT0:.*]] = %[[ZERO]])
// CHECK:         %[[S1:.*]] = arith.addf %[[S0]], %{{.*}} : f32
// CHECK:         %[[WALKED:.*]] = loop.walked
// CHECK:         %[[RATIO:.*]] = arith.divf %[[N:.*]], %count
// CHECK:         %[[SUM1:.*]] = arith.mulf %[[S1]], %[[RATIO]]
// CHECK:         %[[MEAN1:.*]] = arith.mulf %[[SUM1]], %c
// CHECK:         %[[U:.*]] = arith.subf %[[X:.*]], %[[MEAN1]]
// CHECK:         %[[Q:.*]] = arith.mulf %[[U]], %[[U]]
// CHECK:         loop.fold add %[[Q]]
// CHECK:         %[[SHIFT:.*]] = arith.subf %[[MEAN0:.*]], %[[MEAN1]]
// CHECK:         %[[TWICE:.*]] = arith.addf %[[SHIFT]], %[[SHIFT]]
// CHECK:         arith.mulf %[[U0]], %[[TWICE]]
// CHECK:         %[[SQUARE:.*]] = arith.mulf %[[SHIFT]], %[[SHIFT]]
// CHECK:         arith.mulf %[[COUNT0]], %[[SQUARE]]
// CHECK:         loop.fold add %[[U]]
// CHECK:         arith.mulf %[[COUNT0]], %[[SHIFT]]
// Each part has the mean of its own; the sum and the count of all parts need no correction.
// CHECK:       } merge (%[[SP:.*]], %[[QP:.*]], %[[UP:.*]], %[[CP:.*]]) {
// CHECK-NEXT:    %[[SALL:.*]] = loop.fold add %[[SP]] : f32
// CHECK:         %[[DP:.*]] = arith.subf %[[MEANP:.*]], %[[MEANALL:.*]] : f32
// CHECK:         arith.addf %[[QP]]
// CHECK:         %[[SQP:.*]] = arith.mulf %[[DP]], %[[DP]]
// CHECK:         arith.mulf %[[CP]], %[[SQP]]
// CHECK:         %[[QALL:.*]] = loop.fold add
// CHECK:         arith.addf %[[UP]]
// CHECK:         loop.yield %[[SALL]], %[[QALL]], %{{.*}}, %[[N]] : f32, f32, f32, f32
// REMARK: @variance: 2 cascaded reductions in one walk
// By default rows that stay in registers are left alone: nothing is read twice.
// PICKED-NOT: cascaded reductions
loop.kernel @variance(%x: memref<512x4096xf32>, %y: memref<512xf32>) {
  %c = arith.constant 0.000244140625 : f32
  loop.parallel (%i) in (512) {
    %t = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      loop.yield %a : f32
    }
    %mean = arith.mulf %t, %c : f32
    %q = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      %d = arith.subf %a, %mean : f32
      %s = arith.mulf %d, %d : f32
      loop.yield %s : f32
    }
    %v = arith.mulf %q, %c : f32
    loop.store %v, %y[%i] : memref<512xf32>
  }
}

// x / norm: the norm leaves the sum, so that the walk sums up x itself.

// CHECK-LABEL: loop.kernel @normalised
// CHECK:       %q, %[[T:.*]] = loop.online {{.*}} -> f32, f32 {
// CHECK:         %[[X:.*]] = loop.load
// CHECK:         %[[OF_BLOCK:.*]] = loop.fold add %[[X]]
// CHECK:         loop.yield
// CHECK:       %[[NORM:.*]] = math.sqrt
// CHECK:       %[[ONE_OVER:.*]] = arith.divf %{{.*}}, %[[NORM]]
// CHECK:       %[[SUM:.*]] = arith.mulf %[[T]], %[[ONE_OVER]]
// CHECK:       loop.store %[[SUM]], %y
loop.kernel @normalised(%x: memref<512x4096xf32>, %y: memref<512xf32>) {
  loop.parallel (%i) in (512) {
    %q = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      %s = arith.mulf %a, %a : f32
      loop.yield %s : f32
    }
    %norm = math.sqrt %q : f32
    %s = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      %d = arith.divf %a, %norm : f32
      loop.yield %d : f32
    }
    loop.store %s, %y[%i] : memref<512xf32>
  }
}

// The number of elements above the mean: no correction of a count for another mean.

// CHECK-LABEL: loop.kernel @above_mean
// CHECK:       loop.reduce [add]
// CHECK:       loop.reduce [add]
// CHECK-NOT:   loop.online
// REMARK: @above_mean: a walk of its own: add of arith.uitofp has no correction for another estimate of what it needs
loop.kernel @above_mean(%x: memref<512x4096xf32>, %y: memref<512xf32>) {
  %c = arith.constant 0.000244140625 : f32
  loop.parallel (%i) in (512) {
    %t = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      loop.yield %a : f32
    }
    %mean = arith.mulf %t, %c : f32
    %n = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      %p = arith.cmpf ogt, %a, %mean : f32
      %f = arith.uitofp %p : i1 to f32
      loop.yield %f : f32
    }
    loop.store %n, %y[%i] : memref<512xf32>
  }
}

// What a walk stores must be final: exp(x - m) of an estimate is not.

// CHECK-LABEL: loop.kernel @stores_on_the_way
// CHECK-NOT:   loop.online
// REMARK: @stores_on_the_way: a walk of its own: it stores what depends on the reduction before it
loop.kernel @stores_on_the_way(%x: memref<512x4096xf32>, %e: memref<512x4096xf32>, %y: memref<512xf32>) {
  loop.parallel (%i) in (512) {
    %m = loop.reduce [max] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      loop.yield %a : f32
    }
    %s = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%i, %k] : memref<512x4096xf32>
      %d = arith.subf %a, %m : f32
      loop.store %d, %e[%i, %k] : memref<512x4096xf32>
      loop.yield %d : f32
    }
    loop.store %s, %y[%i] : memref<512xf32>
  }
}

// A maximum that is found with its position is an estimate as well; the position is none. Of equal maxima the first is kept,
// also if it is -inf, with which the walk starts.

// CHECK-LABEL: loop.kernel @peak
// CHECK:         [[LOW:%.*]] = arith.constant 0xff800000 : f32
// CHECK:         [[FIRST:%.*]] = arith.constant 0 : i32
// CHECK:         %m, %p, %s = loop.online (%{{.*}}) in (4096) carry ([[M0:%.*]] = [[LOW]], [[P0:%.*]] = [[FIRST]], %{{.*}}) -> f32, i32, f32 {
// CHECK:           [[N:%.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK-NEXT:      [[B:%.*]], [[Q:%.*]] = loop.fold argmax %a, [[N]] : f32, i32
// CHECK:           [[M1:%.*]] = arith.select [[TAKES:%.*]], [[M0]], [[B]] : f32
// CHECK-NEXT:      [[P1:%.*]] = arith.select [[TAKES]], [[P0]], [[Q]] : i32
// CHECK-NEXT:      arith.maximumf [[M1]], {{%.*}} : f32
// CHECK:           loop.fold add
// CHECK:         } merge ([[MP:%.*]], [[PP:%.*]], {{%.*}}) {
// CHECK-NEXT:      loop.fold argmax [[MP]], [[PP]] : f32, i32
// CHECK-NOT:     loop.reduce [add]
// CHECK:         loop.reduce [max]
// REMARK: @peak: a walk of its own: it depends on argmax, of which a part gives no estimate
// REMARK: @peak: 2 cascaded reductions in one walk
loop.kernel @peak(%x: memref<512x4096xf32>, %y: memref<512xf32>, %z: memref<512xf32>, %i: memref<512xi32>) {
  loop.parallel (%r) in (512) {
    %m, %p = loop.reduce [argmax] (%k) in (4096) -> f32, i32 {
      %a = loop.load %x[%r, %k] : memref<512x4096xf32>
      %n = arith.index_cast %k : index to i32
      loop.yield %a, %n : f32, i32
    }
    %s = loop.reduce [add] (%k) in (4096) -> f32 {
      %a = loop.load %x[%r, %k] : memref<512x4096xf32>
      %d = arith.subf %a, %m : f32
      %e = math.exp %d : f32
      loop.yield %e : f32
    }
    %second = loop.reduce [max] (%k) in (4096) -> f32 {
      %a = loop.load %x[%r, %k] : memref<512x4096xf32>
      %n = arith.index_cast %k : index to i32
      %is_first = arith.cmpi eq, %n, %p : i32
      %b = arith.select %is_first, %s, %a : f32
      loop.yield %b : f32
    }
    loop.store %s, %y[%r] : memref<512xf32>
    loop.store %second, %z[%r] : memref<512xf32>
    loop.store %p, %i[%r] : memref<512xi32>
  }
}

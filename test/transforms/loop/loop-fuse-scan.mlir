// RUN: fusir-opt %s --loop-fuse --split-input-file | filecheck %s

// A scan and what is pointwise around it are one loop: each element is loaded once and stored once.

// CHECK-LABEL: loop.kernel @neighbours(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (8) {
// CHECK-NEXT:      loop.scan ([[K:%.*]]) in (16) {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[I]], [[K]]] : memref<8x16xf32>
// CHECK-NEXT:        [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:        [[P:%.*]] = loop.prefix add [[E]] : f32
// CHECK-NEXT:        [[D:%.*]] = arith.subf [[P]], [[E]] : f32
// CHECK-NEXT:        loop.store [[D]], %y{{\[}}[[I]], [[K]]] : memref<8x16xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:  }
loop.kernel @neighbours(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  %t = loop.local : memref<8x16xf32>
  %u = loop.local : memref<8x16xf32>
  loop.parallel (%i, %k) in (8, 16) {
    %a = loop.load %x[%i, %k] : memref<8x16xf32>
    %b = math.exp %a : f32
    loop.store %b, %t[%i, %k] : memref<8x16xf32>
  }
  loop.parallel (%i) in (8) {
    loop.scan (%k) in (16) {
      %a = loop.load %t[%i, %k] : memref<8x16xf32>
      %p = loop.prefix add %a : f32
      loop.store %p, %u[%i, %k] : memref<8x16xf32>
    }
  }
  loop.parallel (%i, %k) in (8, 16) {
    %a = loop.load %u[%i, %k] : memref<8x16xf32>
    %b = loop.load %t[%i, %k] : memref<8x16xf32>
    %c = arith.subf %a, %b : f32
    loop.store %c, %y[%i, %k] : memref<8x16xf32>
  }
}

// -----

// Scans of one box and scans of scans share the loop, also along the first dim.

// CHECK-LABEL: loop.kernel @siblings(
// CHECK-NEXT:    loop.parallel ([[J:%.*]]) in (5) {
// CHECK-NEXT:      loop.scan reverse ([[K:%.*]]) in (12) {
// CHECK-NEXT:        [[X:%.*]] = loop.load %x{{\[}}[[K]], [[J]]] : memref<12x5xi64>
// CHECK-NEXT:        [[M:%.*]] = loop.prefix max [[X]] : i64
// CHECK-NEXT:        loop.store [[M]], %y
// CHECK-NEXT:        [[P:%.*]] = loop.prefix add [[X]] : i64
// CHECK-NEXT:        [[Q:%.*]] = loop.prefix mul [[P]] : i64
// CHECK-NEXT:        loop.store [[Q]], %z
// CHECK-NEXT:      }
// CHECK-NEXT:    }
loop.kernel @siblings(%x: memref<12x5xi64>, %y: memref<12x5xi64>, %z: memref<12x5xi64>) {
  %t = loop.local : memref<12x5xi64>
  loop.parallel (%j) in (5) {
    loop.scan reverse (%k) in (12) {
      %a = loop.load %x[%k, %j] : memref<12x5xi64>
      %p = loop.prefix add %a : i64
      loop.store %p, %t[%k, %j] : memref<12x5xi64>
    }
  }
  loop.parallel (%j) in (5) {
    loop.scan reverse (%k) in (12) {
      %a = loop.load %x[%k, %j] : memref<12x5xi64>
      %p = loop.prefix max %a : i64
      loop.store %p, %y[%k, %j] : memref<12x5xi64>
    }
  }
  loop.parallel (%j) in (5) {
    loop.scan reverse (%k) in (12) {
      %a = loop.load %t[%k, %j] : memref<12x5xi64>
      %p = loop.prefix mul %a : i64
      loop.store %p, %z[%k, %j] : memref<12x5xi64>
    }
  }
}

// -----

// A reduction that a scan needs comes first, in a loop of its own.

// CHECK-LABEL: loop.kernel @of_reduced(
// CHECK-NEXT:    loop.parallel ([[I:%.*]]) in (8) {
// CHECK-NEXT:      [[M:%.*]] = loop.reduce [max] ([[K:%.*]]) in (16) -> f32 {
// CHECK:           loop.scan ([[K:%.*]]) in (16) {
// CHECK-NEXT:        [[X:%.*]] = loop.load
// CHECK-NEXT:        [[D:%.*]] = arith.subf [[X]], [[M]] : f32
// CHECK-NEXT:        [[P:%.*]] = loop.prefix add [[D]] : f32
// CHECK-NEXT:        loop.store [[P]]
loop.kernel @of_reduced(%x: memref<8x16xf32>, %y: memref<8x16xf32>) {
  %t = loop.local : memref<8xf32>
  loop.parallel (%i) in (8) {
    %m = loop.reduce [max] (%k) in (16) -> f32 {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      loop.yield %a : f32
    }
    loop.store %m, %t[%i] : memref<8xf32>
  }
  loop.parallel (%i) in (8) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %m = loop.load %t[%i] : memref<8xf32>
      %d = arith.subf %a, %m : f32
      %p = loop.prefix add %d : f32
      loop.store %p, %y[%i, %k] : memref<8x16xf32>
    }
  }
}

// -----

// The prefixes of a value that is the same in all iterations are not.

// CHECK-LABEL: loop.kernel @constant(
// CHECK:         loop.scan ([[K:%.*]]) in (16) {
// CHECK-NEXT:      [[P:%.*]] = loop.prefix add %one : f32
// CHECK-NEXT:      loop.store [[P]], %y{{\[}}[[K]]] : memref<16xf32>
loop.kernel @constant(%y: memref<16xf32>) {
  %one = arith.constant 1.0 : f32
  loop.parallel (%i) in (1) {
    loop.scan (%k) in (16) {
      %p = loop.prefix add %one : f32
      loop.store %p, %y[%k] : memref<16xf32>
    }
  }
}

// -----

// The maximum of what is searched for its position is found with it, also if it is stored first.

// CHECK-LABEL: loop.kernel @cummax(
// CHECK:           loop.scan ([[K:%.*]]) in (16) {
// CHECK:             [[X:%.*]] = loop.load %x
// CHECK:             [[M:%.*]], [[P:%.*]] = loop.prefix last_argmax [[X]], {{%.*}} : f32, i64
// CHECK-NOT:         loop.prefix max
// CHECK:             loop.store [[M]], %y
// CHECK:             loop.store [[P]], %z
// CHECK:             loop.prefix min [[X]] : f32
loop.kernel @cummax(%x: memref<8x16xf32>, %y: memref<8x16xf32>, %z: memref<8x16xi64>, %w: memref<8x16xf32>) {
  loop.parallel (%i) in (8) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %p = loop.prefix max %a : f32
      loop.store %p, %y[%i, %k] : memref<8x16xf32>
    }
  }
  loop.parallel (%i) in (8) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %n = arith.index_cast %k : index to i64
      %m, %p = loop.prefix last_argmax %a, %n : f32, i64
      loop.store %p, %z[%i, %k] : memref<8x16xi64>
    }
  }
  loop.parallel (%i) in (8) {
    loop.scan (%k) in (16) {
      %a = loop.load %x[%i, %k] : memref<8x16xf32>
      %p = loop.prefix min %a : f32
      loop.store %p, %w[%i, %k] : memref<8x16xf32>
    }
  }
}

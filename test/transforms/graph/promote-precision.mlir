// RUN: fusir-opt %s --promote-precision | filecheck %s
// RUN: fusir-opt %s -p 'promote-precision{strict-rounding=true}' | filecheck %s --check-prefix=STRICT

// CHECK-LABEL: func.func @pointwise(
// CHECK: [[X:%.*]] = graph.convert %a : tensor<4xbf16> -> tensor<4xf32>
// CHECK-NEXT: [[E:%.*]] = graph.exp [[X]] : tensor<4xf32>
// CHECK-NEXT: [[M:%.*]] = graph.mul [[E]], [[X]] : tensor<4xf32>
// CHECK-NEXT: [[R:%.*]] = graph.convert [[M]] : tensor<4xf32> -> tensor<4xbf16>
// CHECK-NEXT: graph.yield [[R]]
// STRICT-LABEL: func.func @pointwise(
// STRICT: [[X:%.*]] = graph.convert %a : tensor<4xbf16> -> tensor<4xf32>
// STRICT-NEXT: [[E:%.*]] = graph.exp [[X]] : tensor<4xf32>
// STRICT-NEXT: [[H:%.*]] = graph.convert [[E]] : tensor<4xf32> -> tensor<4xbf16>
// STRICT-NEXT: [[W:%.*]] = graph.convert [[H]] : tensor<4xbf16> -> tensor<4xf32>
// STRICT-NEXT: [[M:%.*]] = graph.mul [[W]], [[X]] : tensor<4xf32>
func.func @pointwise(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = graph.fusion (%a = %x : tensor<4xbf16>) -> tensor<4xbf16> {
    %1 = graph.exp %a : tensor<4xbf16>
    %2 = graph.mul %1, %a : tensor<4xbf16>
    graph.yield %2 : tensor<4xbf16>
  }
  return %0 : tensor<4xbf16>
}

// What only moves values stays as it is.
// CHECK-LABEL: func.func @movement(
// CHECK-NOT: f32
// CHECK: return
func.func @movement(%x: tensor<4x8xf16>, %i: tensor<2xi64>, %c: tensor<8x2xi1>) -> tensor<8x2xf16> {
  %0 = graph.fusion (%a = %x : tensor<4x8xf16>, %b = %i : tensor<2xi64>, %d = %c : tensor<8x2xi1>) -> tensor<8x2xf16> {
    %1 = graph.gather %a[%b] dims [0] : (tensor<4x8xf16>, tensor<2xi64>) -> tensor<2x8xf16>
    %2 = graph.permute %1 dims [1, 0] : tensor<2x8xf16> -> tensor<8x2xf16>
    %3 = graph.full 0.0 : tensor<8x2xf16>
    %4 = graph.select %d, %2, %3 : tensor<8x2xf16>
    graph.yield %4 : tensor<8x2xf16>
  }
  return %0 : tensor<8x2xf16>
}

// A view of a computed value keeps its precision.
// CHECK-LABEL: func.func @view_of_computed(
// CHECK: graph.reduce sum %{{.*}} dims [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK-NEXT: graph.broadcast %{{.*}} dims [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT: graph.div %{{.*}} : tensor<4x8xf32>
// CHECK-NEXT: graph.convert %{{.*}} : tensor<4x8xf32> -> tensor<4x8xf16>
func.func @view_of_computed(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = graph.fusion (%a = %x : tensor<4x8xf16>) -> tensor<4x8xf16> {
    %1 = graph.reduce sum %a dims [1] : tensor<4x8xf16> -> tensor<4xf16>
    %2 = graph.broadcast %1 dims [0] : tensor<4xf16> -> tensor<4x8xf16>
    %3 = graph.div %a, %2 : tensor<4x8xf16>
    graph.yield %3 : tensor<4x8xf16>
  }
  return %0 : tensor<4x8xf16>
}

// Ops that jump see the rounded value.
// CHECK-LABEL: func.func @argmax(
// CHECK: [[M:%.*]] = graph.mul %{{.*}} : tensor<4x8xf32>
// CHECK-NEXT: [[H:%.*]] = graph.convert [[M]] : tensor<4x8xf32> -> tensor<4x8xf16>
// CHECK-NEXT: [[W:%.*]] = graph.convert [[H]] : tensor<4x8xf16> -> tensor<4x8xf32>
// CHECK-NEXT: graph.reduce argmax [[W]] dims [1] : tensor<4x8xf32> -> tensor<4xi64>
func.func @argmax(%x: tensor<4x8xf16>) -> tensor<4xi64> {
  %0 = graph.fusion (%a = %x : tensor<4x8xf16>) -> tensor<4xi64> {
    %1 = graph.mul %a, %a : tensor<4x8xf16>
    %2 = graph.reduce argmax %1 dims [1] : tensor<4x8xf16> -> tensor<4xi64>
    graph.yield %2 : tensor<4xi64>
  }
  return %0 : tensor<4xi64>
}

// Outside of fusions nothing changes.
// CHECK-LABEL: func.func @outside(
// CHECK-NEXT: graph.exp %x : tensor<4xf16>
func.func @outside(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = graph.exp %x : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// What follows a contraction takes its f32 sums, what it contracts is rounded to its own type.
// CHECK-LABEL: func.func @contraction(
// CHECK: [[R:%.*]] = graph.relu %{{.*}} : tensor<8x4xf32>
// CHECK-NEXT: [[H:%.*]] = graph.convert [[R]] : tensor<8x4xf32> -> tensor<8x4xbf16>
// CHECK-NEXT: [[Y:%.*]] = graph.contract [[H]], %b batch [], [] contract [1], [0] : (tensor<8x4xbf16>, tensor<4x2xbf16>) -> tensor<8x2xf32>
// CHECK-NEXT: [[E:%.*]] = graph.exp [[Y]] : tensor<8x2xf32>
// CHECK-NEXT: [[S:%.*]] = graph.convert [[E]] : tensor<8x2xf32> -> tensor<8x2xbf16>
// CHECK-NEXT: graph.yield [[S]]
// STRICT-LABEL: func.func @contraction(
// STRICT: [[Y:%.*]] = graph.contract {{.*}} -> tensor<8x2xbf16>
// STRICT-NEXT: [[W:%.*]] = graph.convert [[Y]] : tensor<8x2xbf16> -> tensor<8x2xf32>
// STRICT-NEXT: graph.exp [[W]]
func.func @contraction(%x: tensor<8x4xbf16>, %w: tensor<4x2xbf16>) -> tensor<8x2xbf16> {
  %0 = graph.fusion (%a = %x : tensor<8x4xbf16>, %b = %w : tensor<4x2xbf16>) -> tensor<8x2xbf16> {
    %1 = graph.relu %a : tensor<8x4xbf16>
    %2 = graph.contract %1, %b batch [], [] contract [1], [0] : (tensor<8x4xbf16>, tensor<4x2xbf16>) -> tensor<8x2xbf16>
    %3 = graph.exp %2 : tensor<8x2xbf16>
    graph.yield %3 : tensor<8x2xbf16>
  }
  return %0 : tensor<8x2xbf16>
}

// One that has an f32 result keeps it, and what it contracts is rounded too.
// CHECK-LABEL: func.func @wide_contraction(
// CHECK: graph.contract %{{.*}}, %b batch [], [] contract [1], [0] : (tensor<8x4xf16>, tensor<4x2xf16>) -> tensor<8x2xf32>
// CHECK-NEXT: graph.yield
// STRICT-LABEL: func.func @wide_contraction(
// STRICT: graph.contract %{{.*}}, %b batch [], [] contract [1], [0] : (tensor<8x4xf16>, tensor<4x2xf16>) -> tensor<8x2xf32>
// STRICT-NEXT: graph.yield
func.func @wide_contraction(%x: tensor<8x4xf16>, %w: tensor<4x2xf16>) -> tensor<8x2xf32> {
  %0 = graph.fusion (%a = %x : tensor<8x4xf16>, %b = %w : tensor<4x2xf16>) -> tensor<8x2xf32> {
    %1 = graph.neg %a : tensor<8x4xf16>
    %2 = graph.contract %1, %b batch [], [] contract [1], [0] : (tensor<8x4xf16>, tensor<4x2xf16>) -> tensor<8x2xf32>
    graph.yield %2 : tensor<8x2xf32>
  }
  return %0 : tensor<8x2xf32>
}

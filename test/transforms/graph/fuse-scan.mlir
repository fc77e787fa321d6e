// RUN: fusir-opt %s --fuse --split-input-file | filecheck %s
// RUN: fusir-opt %s --fuse --split-input-file --remarks 2>&1 >/dev/null | filecheck %s --check-prefix REMARK

// Pointwise producers and consumers share the kernel of a scan, and so do scans of the same rows.

// CHECK-LABEL: func.func @neighbours
// CHECK-NEXT:    %t = graph.fusion
// CHECK-NEXT:      %m = graph.mul
// CHECK-NEXT:      %s = graph.scan sum
// CHECK-NEXT:      %n = graph.scan max
// CHECK-NEXT:      %{{.*}} = graph.sub
// CHECK-NEXT:      graph.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// REMARK: fused: 4 ops that compute %t
func.func @neighbours(%x: tensor<64x100xf32>, %y: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %m = graph.mul %x, %y : tensor<64x100xf32>
  %s = graph.scan sum %m dim 1 : tensor<64x100xf32>
  %n = graph.scan max %y dim 1 : tensor<64x100xf32>
  %t = graph.sub %s, %n : tensor<64x100xf32>
  func.return %t : tensor<64x100xf32>
}

// -----

// Reductions that do not need the prefixes share the kernel too: they come first.

// CHECK-LABEL: func.func @reductions
// CHECK-NEXT:    %m, %s, %t = graph.fusion
// CHECK-NOT:     graph.fusion
func.func @reductions(%x: tensor<300x4000xf32>) -> (tensor<300xf32>, tensor<300x4000xf32>, tensor<300xf32>) {
  %m = graph.reduce max %x dims [1] : tensor<300x4000xf32> -> tensor<300xf32>
  %b = graph.broadcast %m dims [0] : tensor<300xf32> -> tensor<300x4000xf32>
  %d = graph.sub %x, %b : tensor<300x4000xf32>
  %s = graph.scan sum %d dim 1 : tensor<300x4000xf32>
  %t = graph.reduce sum %d dims [1] : tensor<300x4000xf32> -> tensor<300xf32>
  func.return %m, %s, %t : tensor<300xf32>, tensor<300x4000xf32>, tensor<300xf32>
}

// -----

// What needs prefixes at other places, over another dim, from the other end or for a reduction reads them from memory.

// CHECK-LABEL: func.func @apart
// CHECK-NEXT:  %s = graph.fusion
// CHECK:       graph.yield %{{.*}} : tensor<64x100xf32>
// CHECK-NEXT:  }
// REMARK-DAG: not fused: {{.*}} scan from different ends
// REMARK-DAG: not fused: %s scans over dims [1], %c over dims [0]
// REMARK-DAG: not fused: %e has neither the shape that %s walks nor that of its result
func.func @apart(%x: tensor<64x100xf32>) -> (tensor<64x100xf32>, tensor<64x100xf32>, tensor<64xf32>, tensor<64x99xf32>, tensor<64x100xf32>) {
  %s = graph.scan sum %x dim 1 : tensor<64x100xf32>
  %b = graph.scan sum %s dim 1 reverse : tensor<64x100xf32>
  %c = graph.scan sum %s dim 0 : tensor<64x100xf32>
  %r = graph.reduce max %s dims [1] : tensor<64x100xf32> -> tensor<64xf32>
  %shift = graph.slice %s starts [0, 0] steps [1, 1] : tensor<64x100xf32> -> tensor<64x99xf32>
  %e = graph.exp %shift : tensor<64x99xf32>
  %reversed = graph.reverse %s dims [0] : tensor<64x100xf32>
  %moved = graph.exp %reversed : tensor<64x100xf32>
  func.return %b, %c, %r, %e, %moved : tensor<64x100xf32>, tensor<64x100xf32>, tensor<64xf32>, tensor<64x99xf32>, tensor<64x100xf32>
}

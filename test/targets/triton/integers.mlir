// RUN: fusir-opt %s -t triton | filecheck %s

// Unsigned and boolean arithmetic on signless types; the multiplications of a counter-based generator.

tt.func public @bytes(%x: !tt.ptr<i8>, %m: !tt.ptr<i8>, %out: !tt.ptr<i8>, %wide: !tt.ptr<i64>, %f: !tt.ptr<f32>) {
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %px = tt.splat %x : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>>
  %qx = tt.addptr %px, %i : tensor<128x!tt.ptr<i8>>, tensor<128xi32>
  %v = tt.load %qx : tensor<128x!tt.ptr<i8>>
  %pm = tt.splat %m : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>>
  %qm = tt.addptr %pm, %i : tensor<128x!tt.ptr<i8>>, tensor<128xi32>
  %b8 = tt.load %qm : tensor<128x!tt.ptr<i8>>
  %zero = arith.constant dense<0> : tensor<128xi8>
  %b = arith.cmpi ne, %b8, %zero : tensor<128xi8>
  // uint8: division, comparison, widening, conversion to float and back
  %seven = arith.constant dense<7> : tensor<128xi8>
  %big = arith.constant dense<200> : tensor<128xi8>
  %d = arith.divui %v, %seven : tensor<128xi8>
  %lt = arith.cmpi ult, %d, %big : tensor<128xi8>
  %r = arith.remui %big, %v : tensor<128xi8>
  %mx = arith.maxui %d, %r : tensor<128xi8>
  %sh = arith.shrui %mx, %seven : tensor<128xi8>
  %w = arith.extui %sh : tensor<128xi8> to tensor<128xi64>
  %sw = arith.extsi %v : tensor<128xi8> to tensor<128xi64>
  %fl = arith.uitofp %v : tensor<128xi8> to tensor<128xf32>
  %back = arith.fptoui %fl : tensor<128xf32> to tensor<128xi8>
  // bool: not, and, to int and to float
  %true = arith.constant dense<true> : tensor<128xi1>
  %nb = arith.xori %b, %true : tensor<128xi1>
  %both = arith.andi %nb, %lt : tensor<128xi1>
  %bi = arith.extui %both : tensor<128xi1> to tensor<128xi8>
  %bf = arith.uitofp %both : tensor<128xi1> to tensor<128xf32>
  %one = arith.constant dense<1> : tensor<128xi8>
  %low = arith.andi %sh, %one : tensor<128xi8>
  %bit = arith.cmpi ne, %low, %zero : tensor<128xi8>
  %sel = arith.select %bit, %back, %bi : tensor<128xi1>, tensor<128xi8>
  %po = tt.splat %out : !tt.ptr<i8> -> tensor<128x!tt.ptr<i8>>
  %qo = tt.addptr %po, %i : tensor<128x!tt.ptr<i8>>, tensor<128xi32>
  tt.store %qo, %sel : tensor<128x!tt.ptr<i8>>
  %pw = tt.splat %wide : !tt.ptr<i64> -> tensor<128x!tt.ptr<i64>>
  %qw = tt.addptr %pw, %i : tensor<128x!tt.ptr<i64>>, tensor<128xi32>
  %big64 = arith.constant dense<5000000000> : tensor<128xi64>
  %w2 = arith.addi %w, %big64 : tensor<128xi64>
  %w3 = arith.muli %w2, %sw : tensor<128xi64>
  tt.store %qw, %w3 : tensor<128x!tt.ptr<i64>>
  %pf = tt.splat %f : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  %qf = tt.addptr %pf, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  tt.store %qf, %bf : tensor<128x!tt.ptr<f32>>
  tt.return
}

// CHECK-LABEL: def bytes(
// CHECK:           d = (v.to(tl.uint8) // 7).to(tl.int8)
// CHECK:           lt = d.to(tl.uint8) < 200
// CHECK:           w = sh.to(tl.uint8).to(tl.int64)
// CHECK:           fl = v.to(tl.uint8).to(tl.float32)
// CHECK:           back = fl.to(tl.uint8).to(tl.int8)
// CHECK:           nb = ~b

tt.func public @philox(%out: !tt.ptr<i32>, %key: i32) {
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
  %m = arith.constant dense<-766435501> : tensor<128xi32>
  %hi = tt.mulhiui %i, %m : tensor<128xi32>
  %lo = arith.muli %i, %m : tensor<128xi32>
  %k = tt.splat %key : i32 -> tensor<128xi32>
  %x = arith.xori %hi, %k : tensor<128xi32>
  %y = arith.xori %x, %lo : tensor<128xi32>
  %eight = arith.constant dense<8> : tensor<128xi32>
  %z = arith.shrui %y, %eight : tensor<128xi32>
  %f = arith.uitofp %z : tensor<128xi32> to tensor<128xf32>
  %bits = tt.bitcast %f : tensor<128xf32> -> tensor<128xi32>
  %p = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>>
  %q = tt.addptr %p, %i : tensor<128x!tt.ptr<i32>>, tensor<128xi32>
  tt.store %q, %bits : tensor<128x!tt.ptr<i32>>
  %old = tt.atomic_rmw add, relaxed, gpu, %q, %bits : (tensor<128x!tt.ptr<i32>>, tensor<128xi32>) -> tensor<128xi32>
  tt.return
}

// CHECK-LABEL: def philox(
// CHECK:           hi = tl.umulhi(i, -766435501)
// CHECK:           z = (y.to(tl.uint32) >> 8).to(tl.int32)
// CHECK:           bits = f.to(tl.int32, bitcast=True)
// CHECK:           tl.atomic_add(q, bits, sem="relaxed")

// RUN: fusir-opt %s | fusir-opt | filecheck %s
// RUN: fusir-opt %s --print-op-generic | fusir-opt | filecheck %s

// The bits of a float in a dense literal are not a number.

%inf = arith.constant dense<0x7F800000> : tensor<4xf32>
%low = arith.constant dense<0xFF80> : tensor<2xbf16>
%nan = arith.constant dense<[0x7FC00000, 1.5]> : tensor<2xf32>
%int = arith.constant dense<0x7F> : tensor<2xi32>

// CHECK: arith.constant dense<0x7f800000> : tensor<4xf32>
// CHECK: arith.constant dense<0xff80> : tensor<2xbf16>
// CHECK: arith.constant dense<[0x7fc00000, 1.500000e+00]> : tensor<2xf32>
// CHECK: arith.constant dense<127> : tensor<2xi32>

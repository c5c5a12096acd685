// RUN: spatial-opt %s | filecheck %s

// A float in hexadecimal is its bits, in a dense literal as elsewhere.

// CHECK:      %a = arith.constant 0xff800000 : f32
// CHECK-NEXT: %b = arith.constant dense<0xff800000> : tensor<2xf32>
// CHECK-NEXT: %c = arith.constant dense<[1.000000e+00, -1.000000e+00]> : tensor<2xbf16>
// CHECK-NEXT: %d = arith.constant dense<16> : tensor<2xi32>
%a = arith.constant 0xFF800000 : f32
%b = arith.constant dense<0xFF800000> : tensor<2xf32>
%c = arith.constant dense<[0x3F80, 0xBF80]> : tensor<2xbf16>
%d = arith.constant dense<0x10> : tensor<2xi32>

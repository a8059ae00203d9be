// Integers become numbers of 8 bits, and back, without a float in between: folding joins the two conversions.
// RUN: forge run %s --target cpu
// RUN: forge run %s --target sim:sm_90a
// RUN: forge run %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o

func.func @main() {
  %x = stablehlo.constant dense<[0, -6, 7, 9, 448, -57344, 61440, 2147483647]> : tensor<8xi32>
  %c = stablehlo.optimization_barrier %x : tensor<8xi32>
  // 9 is a tie between 8 and 10; from 61440 on there is only infinity.
  %0 = stablehlo.convert %c : (tensor<8xi32>) -> tensor<8xf8E5M2>
  check.expect_eq_const %0, dense<[0.0, -6.0, 7.0, 8.0, 448.0, -57344.0, 0x7C, 0x7C]> : tensor<8xf8E5M2>
  %b = stablehlo.constant dense<[0, -6, 17, 127]> : tensor<4xi8>
  %d = stablehlo.optimization_barrier %b : tensor<4xi8>
  %1 = stablehlo.convert %d : (tensor<4xi8>) -> tensor<4xf8E4M3FN>
  check.expect_eq_const %1, dense<[0.0, -6.0, 16.0, 128.0]> : tensor<4xf8E4M3FN>
  %u = stablehlo.constant dense<[0, 255, 17, 127]> : tensor<4xui8>
  %e = stablehlo.optimization_barrier %u : tensor<4xui8>
  %2 = stablehlo.convert %e : (tensor<4xui8>) -> tensor<4xf8E4M3FN>
  check.expect_eq_const %2, dense<[0.0, 256.0, 16.0, 128.0]> : tensor<4xf8E4M3FN>
  %3 = stablehlo.convert %2 : (tensor<4xf8E4M3FN>) -> tensor<4xi32>
  check.expect_eq_const %3, dense<[0, 256, 16, 128]> : tensor<4xi32>
  return
}

// Numbers of 32 and 16 bits become numbers of 8, and back: ties, denormals, the limits, infinities.
// RUN: forge run %s --function floats --target cpu
// RUN: forge run %s --function floats --target sim:sm_90a
// RUN: forge run %s --function floats --target sim:gfx942
// RUN: forge verify %s --function random --target sim:sm_90a
// RUN: forge verify %s --function codes --target sim:sm_90a
// RUN: forge compile %s --function floats --target cuda:sm_90a --to ptx -o - | FileCheck %s
// CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32
// CHECK-DAG: cvt.rn.f16x2.e4m3x2
func.func @floats() {
  %x = stablehlo.constant dense<[1.0625, 1.1875, 464.0, 464.1, -465.0, 0x7F800000, 0xFF800000, 0.0009765625, 0.00098, -0.0029296875, -0.0, 447.0]> : tensor<12xf32>
  %c = stablehlo.optimization_barrier %x : tensor<12xf32>
  %0 = stablehlo.convert %c : (tensor<12xf32>) -> tensor<12xf8E4M3FN>
  check.expect_eq_const %0, dense<[1.0, 1.25, 448.0, 0x7F, 0xFF, 0x7F, 0xFF, 0.0, 0.001953125, -0.00390625, -0.0, 448.0]> : tensor<12xf8E4M3FN>
  %1 = stablehlo.convert %c : (tensor<12xf32>) -> tensor<12xf8E5M2>
  check.expect_eq_const %1, dense<[1.0, 1.25, 448.0, 448.0, -448.0, 0x7C, 0xFC, 0.0009765625, 0.0009765625, -0.0029296875, -0.0, 448.0]> : tensor<12xf8E5M2>
  %h = stablehlo.constant dense<[1.0625, 61440.0, -57344.0, 0.0]> : tensor<4xf16>
  %d = stablehlo.optimization_barrier %h : tensor<4xf16>
  %2 = stablehlo.convert %d : (tensor<4xf16>) -> tensor<4xf8E5M2>
  check.expect_eq_const %2, dense<[1.0, 0x7C, -57344.0, 0.0]> : tensor<4xf8E5M2>
  %s = stablehlo.constant dense<[1.125, -448.0, 0.001953125, 0.0]> : tensor<4xf8E4M3FN>
  %e = stablehlo.optimization_barrier %s : tensor<4xf8E4M3FN>
  %3 = stablehlo.convert %e : (tensor<4xf8E4M3FN>) -> tensor<4xbf16>
  check.expect_eq_const %3, dense<[1.125, -448.0, 0.001953125, 0.0]> : tensor<4xbf16>
  return
}

func.func @random(%x: tensor<4096xf32>, %y: tensor<4096xbf16>) -> (tensor<4096xf8E4M3FN>, tensor<4096xf8E5M2>) {
  %f = stablehlo.constant dense<600.0> : tensor<4096xf32>
  %0 = stablehlo.multiply %x, %f : tensor<4096xf32>
  %1 = stablehlo.convert %0 : (tensor<4096xf32>) -> tensor<4096xf8E4M3FN>
  %2 = stablehlo.convert %y : (tensor<4096xbf16>) -> tensor<4096xf8E5M2>
  return %1, %2 : tensor<4096xf8E4M3FN>, tensor<4096xf8E5M2>
}

func.func @codes() -> (tensor<256xf32>, tensor<256xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<256xui8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<256xui8>) -> tensor<256xf8E4M3FN>
  %2 = stablehlo.convert %1 : (tensor<256xf8E4M3FN>) -> tensor<256xf32>
  %3 = stablehlo.bitcast_convert %0 : (tensor<256xui8>) -> tensor<256xf8E5M2>
  %4 = stablehlo.convert %3 : (tensor<256xf8E5M2>) -> tensor<256xf32>
  return %2, %4 : tensor<256xf32>, tensor<256xf32>
}

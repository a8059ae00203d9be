// Integers become floats of 8 bits without another float in between, which folding makes: GPUs gave the bits of the integer.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
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

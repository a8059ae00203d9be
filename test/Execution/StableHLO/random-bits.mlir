// RUN: forge run %s
// RUN: forge run %s --tier correctness

// Known answers of the generators' authors (Random123's kat_vectors): all zeros, and all ones.

func.func @main() {
  %zero = stablehlo.constant dense<0> : tensor<2xui64>
  %0:2 = stablehlo.rng_bit_generator %zero, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  check.expect_eq_const %0#0, dense<[0, 1]> : tensor<2xui64>
  check.expect_eq_const %0#1, dense<[0x6B200159, 0x99BA4EFE]> : tensor<2xui32>
  %ones = stablehlo.constant dense<18446744073709551615> : tensor<2xui64>
  %1:2 = stablehlo.rng_bit_generator %ones, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1xui64>)
  check.expect_eq_const %1#0, dense<[18446744073709551615, 0]> : tensor<2xui64>
  check.expect_eq_const %1#1, dense<[0xBB002BE71CB996FC]> : tensor<1xui64>

  %long = stablehlo.constant dense<0> : tensor<3xui64>
  %2:2 = stablehlo.rng_bit_generator %long, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %2#0, dense<[0, 1, 0]> : tensor<3xui64>
  check.expect_eq_const %2#1, dense<[0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]> : tensor<4xui32>
  // All ones: the counter carries over into nothing.
  %allOnes = stablehlo.constant dense<18446744073709551615> : tensor<3xui64>
  %3:2 = stablehlo.rng_bit_generator %allOnes, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3xui32>)
  check.expect_eq_const %3#0, dense<[18446744073709551615, 0, 0]> : tensor<3xui64>
  check.expect_eq_const %3#1, dense<[0x408F276D, 0x41C83B0E, 0xA20BC7C6]> : tensor<3xui32>

  // What XLA's CPU gives for JAX's rbg key [1, 2, 3, 4]: philox, the key being the counter's high
  // half, and both left as they are.
  %rbg = stablehlo.constant dense<[0x200000001, 0x400000003]> : tensor<2xui64>
  %5:2 = stablehlo.rng_bit_generator %rbg, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  check.expect_eq_const %5#0, dense<[0x200000001, 0x400000004]> : tensor<2xui64>
  check.expect_eq_const %5#1, dense<[512747620, 1298009047, 1267190206]> : tensor<3xui32>

  // Neighbours along an even dimension share a block; the low bits are what narrow integers get.
  %4:2 = stablehlo.rng_bit_generator %zero, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<1x2xui8>)
  check.expect_eq_const %4#1, dense<[[0x59, 0xFE]]> : tensor<1x2xui8>
  return
}

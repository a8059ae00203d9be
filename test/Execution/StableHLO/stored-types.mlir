// Floats that are stored and converted, but not computed with, and integers of 2 bits: every code of each type, roundings with ties, overflow and what is
// not finite, constants, structure operations; on the CPU and on simulated chips, against the reference. The expected codes are those of ml_dtypes 0.6.
// (2^-127 is no normal number of bf16, and processors' conversions may give 0: f8E8M0FNU is not converted to it.)
// RUN: forge run %s --function rounded
// RUN: forge run %s --function rounded --tier correctness
// RUN: forge run %s --function rounded --target sim:sm_90a
// RUN: forge verify %s --function codes
// RUN: forge verify %s --function codes --tier correctness
// RUN: forge verify %s --function codes --target sim:sm_90a
// RUN: forge verify %s --function codes --target sim:gfx942
// RUN: forge verify %s --function from
// RUN: forge verify %s --function from --tier correctness
// RUN: forge verify %s --function from --distribution huge
// RUN: forge verify %s --function from --distribution small --target sim:gfx942
// RUN: forge verify %s --function structure --each-stage --dynamic-size 3
// RUN: forge verify %s --function structure --target sim:sm_90a
// RUN: forge run %s --function ordered
// RUN: forge run %s --function ordered --tier correctness
// RUN: forge run %s --function ordered --target sim:gfx942
// RUN: forge verify %s --function scattered
// RUN: forge verify %s --function scattered --target sim:sm_90a
// RUN: forge verify %s --function two_bits --each-stage
// RUN: forge verify %s --function two_bits --target sim:sm_90a
// RUN: forge run %s --function two_bit_values
// RUN: forge run %s --function two_bit_values --target sim:gfx942

func.func @rounded() {
  %x = stablehlo.constant dense<[0x00000000, 0x80000000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x7149F2CA, 0xF149F2CA, 0x00000001, 0x80000001, 0x40A00000, 0x40D00000, 0x40E00000, 0xC0E00000, 0x00400000, 0x00200000, 0x00600000, 0x00800000, 0x7F000000, 0x7F400000, 0x3FC00000, 0x40400000, 0xBF800000, 0x3E800000, 0x3F400000, 0x3C000000, 0x3CC00000, 0x3A83126F, 0x417C0000, 0x417BD70A, 0x43780000, 0x4377E666, 0x43E80000, 0x47700000, 0x47600000, 0xC1EF3333, 0x3E99999A]> : tensor<36xf32>
  %d = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf64>
  %x0 = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf8E3M4>
  %xb0 = stablehlo.bitcast_convert %x0 : (tensor<36xf8E3M4>) -> tensor<36xui8>
  check.expect_eq_const %xb0, dense<[0, 128, 120, 112, 240, 112, 240, 0, 128, 84, 90, 92, 220, 0, 0, 0, 0, 112, 112, 56, 72, 176, 16, 40, 0, 2, 0, 112, 111, 112, 112, 112, 112, 112, 240, 19]> : tensor<36xui8>
  %d0 = stablehlo.convert %d : (tensor<36xf64>) -> tensor<36xf8E3M4>
  %db0 = stablehlo.bitcast_convert %d0 : (tensor<36xf8E3M4>) -> tensor<36xui8>
  check.expect_eq_const %db0, dense<[0, 128, 120, 112, 240, 112, 240, 0, 128, 84, 90, 92, 220, 0, 0, 0, 0, 112, 112, 56, 72, 176, 16, 40, 0, 2, 0, 112, 111, 112, 112, 112, 112, 112, 240, 19]> : tensor<36xui8>
  %x1 = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf8E4M3>
  %xb1 = stablehlo.bitcast_convert %x1 : (tensor<36xf8E4M3>) -> tensor<36xui8>
  check.expect_eq_const %xb1, dense<[0, 128, 124, 120, 248, 120, 248, 0, 128, 74, 77, 78, 206, 0, 0, 0, 0, 120, 120, 60, 68, 184, 40, 52, 4, 12, 1, 88, 88, 120, 119, 120, 120, 120, 223, 42]> : tensor<36xui8>
  %d1 = stablehlo.convert %d : (tensor<36xf64>) -> tensor<36xf8E4M3>
  %db1 = stablehlo.bitcast_convert %d1 : (tensor<36xf8E4M3>) -> tensor<36xui8>
  check.expect_eq_const %db1, dense<[0, 128, 124, 120, 248, 120, 248, 0, 128, 74, 77, 78, 206, 0, 0, 0, 0, 120, 120, 60, 68, 184, 40, 52, 4, 12, 1, 88, 88, 120, 119, 120, 120, 120, 223, 42]> : tensor<36xui8>
  %x2 = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf8E4M3B11FNUZ>
  %xb2 = stablehlo.bitcast_convert %x2 : (tensor<36xf8E4M3B11FNUZ>) -> tensor<36xui8>
  check.expect_eq_const %xb2, dense<[0, 0, 128, 128, 128, 128, 128, 0, 0, 106, 109, 110, 238, 0, 0, 0, 0, 128, 128, 92, 100, 216, 72, 84, 32, 44, 8, 120, 120, 128, 128, 128, 128, 128, 255, 74]> : tensor<36xui8>
  %d2 = stablehlo.convert %d : (tensor<36xf64>) -> tensor<36xf8E4M3B11FNUZ>
  %db2 = stablehlo.bitcast_convert %d2 : (tensor<36xf8E4M3B11FNUZ>) -> tensor<36xui8>
  check.expect_eq_const %db2, dense<[0, 0, 128, 128, 128, 128, 128, 0, 0, 106, 109, 110, 238, 0, 0, 0, 0, 128, 128, 92, 100, 216, 72, 84, 32, 44, 8, 120, 120, 128, 128, 128, 128, 128, 255, 74]> : tensor<36xui8>
  %x3 = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf8E4M3FNUZ>
  %xb3 = stablehlo.bitcast_convert %x3 : (tensor<36xf8E4M3FNUZ>) -> tensor<36xui8>
  check.expect_eq_const %xb3, dense<[0, 0, 128, 128, 128, 128, 128, 0, 0, 82, 85, 86, 214, 0, 0, 0, 0, 128, 128, 68, 76, 192, 48, 60, 8, 20, 1, 96, 96, 128, 127, 128, 128, 128, 231, 50]> : tensor<36xui8>
  %d3 = stablehlo.convert %d : (tensor<36xf64>) -> tensor<36xf8E4M3FNUZ>
  %db3 = stablehlo.bitcast_convert %d3 : (tensor<36xf8E4M3FNUZ>) -> tensor<36xui8>
  check.expect_eq_const %db3, dense<[0, 0, 128, 128, 128, 128, 128, 0, 0, 82, 85, 86, 214, 0, 0, 0, 0, 128, 128, 68, 76, 192, 48, 60, 8, 20, 1, 96, 96, 128, 127, 128, 128, 128, 231, 50]> : tensor<36xui8>
  %x4 = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf8E5M2FNUZ>
  %xb4 = stablehlo.bitcast_convert %x4 : (tensor<36xf8E5M2FNUZ>) -> tensor<36xui8>
  check.expect_eq_const %xb4, dense<[0, 0, 128, 128, 128, 128, 128, 0, 0, 73, 74, 75, 203, 0, 0, 0, 0, 128, 128, 66, 70, 192, 56, 62, 36, 42, 24, 80, 80, 96, 96, 99, 128, 127, 211, 57]> : tensor<36xui8>
  %d4 = stablehlo.convert %d : (tensor<36xf64>) -> tensor<36xf8E5M2FNUZ>
  %db4 = stablehlo.bitcast_convert %d4 : (tensor<36xf8E5M2FNUZ>) -> tensor<36xui8>
  check.expect_eq_const %db4, dense<[0, 0, 128, 128, 128, 128, 128, 0, 0, 73, 74, 75, 203, 0, 0, 0, 0, 128, 128, 66, 70, 192, 56, 62, 36, 42, 24, 80, 80, 96, 96, 99, 128, 127, 211, 57]> : tensor<36xui8>
  %x5 = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf8E8M0FNU>
  %xb5 = stablehlo.bitcast_convert %x5 : (tensor<36xf8E8M0FNU>) -> tensor<36xui8>
  check.expect_eq_const %xb5, dense<[255, 255, 255, 255, 255, 227, 255, 0, 255, 129, 130, 130, 255, 0, 0, 1, 1, 254, 255, 128, 129, 255, 125, 127, 120, 122, 117, 131, 131, 135, 135, 136, 143, 143, 255, 125]> : tensor<36xui8>
  %d5 = stablehlo.convert %d : (tensor<36xf64>) -> tensor<36xf8E8M0FNU>
  %db5 = stablehlo.bitcast_convert %d5 : (tensor<36xf8E8M0FNU>) -> tensor<36xui8>
  check.expect_eq_const %db5, dense<[255, 255, 255, 255, 255, 227, 255, 0, 255, 129, 130, 130, 255, 0, 0, 1, 1, 254, 255, 128, 129, 255, 125, 127, 120, 122, 117, 131, 131, 135, 135, 136, 143, 143, 255, 125]> : tensor<36xui8>
  %x6 = stablehlo.convert %x : (tensor<36xf32>) -> tensor<36xf4E2M1FN>
  %xb6 = stablehlo.bitcast_convert %x6 : (tensor<36xf4E2M1FN>) -> tensor<36xui4>
  check.expect_eq_const %xb6, dense<[0, 8, 8, 7, 15, 7, 15, 0, 8, 6, 7, 7, 15, 0, 0, 0, 0, 7, 7, 3, 5, 10, 0, 2, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 15, 1]> : tensor<36xui4>
  %d6 = stablehlo.convert %d : (tensor<36xf64>) -> tensor<36xf4E2M1FN>
  %db6 = stablehlo.bitcast_convert %d6 : (tensor<36xf4E2M1FN>) -> tensor<36xui4>
  check.expect_eq_const %db6, dense<[0, 8, 8, 7, 15, 7, 15, 0, 8, 6, 7, 7, 15, 0, 0, 0, 0, 7, 7, 3, 5, 10, 0, 2, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 15, 1]> : tensor<36xui4>
  return
}

func.func @codes() -> (tensor<256xf8E3M4>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E4M3>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E4M3B11FNUZ>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E4M3FNUZ>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E5M2FNUZ>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E8M0FNU>, tensor<256xf32>, tensor<256xf64>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xi1>, tensor<16xf4E2M1FN>, tensor<16xf32>, tensor<16xf64>, tensor<16xbf16>, tensor<16xf16>, tensor<16xi32>, tensor<16xui8>, tensor<16xi1>, tensor<16xf8E4M3FN>, tensor<16xf8E4M3FNUZ>, tensor<16xf8E8M0FNU>, tensor<16xi1>) {
  %i0 = stablehlo.iota dim = 0 : tensor<256xui8>
  %v0 = stablehlo.bitcast_convert %i0 : (tensor<256xui8>) -> tensor<256xf8E3M4>
  %r0 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xf32>
  %r1 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xf64>
  %r2 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xbf16>
  %r3 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xf16>
  %r4 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xi32>
  %r5 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xui8>
  %r6 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xi1>
  %r7 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xf8E4M3FN>
  %r8 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xf8E4M3FNUZ>
  %r9 = stablehlo.convert %v0 : (tensor<256xf8E3M4>) -> tensor<256xf8E8M0FNU>
  %w0 = stablehlo.reverse %v0, dims = [0] : tensor<256xf8E3M4>
  %c0 = stablehlo.compare LT, %v0, %w0 : (tensor<256xf8E3M4>, tensor<256xf8E3M4>) -> tensor<256xi1>
  %i1 = stablehlo.iota dim = 0 : tensor<256xui8>
  %v1 = stablehlo.bitcast_convert %i1 : (tensor<256xui8>) -> tensor<256xf8E4M3>
  %r10 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xf32>
  %r11 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xf64>
  %r12 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xbf16>
  %r13 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xf16>
  %r14 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xi32>
  %r15 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xui8>
  %r16 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xi1>
  %r17 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xf8E4M3FN>
  %r18 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xf8E4M3FNUZ>
  %r19 = stablehlo.convert %v1 : (tensor<256xf8E4M3>) -> tensor<256xf8E8M0FNU>
  %w1 = stablehlo.reverse %v1, dims = [0] : tensor<256xf8E4M3>
  %c1 = stablehlo.compare LT, %v1, %w1 : (tensor<256xf8E4M3>, tensor<256xf8E4M3>) -> tensor<256xi1>
  %i2 = stablehlo.iota dim = 0 : tensor<256xui8>
  %v2 = stablehlo.bitcast_convert %i2 : (tensor<256xui8>) -> tensor<256xf8E4M3B11FNUZ>
  %r20 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf32>
  %r21 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf64>
  %r22 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xbf16>
  %r23 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf16>
  %r24 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xi32>
  %r25 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xui8>
  %r26 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xi1>
  %r27 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf8E4M3FN>
  %r28 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf8E4M3FNUZ>
  %r29 = stablehlo.convert %v2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf8E8M0FNU>
  %w2 = stablehlo.reverse %v2, dims = [0] : tensor<256xf8E4M3B11FNUZ>
  %c2 = stablehlo.compare LT, %v2, %w2 : (tensor<256xf8E4M3B11FNUZ>, tensor<256xf8E4M3B11FNUZ>) -> tensor<256xi1>
  %i3 = stablehlo.iota dim = 0 : tensor<256xui8>
  %v3 = stablehlo.bitcast_convert %i3 : (tensor<256xui8>) -> tensor<256xf8E4M3FNUZ>
  %r30 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xf32>
  %r31 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xf64>
  %r32 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xbf16>
  %r33 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xf16>
  %r34 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xi32>
  %r35 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xui8>
  %r36 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xi1>
  %r37 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xf8E4M3FN>
  %r38 = stablehlo.convert %v3 : (tensor<256xf8E4M3FNUZ>) -> tensor<256xf8E8M0FNU>
  %w3 = stablehlo.reverse %v3, dims = [0] : tensor<256xf8E4M3FNUZ>
  %c3 = stablehlo.compare LT, %v3, %w3 : (tensor<256xf8E4M3FNUZ>, tensor<256xf8E4M3FNUZ>) -> tensor<256xi1>
  %i4 = stablehlo.iota dim = 0 : tensor<256xui8>
  %v4 = stablehlo.bitcast_convert %i4 : (tensor<256xui8>) -> tensor<256xf8E5M2FNUZ>
  %r39 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf32>
  %r40 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf64>
  %r41 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xbf16>
  %r42 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf16>
  %r43 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xi32>
  %r44 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xui8>
  %r45 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xi1>
  %r46 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf8E4M3FN>
  %r47 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf8E4M3FNUZ>
  %r48 = stablehlo.convert %v4 : (tensor<256xf8E5M2FNUZ>) -> tensor<256xf8E8M0FNU>
  %w4 = stablehlo.reverse %v4, dims = [0] : tensor<256xf8E5M2FNUZ>
  %c4 = stablehlo.compare LT, %v4, %w4 : (tensor<256xf8E5M2FNUZ>, tensor<256xf8E5M2FNUZ>) -> tensor<256xi1>
  %i5 = stablehlo.iota dim = 0 : tensor<256xui8>
  %v5 = stablehlo.bitcast_convert %i5 : (tensor<256xui8>) -> tensor<256xf8E8M0FNU>
  %r49 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xf32>
  %r50 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xf64>
  %r51 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xf16>
  %r52 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xi32>
  %r53 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xui8>
  %r54 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xi1>
  %r55 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xf8E4M3FN>
  %r56 = stablehlo.convert %v5 : (tensor<256xf8E8M0FNU>) -> tensor<256xf8E4M3FNUZ>
  %w5 = stablehlo.reverse %v5, dims = [0] : tensor<256xf8E8M0FNU>
  %c5 = stablehlo.compare LT, %v5, %w5 : (tensor<256xf8E8M0FNU>, tensor<256xf8E8M0FNU>) -> tensor<256xi1>
  %i6 = stablehlo.iota dim = 0 : tensor<16xui4>
  %v6 = stablehlo.bitcast_convert %i6 : (tensor<16xui4>) -> tensor<16xf4E2M1FN>
  %r57 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xf32>
  %r58 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xf64>
  %r59 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xbf16>
  %r60 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xf16>
  %r61 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xi32>
  %r62 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xui8>
  %r63 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xi1>
  %r64 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xf8E4M3FN>
  %r65 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xf8E4M3FNUZ>
  %r66 = stablehlo.convert %v6 : (tensor<16xf4E2M1FN>) -> tensor<16xf8E8M0FNU>
  %w6 = stablehlo.reverse %v6, dims = [0] : tensor<16xf4E2M1FN>
  %c6 = stablehlo.compare LT, %v6, %w6 : (tensor<16xf4E2M1FN>, tensor<16xf4E2M1FN>) -> tensor<16xi1>
  return %v0, %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %c0, %v1, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %c1, %v2, %r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28, %r29, %c2, %v3, %r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37, %r38, %c3, %v4, %r39, %r40, %r41, %r42, %r43, %r44, %r45, %r46, %r47, %r48, %c4, %v5, %r49, %r50, %r51, %r52, %r53, %r54, %r55, %r56, %c5, %v6, %r57, %r58, %r59, %r60, %r61, %r62, %r63, %r64, %r65, %r66, %c6 : tensor<256xf8E3M4>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E4M3>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E4M3B11FNUZ>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E4M3FNUZ>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E5M2FNUZ>, tensor<256xf32>, tensor<256xf64>, tensor<256xbf16>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xf8E8M0FNU>, tensor<256xi1>, tensor<256xf8E8M0FNU>, tensor<256xf32>, tensor<256xf64>, tensor<256xf16>, tensor<256xi32>, tensor<256xui8>, tensor<256xi1>, tensor<256xf8E4M3FN>, tensor<256xf8E4M3FNUZ>, tensor<256xi1>, tensor<16xf4E2M1FN>, tensor<16xf32>, tensor<16xf64>, tensor<16xbf16>, tensor<16xf16>, tensor<16xi32>, tensor<16xui8>, tensor<16xi1>, tensor<16xf8E4M3FN>, tensor<16xf8E4M3FNUZ>, tensor<16xf8E8M0FNU>, tensor<16xi1>
}

func.func @from(%f: tensor<33xf32>, %d: tensor<33xf64>, %h: tensor<33xf16>, %b: tensor<33xbf16>, %e: tensor<33xf8E5M2>, %i: tensor<33xi32>, %j: tensor<33xi64>, %u: tensor<33xui64>, %s: tensor<33xi8>, %p: tensor<33xi1>) -> (tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>) {
  %r0 = stablehlo.convert %f : (tensor<33xf32>) -> tensor<33xf8E3M4>
  %r1 = stablehlo.convert %d : (tensor<33xf64>) -> tensor<33xf8E3M4>
  %r2 = stablehlo.convert %h : (tensor<33xf16>) -> tensor<33xf8E3M4>
  %r3 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf8E3M4>
  %r4 = stablehlo.convert %e : (tensor<33xf8E5M2>) -> tensor<33xf8E3M4>
  %r5 = stablehlo.convert %i : (tensor<33xi32>) -> tensor<33xf8E3M4>
  %r6 = stablehlo.convert %j : (tensor<33xi64>) -> tensor<33xf8E3M4>
  %r7 = stablehlo.convert %u : (tensor<33xui64>) -> tensor<33xf8E3M4>
  %r8 = stablehlo.convert %s : (tensor<33xi8>) -> tensor<33xf8E3M4>
  %r9 = stablehlo.convert %p : (tensor<33xi1>) -> tensor<33xf8E3M4>
  %r10 = stablehlo.convert %f : (tensor<33xf32>) -> tensor<33xf8E4M3>
  %r11 = stablehlo.convert %d : (tensor<33xf64>) -> tensor<33xf8E4M3>
  %r12 = stablehlo.convert %h : (tensor<33xf16>) -> tensor<33xf8E4M3>
  %r13 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf8E4M3>
  %r14 = stablehlo.convert %e : (tensor<33xf8E5M2>) -> tensor<33xf8E4M3>
  %r15 = stablehlo.convert %i : (tensor<33xi32>) -> tensor<33xf8E4M3>
  %r16 = stablehlo.convert %j : (tensor<33xi64>) -> tensor<33xf8E4M3>
  %r17 = stablehlo.convert %u : (tensor<33xui64>) -> tensor<33xf8E4M3>
  %r18 = stablehlo.convert %s : (tensor<33xi8>) -> tensor<33xf8E4M3>
  %r19 = stablehlo.convert %p : (tensor<33xi1>) -> tensor<33xf8E4M3>
  %r20 = stablehlo.convert %f : (tensor<33xf32>) -> tensor<33xf8E4M3B11FNUZ>
  %r21 = stablehlo.convert %d : (tensor<33xf64>) -> tensor<33xf8E4M3B11FNUZ>
  %r22 = stablehlo.convert %h : (tensor<33xf16>) -> tensor<33xf8E4M3B11FNUZ>
  %r23 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf8E4M3B11FNUZ>
  %r24 = stablehlo.convert %e : (tensor<33xf8E5M2>) -> tensor<33xf8E4M3B11FNUZ>
  %r25 = stablehlo.convert %i : (tensor<33xi32>) -> tensor<33xf8E4M3B11FNUZ>
  %r26 = stablehlo.convert %j : (tensor<33xi64>) -> tensor<33xf8E4M3B11FNUZ>
  %r27 = stablehlo.convert %u : (tensor<33xui64>) -> tensor<33xf8E4M3B11FNUZ>
  %r28 = stablehlo.convert %s : (tensor<33xi8>) -> tensor<33xf8E4M3B11FNUZ>
  %r29 = stablehlo.convert %p : (tensor<33xi1>) -> tensor<33xf8E4M3B11FNUZ>
  %r30 = stablehlo.convert %f : (tensor<33xf32>) -> tensor<33xf8E4M3FNUZ>
  %r31 = stablehlo.convert %d : (tensor<33xf64>) -> tensor<33xf8E4M3FNUZ>
  %r32 = stablehlo.convert %h : (tensor<33xf16>) -> tensor<33xf8E4M3FNUZ>
  %r33 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf8E4M3FNUZ>
  %r34 = stablehlo.convert %e : (tensor<33xf8E5M2>) -> tensor<33xf8E4M3FNUZ>
  %r35 = stablehlo.convert %i : (tensor<33xi32>) -> tensor<33xf8E4M3FNUZ>
  %r36 = stablehlo.convert %j : (tensor<33xi64>) -> tensor<33xf8E4M3FNUZ>
  %r37 = stablehlo.convert %u : (tensor<33xui64>) -> tensor<33xf8E4M3FNUZ>
  %r38 = stablehlo.convert %s : (tensor<33xi8>) -> tensor<33xf8E4M3FNUZ>
  %r39 = stablehlo.convert %p : (tensor<33xi1>) -> tensor<33xf8E4M3FNUZ>
  %r40 = stablehlo.convert %f : (tensor<33xf32>) -> tensor<33xf8E5M2FNUZ>
  %r41 = stablehlo.convert %d : (tensor<33xf64>) -> tensor<33xf8E5M2FNUZ>
  %r42 = stablehlo.convert %h : (tensor<33xf16>) -> tensor<33xf8E5M2FNUZ>
  %r43 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf8E5M2FNUZ>
  %r44 = stablehlo.convert %e : (tensor<33xf8E5M2>) -> tensor<33xf8E5M2FNUZ>
  %r45 = stablehlo.convert %i : (tensor<33xi32>) -> tensor<33xf8E5M2FNUZ>
  %r46 = stablehlo.convert %j : (tensor<33xi64>) -> tensor<33xf8E5M2FNUZ>
  %r47 = stablehlo.convert %u : (tensor<33xui64>) -> tensor<33xf8E5M2FNUZ>
  %r48 = stablehlo.convert %s : (tensor<33xi8>) -> tensor<33xf8E5M2FNUZ>
  %r49 = stablehlo.convert %p : (tensor<33xi1>) -> tensor<33xf8E5M2FNUZ>
  %r50 = stablehlo.convert %f : (tensor<33xf32>) -> tensor<33xf8E8M0FNU>
  %r51 = stablehlo.convert %d : (tensor<33xf64>) -> tensor<33xf8E8M0FNU>
  %r52 = stablehlo.convert %h : (tensor<33xf16>) -> tensor<33xf8E8M0FNU>
  %r53 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf8E8M0FNU>
  %r54 = stablehlo.convert %e : (tensor<33xf8E5M2>) -> tensor<33xf8E8M0FNU>
  %r55 = stablehlo.convert %i : (tensor<33xi32>) -> tensor<33xf8E8M0FNU>
  %r56 = stablehlo.convert %j : (tensor<33xi64>) -> tensor<33xf8E8M0FNU>
  %r57 = stablehlo.convert %u : (tensor<33xui64>) -> tensor<33xf8E8M0FNU>
  %r58 = stablehlo.convert %s : (tensor<33xi8>) -> tensor<33xf8E8M0FNU>
  %r59 = stablehlo.convert %p : (tensor<33xi1>) -> tensor<33xf8E8M0FNU>
  %r60 = stablehlo.convert %f : (tensor<33xf32>) -> tensor<33xf4E2M1FN>
  %r61 = stablehlo.convert %d : (tensor<33xf64>) -> tensor<33xf4E2M1FN>
  %r62 = stablehlo.convert %h : (tensor<33xf16>) -> tensor<33xf4E2M1FN>
  %r63 = stablehlo.convert %b : (tensor<33xbf16>) -> tensor<33xf4E2M1FN>
  %r64 = stablehlo.convert %e : (tensor<33xf8E5M2>) -> tensor<33xf4E2M1FN>
  %r65 = stablehlo.convert %i : (tensor<33xi32>) -> tensor<33xf4E2M1FN>
  %r66 = stablehlo.convert %j : (tensor<33xi64>) -> tensor<33xf4E2M1FN>
  %r67 = stablehlo.convert %u : (tensor<33xui64>) -> tensor<33xf4E2M1FN>
  %r68 = stablehlo.convert %s : (tensor<33xi8>) -> tensor<33xf4E2M1FN>
  %r69 = stablehlo.convert %p : (tensor<33xi1>) -> tensor<33xf4E2M1FN>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37, %r38, %r39, %r40, %r41, %r42, %r43, %r44, %r45, %r46, %r47, %r48, %r49, %r50, %r51, %r52, %r53, %r54, %r55, %r56, %r57, %r58, %r59, %r60, %r61, %r62, %r63, %r64, %r65, %r66, %r67, %r68, %r69 : tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E3M4>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3B11FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E4M3FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E5M2FNUZ>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf8E8M0FNU>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>, tensor<33xf4E2M1FN>
}

// Arguments, results, constants and all that moves elements, in loops and branches too.
func.func @structure(%a: tensor<3x4xf8E4M3FNUZ>, %b: tensor<?x4xf8E8M0FNU>, %f: tensor<3x4xf4E2M1FN>, %p: tensor<i1>, %k: tensor<i32>)
    -> (tensor<4x3xf8E4M3FNUZ>, tensor<5x4xf8E4M3FNUZ>, tensor<?x4xf8E8M0FNU>, tensor<2x6xf4E2M1FN>, tensor<1x4xf4E2M1FN>, tensor<2x4xf4E2M1FN>, tensor<3x4xf4E2M1FN>, tensor<3x4xf8E4M3FNUZ>, tensor<3xf8E8M0FNU>, tensor<3x4xf4E2M1FN>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x4xf8E4M3FNUZ>) -> tensor<4x3xf8E4M3FNUZ>
  %pad = stablehlo.constant dense<-1.5> : tensor<f8E4M3FNUZ>
  %1 = stablehlo.pad %a, %pad, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<3x4xf8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<5x4xf8E4M3FNUZ>
  %2 = stablehlo.concatenate %b, %b, dim = 0 : (tensor<?x4xf8E8M0FNU>, tensor<?x4xf8E8M0FNU>) -> tensor<?x4xf8E8M0FNU>
  %3 = stablehlo.reshape %f : (tensor<3x4xf4E2M1FN>) -> tensor<2x6xf4E2M1FN>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %4 = stablehlo.dynamic_slice %f, %k, %zero, sizes = [1, 4] : (tensor<3x4xf4E2M1FN>, tensor<i32>, tensor<i32>) -> tensor<1x4xf4E2M1FN>
  %rows = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %5 = "stablehlo.gather"(%f, %rows) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf4E2M1FN>, tensor<2x1xi32>) -> tensor<2x4xf4E2M1FN>
  %6:2 = stablehlo.while(%i = %zero, %x = %f) : tensor<i32>, tensor<3x4xf4E2M1FN>
    cond {
      %go = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.slice %x [0:1, 0:4] : (tensor<3x4xf4E2M1FN>) -> tensor<1x4xf4E2M1FN>
      %y = stablehlo.dynamic_update_slice %x, %s, %n, %zero : (tensor<3x4xf4E2M1FN>, tensor<1x4xf4E2M1FN>, tensor<i32>, tensor<i32>) -> tensor<3x4xf4E2M1FN>
      stablehlo.return %n, %y : tensor<i32>, tensor<3x4xf4E2M1FN>
    }
  %other = stablehlo.constant dense<[[0.5, 1.0, -2.0, 240.0], [0.0, 1.25, -0.75, 3.0], [8.0, 9.0, -10.0, 11.0]]> : tensor<3x4xf8E4M3FNUZ>
  %7 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<3x4xf8E4M3FNUZ>
  }, {
    stablehlo.return %other : tensor<3x4xf8E4M3FNUZ>
  }) : (tensor<i1>) -> tensor<3x4xf8E4M3FNUZ>
  %8 = stablehlo.constant dense<[0.5, 1.0, 1024.0]> : tensor<3xf8E8M0FNU>
  %fours = stablehlo.constant dense<[[0.5, 1.0, -2.0, 6.0], [0.0, 1.5, -0.5, 3.0], [-6.0, 4.0, -0.0, 2.0]]> : tensor<3x4xf4E2M1FN>
  %9 = stablehlo.select %p, %f, %fours : tensor<i1>, tensor<3x4xf4E2M1FN>
  return %0, %1, %2, %3, %4, %5, %6#1, %7, %8, %9 : tensor<4x3xf8E4M3FNUZ>, tensor<5x4xf8E4M3FNUZ>, tensor<?x4xf8E8M0FNU>, tensor<2x6xf4E2M1FN>, tensor<1x4xf4E2M1FN>, tensor<2x4xf4E2M1FN>, tensor<3x4xf4E2M1FN>, tensor<3x4xf8E4M3FNUZ>, tensor<3xf8E8M0FNU>, tensor<3x4xf4E2M1FN>
}

func.func @two_bits(%x: tensor<5x3xi2>, %y: tensor<5x3xi2>, %u: tensor<5x3xui2>, %v: tensor<5x3xui2>, %f: tensor<5x3xf32>)
    -> (tensor<5x3xi2>, tensor<5x3xui2>, tensor<5x3xi2>, tensor<5x3xui2>, tensor<5x3xi32>, tensor<5x3xf32>, tensor<5x3xi2>, tensor<5x3xui2>, tensor<3x5xi2>, tensor<5x3xi1>, tensor<3xi2>, tensor<i8>) {
  %0 = stablehlo.add %x, %y : tensor<5x3xi2>
  %1 = stablehlo.multiply %u, %v : tensor<5x3xui2>
  %2 = stablehlo.maximum %x, %y : tensor<5x3xi2>
  %3 = stablehlo.maximum %u, %v : tensor<5x3xui2>
  %4 = stablehlo.convert %x : (tensor<5x3xi2>) -> tensor<5x3xi32>
  %5 = stablehlo.convert %u : (tensor<5x3xui2>) -> tensor<5x3xf32>
  %6 = stablehlo.convert %f : (tensor<5x3xf32>) -> tensor<5x3xi2>
  %7 = stablehlo.convert %f : (tensor<5x3xf32>) -> tensor<5x3xui2>
  %8 = stablehlo.transpose %x, dims = [1, 0] : (tensor<5x3xi2>) -> tensor<3x5xi2>
  %9 = stablehlo.compare LT, %u, %v : (tensor<5x3xui2>, tensor<5x3xui2>) -> tensor<5x3xi1>
  %zero = stablehlo.constant dense<0> : tensor<i2>
  %10 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5x3xi2>, tensor<i2>) -> tensor<3xi2>
  %c = stablehlo.constant dense<[1, -2, 0, -1]> : tensor<4xi2>
  %11 = stablehlo.bitcast_convert %c : (tensor<4xi2>) -> tensor<i8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<5x3xi2>, tensor<5x3xui2>, tensor<5x3xi2>, tensor<5x3xui2>, tensor<5x3xi32>, tensor<5x3xf32>, tensor<5x3xi2>, tensor<5x3xui2>, tensor<3x5xi2>, tensor<5x3xi1>, tensor<3xi2>, tensor<i8>
}

func.func @two_bit_values() {
  %x = stablehlo.constant dense<[-9.0, -2.5, -1.0, 0.0, 1.7, 2.0, 300.0, 0x7FC00000]> : tensor<8xf32>
  %s = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xi2>
  check.expect_eq_const %s, dense<[-2, -2, -1, 0, 1, 1, 1, 0]> : tensor<8xi2>
  %u = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xui2>
  check.expect_eq_const %u, dense<[0, 0, 0, 0, 1, 2, 3, 0]> : tensor<8xui2>
  %i = stablehlo.constant dense<[-9, -2, 3, 5, 300]> : tensor<5xi32>
  %w = stablehlo.convert %i : (tensor<5xi32>) -> tensor<5xi2>
  check.expect_eq_const %w, dense<[-1, -2, -1, 1, 0]> : tensor<5xi2>
  return
}

// Sorted as keys, by value, with -0 before 0 in a total order; and as what goes with keys.
func.func @ordered() {
  %x = stablehlo.constant dense<[3.0, -6.0, 0.0, -0.0, 0.5, 3.0]> : tensor<6xf4E2M1FN>
  %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f4E2M1FN>, %b: tensor<f4E2M1FN>):
    %s = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f4E2M1FN>, tensor<f4E2M1FN>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<6xf4E2M1FN>) -> tensor<6xf4E2M1FN>
  %1 = stablehlo.convert %0 : (tensor<6xf4E2M1FN>) -> tensor<6xf32>
  check.expect_eq_const %1, dense<[-6.0, -0.0, 0.0, 0.5, 3.0, 3.0]> : tensor<6xf32>
  %k = stablehlo.constant dense<[4, 1, 3]> : tensor<3xi32>
  %y = stablehlo.constant dense<[2.0, 0.5, 16.0]> : tensor<3xf8E8M0FNU>
  %2:2 = "stablehlo.sort"(%k, %y) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<f8E8M0FNU>, %d: tensor<f8E8M0FNU>):
    %s = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<3xi32>, tensor<3xf8E8M0FNU>) -> (tensor<3xi32>, tensor<3xf8E8M0FNU>)
  %3 = stablehlo.convert %2#1 : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  check.expect_eq_const %3, dense<[0.5, 16.0, 2.0]> : tensor<3xf32>
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf8E8M0FNU>
  %4 = "stablehlo.scatter"(%y, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f8E8M0FNU>, %b: tensor<f8E8M0FNU>):
    stablehlo.return %b : tensor<f8E8M0FNU>
  }) : (tensor<3xf8E8M0FNU>, tensor<2x1xi32>, tensor<2xf8E8M0FNU>) -> tensor<3xf8E8M0FNU>
  %5 = stablehlo.convert %4 : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  check.expect_eq_const %5, dense<[4.0, 0.5, 1.0]> : tensor<3xf32>
  return
}

func.func @scattered(%x: tensor<8x3xf8E3M4>, %i: tensor<4x1xi32>, %u: tensor<4x3xf8E3M4>) -> tensor<8x3xf8E3M4> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f8E3M4>, %b: tensor<f8E3M4>):
    stablehlo.return %b : tensor<f8E3M4>
  }) : (tensor<8x3xf8E3M4>, tensor<4x1xi32>, tensor<4x3xf8E3M4>) -> tensor<8x3xf8E3M4>
  return %0 : tensor<8x3xf8E3M4>
}

// Complex numbers in order, as StableHLO has it: by real parts, then by imaginary ones. Bits of them read as such again.
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// RUN: forge run %s --target sim:gfx942 | FileCheck %s
// CHECK: 10 checks hold
func.func @main() {
  %z = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 1.0), (5.0, -2.0), (1.0, 0.0), (2.0, 3.0), (0.0, -1.0)]> : tensor<6xcomplex<f32>>
  %w = stablehlo.constant dense<[(1.0, 3.0), (-3.0, 0.0), (4.0, 9.0), (1.0, 0.0), (2.0, -3.0), (0.5, -7.0)]> : tensor<6xcomplex<f32>>
  %low = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %high = stablehlo.constant dense<(2.0, 1.0)> : tensor<complex<f32>>
  %clamped = stablehlo.clamp %low, %z, %high : (tensor<complex<f32>>, tensor<6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
  %want_clamped = stablehlo.constant dense<[(1.0, 2.0), (0.0, 0.0), (2.0, 1.0), (1.0, 0.0), (2.0, 1.0), (0.0, 0.0)]> : tensor<6xcomplex<f32>>
  check.expect_eq %clamped, %want_clamped : tensor<6xcomplex<f32>>
  %largest = stablehlo.maximum %z, %w : tensor<6xcomplex<f32>>
  %want_largest = stablehlo.constant dense<[(1.0, 3.0), (-3.0, 1.0), (5.0, -2.0), (1.0, 0.0), (2.0, 3.0), (0.5, -7.0)]> : tensor<6xcomplex<f32>>
  check.expect_eq %largest, %want_largest : tensor<6xcomplex<f32>>
  %smallest = stablehlo.minimum %z, %w : tensor<6xcomplex<f32>>
  %want_smallest = stablehlo.constant dense<[(1.0, 2.0), (-3.0, 0.0), (4.0, 9.0), (1.0, 0.0), (2.0, -3.0), (0.0, -1.0)]> : tensor<6xcomplex<f32>>
  check.expect_eq %smallest, %want_smallest : tensor<6xcomplex<f32>>
  %most = stablehlo.reduce(%z init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %want_most = stablehlo.constant dense<(5.0, -2.0)> : tensor<complex<f32>>
  check.expect_eq %most, %want_most : tensor<complex<f32>>
  %same = stablehlo.bitcast_convert %z : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
  check.expect_eq %same, %z : tensor<6xcomplex<f32>>
  return
}

// The middle of a real sequence's transform is real, exactly: the root of half a turn has no imaginary part.
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// CHECK: 1 check holds
func.func @main() {
  %x = stablehlo.constant dense<[0.3, -1.7, 2.9, 0.11, 1.3, -0.7, 0.9, 3.1]> : tensor<8xf32>
  %y = stablehlo.fft %x, type = RFFT, length = [8] : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  %middle = stablehlo.slice %y [4:5] : (tensor<5xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  %im = stablehlo.imag %middle : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  check.expect_eq_const %im, dense<0.0> : tensor<1xf32>
  return
}

// Infinite and missing parts, and results that are finite where a part of the way to them is not, as XLA has them.
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --tier correctness | FileCheck %s
// CHECK: 8 checks hold
func.func @main() {
  // By infinity: zero, whatever the other part is. By zero: infinite, with the sign of the zero. Infinity by a number.
  %one_re = stablehlo.constant dense<[1.0, 1.0, -1.0, 0x7F800000]> : tensor<4xf32>
  %one_im = stablehlo.constant dense<[0.0, 0.0, 2.0, 1.0]> : tensor<4xf32>
  %one = stablehlo.complex %one_re, %one_im : tensor<4xcomplex<f32>>
  %by_re = stablehlo.constant dense<[0x7F800000, 0xFF800000, -0.0, 1.0]> : tensor<4xf32>
  %by_im = stablehlo.constant dense<[0x7FC00000, 0x7F800000, 0.0, 1.0]> : tensor<4xf32>
  %by = stablehlo.complex %by_re, %by_im : tensor<4xcomplex<f32>>
  %q = stablehlo.divide %one, %by : tensor<4xcomplex<f32>>
  %q_re = stablehlo.real %q : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %q_im = stablehlo.imag %q : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  check.expect_eq_const %q_re, dense<[0.0, 0.0, 0x7F800000, 0x7F800000]> : tensor<4xf32>
  check.expect_eq_const %q_im, dense<[0.0, 0.0, 0xFF800000, 0xFF800000]> : tensor<4xf32>

  // e^88.8 overflows, its products with cosine and sine do not.
  %x_re = stablehlo.constant dense<[88.8, 100.0]> : tensor<2xf32>
  %x_im = stablehlo.constant dense<[0.5, 1.0e-30]> : tensor<2xf32>
  %x = stablehlo.complex %x_re, %x_im : tensor<2xcomplex<f32>>
  %e = stablehlo.exponential %x : tensor<2xcomplex<f32>>
  %e_re = stablehlo.real %e : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %e_im = stablehlo.imag %e : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %c1 = stablehlo.constant dense<[3.225814e+38, 0x7F800000]> : tensor<2xf32>
  check.expect_almost_eq %e_re, %c1 {tolerance = 4.0e+32 : f64} : tensor<2xf32>
  %c2 = stablehlo.constant dense<[1.762270e+38, 2.688117e+13]> : tensor<2xf32>
  check.expect_almost_eq %e_im, %c2 {tolerance = 4.0e+32 : f64} : tensor<2xf32>

  // Far from zero, the logistic function is small, not zero; where e^-z overflows, it is zero, not missing.
  %l_re = stablehlo.constant dense<[-20.0, -1.0e+30]> : tensor<2xf32>
  %l_im = stablehlo.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %l = stablehlo.complex %l_re, %l_im : tensor<2xcomplex<f32>>
  %s = stablehlo.logistic %l : tensor<2xcomplex<f32>>
  %s_re = stablehlo.real %s : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %s_im = stablehlo.imag %s : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %c3 = stablehlo.constant dense<[1.113646e-09, 0.0]> : tensor<2xf32>
  check.expect_almost_eq %s_re, %c3 {tolerance = 2.0e-15 : f64} : tensor<2xf32>
  %c4 = stablehlo.constant dense<[1.734401e-09, 0.0]> : tensor<2xf32>
  check.expect_almost_eq %s_im, %c4 {tolerance = 2.0e-15 : f64} : tensor<2xf32>

  // Of an infinite real part, tanh is one; without an imaginary part it has none.
  %t_re = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 30.0]> : tensor<4xf32>
  %t_im = stablehlo.constant dense<[0x7F800000, 2.0, 0.0, 0x7F800000]> : tensor<4xf32>
  %t = stablehlo.complex %t_re, %t_im : tensor<4xcomplex<f32>>
  %h = stablehlo.tanh %t : tensor<4xcomplex<f32>>
  %h_re = stablehlo.real %h : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %h_im = stablehlo.imag %h : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  check.expect_eq_const %h_re, dense<[1.0, -1.0, 0x7FC00000, 0x7FC00000]> : tensor<4xf32>
  check.expect_eq_const %h_im, dense<[0.0, 0.0, 0.0, 0x7FC00000]> : tensor<4xf32>
  return
}

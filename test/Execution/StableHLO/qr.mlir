// Q from R's reflections, Q R against the matrix, and Q's columns against each other.
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// CHECK: 8 checks hold
func.func @main() {
  %i = stablehlo.iota dim = 1 : tensor<2x4x3xf32>
  %j = stablehlo.iota dim = 2 : tensor<2x4x3xf32>
  %n = stablehlo.iota dim = 0 : tensor<2x4x3xf32>
  %two = stablehlo.constant dense<2.0> : tensor<2x4x3xf32>
  %0 = stablehlo.add %i, %n : tensor<2x4x3xf32>
  %1 = stablehlo.power %0, %j : tensor<2x4x3xf32>
  %re = stablehlo.sine %1 : tensor<2x4x3xf32>
  %im = stablehlo.cosine %0 : tensor<2x4x3xf32>
  %a = stablehlo.complex %re, %im : tensor<2x4x3xcomplex<f32>>
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<2x3x3xcomplex<f32>>
  %eye_re = call @eye() : () -> tensor<2x3x3xf32>

  // Real.
  %q0:2 = stablehlo.custom_call @Qr(%re) : (tensor<2x4x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x3xf32>)
  %q = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%q0#0, %q0#1) : (tensor<2x4x3xf32>, tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %gram = stablehlo.dot_general %q, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  check.expect_almost_eq %gram, %eye_re : tensor<2x3x3xf32>
  %top = stablehlo.slice %q0#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %upper = call @upper() : () -> tensor<2x3x3xi1>
  %none = stablehlo.constant dense<0.0> : tensor<2x3x3xf32>
  %r = stablehlo.select %upper, %top, %none : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  %qr = stablehlo.dot_general %q, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xf32>, tensor<2x3x3xf32>) -> tensor<2x4x3xf32>
  check.expect_almost_eq %qr, %re : tensor<2x4x3xf32>

  // Complex: Q R again, with R from the factorization of the same form.
  %c0:2 = stablehlo.custom_call @Qr(%a) : (tensor<2x4x3xcomplex<f32>>) -> (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>)
  %cq = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%c0#0, %c0#1) : (tensor<2x4x3xcomplex<f32>>, tensor<2x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  %ctop = stablehlo.slice %c0#0 [0:2, 0:3, 0:3] : (tensor<2x4x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %cr = stablehlo.select %upper, %ctop, %zero : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f32>>
  %cqr = stablehlo.dot_general %cq, %cr, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x4x3xcomplex<f32>>
  check.expect_almost_eq %cqr, %a : tensor<2x4x3xcomplex<f32>>

  // The Hermitian matrix m = r^H r, its factor, and a system with it: x = l^-1 m is l^H.
  %crr = stablehlo.real %cr : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %cri = stablehlo.imag %cr : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %nri = stablehlo.negate %cri : tensor<2x3x3xf32>
  %conj = stablehlo.complex %crr, %nri : tensor<2x3x3xcomplex<f32>>
  %m = stablehlo.dot_general %conj, %cr, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %l = "stablehlo.cholesky"(%m) {lower = true} : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %x = "stablehlo.triangular_solve"(%l, %m) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %u = "stablehlo.cholesky"(%m) {lower = false} : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %x, %u : tensor<2x3x3xcomplex<f32>>
  %y = "stablehlo.triangular_solve"(%l, %m) {left_side = false, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>} : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  check.expect_almost_eq %y, %l : tensor<2x3x3xcomplex<f32>>
  return
}
func.func private @upper() -> tensor<2x3x3xi1> {
  %i = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<2x3x3xi32>
  %0 = stablehlo.compare LE, %i, %j : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  return %0 : tensor<2x3x3xi1>
}
func.func private @eye() -> tensor<2x3x3xf32> {
  %i = stablehlo.iota dim = 1 : tensor<2x3x3xi32>
  %j = stablehlo.iota dim = 2 : tensor<2x3x3xi32>
  %0 = stablehlo.compare EQ, %i, %j : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
  %1 = stablehlo.convert %0 : (tensor<2x3x3xi1>) -> tensor<2x3x3xf32>
  return %1 : tensor<2x3x3xf32>
}

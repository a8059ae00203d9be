// Complex numbers of sizes known only at run time, as jax.export writes them with symbolic dimensions: arguments and results
// of the entry hold the parts of a number next to each other, and are cut and joined with the sizes of the run.
// RUN: forge run %s --function check | FileCheck %s
// RUN: rm -rf %t && forge run %s --function make --save %t
// RUN: forge run %s --function entry --input %t/out0.npy --save %t/out && forge run %s --function entry --input %t/out0.npy --expect %t/out/out0.npy --expect %t/out/out1.npy
// RUN: forge run %s --function back --input %t/out/out1.npy --expect %t/out0.npy
// CHECK: 3 checks hold
func.func public @make() -> tensor<2x6xcomplex<f32>> {
  %i = stablehlo.iota dim = 0 : tensor<12xf32>
  %re = stablehlo.sine %i : tensor<12xf32>
  %im = stablehlo.cosine %i : tensor<12xf32>
  %z = stablehlo.complex %re, %im : tensor<12xcomplex<f32>>
  %r = stablehlo.reshape %z : (tensor<12xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
  return %r : tensor<2x6xcomplex<f32>>
}
func.func public @entry(%x: tensor<?x6xcomplex<f32>>) -> (tensor<?x6xcomplex<f32>>, tensor<?x6xcomplex<f32>>) {
  %e = stablehlo.exponential %x : tensor<?x6xcomplex<f32>>
  %t = stablehlo.tanh %e : tensor<?x6xcomplex<f32>>
  %f = stablehlo.fft %x, type = FFT, length = [6] : (tensor<?x6xcomplex<f32>>) -> tensor<?x6xcomplex<f32>>
  return %t, %f : tensor<?x6xcomplex<f32>>, tensor<?x6xcomplex<f32>>
}
func.func public @back(%x: tensor<?x6xcomplex<f32>>) -> tensor<?x6xcomplex<f32>> {
  %f = stablehlo.fft %x, type = IFFT, length = [6] : (tensor<?x6xcomplex<f32>>) -> tensor<?x6xcomplex<f32>>
  return %f : tensor<?x6xcomplex<f32>>
}
// What is computed with sizes of the run is what it is with static ones: by a prime (5), factors (12 with rows of real numbers), and convolution (1031).
func.func public @check() {
  %i = stablehlo.iota dim = 1 : tensor<2x1031xf32>
  %s = stablehlo.sine %i : tensor<2x1031xf32>
  %z = stablehlo.complex %s, %i : tensor<2x1031xcomplex<f32>>
  %n = stablehlo.constant dense<[2, 1031]> : tensor<2xi32>
  %d = stablehlo.dynamic_reshape %z, %n : (tensor<2x1031xcomplex<f32>>, tensor<2xi32>) -> tensor<?x1031xcomplex<f32>>
  %f = stablehlo.fft %z, type = FFT, length = [1031] : (tensor<2x1031xcomplex<f32>>) -> tensor<2x1031xcomplex<f32>>
  %g = stablehlo.fft %d, type = FFT, length = [1031] : (tensor<?x1031xcomplex<f32>>) -> tensor<?x1031xcomplex<f32>>
  %h = stablehlo.dynamic_reshape %g, %n : (tensor<?x1031xcomplex<f32>>, tensor<2xi32>) -> tensor<2x1031xcomplex<f32>>
  check.expect_almost_eq %h, %f {tolerance = 0.2 : f64} : tensor<2x1031xcomplex<f32>>

  %x = stablehlo.slice %s [0:2, 0:60] : (tensor<2x1031xf32>) -> tensor<2x60xf32>
  %m = stablehlo.constant dense<[2, 5, 12]> : tensor<3xi32>
  %y = stablehlo.dynamic_reshape %x, %m : (tensor<2x60xf32>, tensor<3xi32>) -> tensor<?x5x12xf32>
  %r = stablehlo.fft %y, type = RFFT, length = [5, 12] : (tensor<?x5x12xf32>) -> tensor<?x5x7xcomplex<f32>>
  %b = stablehlo.fft %r, type = IRFFT, length = [5, 12] : (tensor<?x5x7xcomplex<f32>>) -> tensor<?x5x12xf32>
  check.expect_almost_eq %b, %y {tolerance = 1.0e-5 : f64} : tensor<?x5x12xf32>
  return
}

// Transforms and their inverses: by matrix (5, 12), by factors (144), of a prime with a matrix (67), by convolution (1031).
// The transform of a delta at 1 is the first root of unity, to all powers.
// RUN: forge run %s | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// RUN: forge run %s --target sim:gfx942 | FileCheck %s
// CHECK: 12 checks hold
func.func @main() {
  %i5 = stablehlo.iota dim = 0 : tensor<5x12xf32>
  %j12 = stablehlo.iota dim = 1 : tensor<5x12xf32>
  %re = stablehlo.sine %i5 : tensor<5x12xf32>
  %im = stablehlo.cosine %j12 : tensor<5x12xf32>
  %z = stablehlo.complex %re, %im : tensor<5x12xcomplex<f32>>
  %f = stablehlo.fft %z, type = FFT, length = [5, 12] : (tensor<5x12xcomplex<f32>>) -> tensor<5x12xcomplex<f32>>
  %b = stablehlo.fft %f, type = IFFT, length = [5, 12] : (tensor<5x12xcomplex<f32>>) -> tensor<5x12xcomplex<f32>>
  check.expect_almost_eq %b, %z : tensor<5x12xcomplex<f32>>

  %i144 = stablehlo.iota dim = 1 : tensor<3x144xf32>
  %x144 = stablehlo.sine %i144 : tensor<3x144xf32>
  %r144 = stablehlo.fft %x144, type = RFFT, length = [144] : (tensor<3x144xf32>) -> tensor<3x73xcomplex<f32>>
  %y144 = stablehlo.fft %r144, type = IRFFT, length = [144] : (tensor<3x73xcomplex<f32>>) -> tensor<3x144xf32>
  check.expect_almost_eq %y144, %x144 : tensor<3x144xf32>

  %i67 = stablehlo.iota dim = 0 : tensor<67xf64>
  %x67 = stablehlo.sine %i67 : tensor<67xf64>
  %r67 = stablehlo.fft %x67, type = RFFT, length = [67] : (tensor<67xf64>) -> tensor<34xcomplex<f64>>
  %y67 = stablehlo.fft %r67, type = IRFFT, length = [67] : (tensor<34xcomplex<f64>>) -> tensor<67xf64>
  check.expect_almost_eq %y67, %x67 : tensor<67xf64>

  %k = stablehlo.iota dim = 0 : tensor<1031xi32>
  %one = stablehlo.constant dense<1> : tensor<1031xi32>
  %at = stablehlo.compare EQ, %k, %one : (tensor<1031xi32>, tensor<1031xi32>) -> tensor<1031xi1>
  %delta = stablehlo.convert %at : (tensor<1031xi1>) -> tensor<1031xcomplex<f32>>
  %t = stablehlo.fft %delta, type = FFT, length = [1031] : (tensor<1031xcomplex<f32>>) -> tensor<1031xcomplex<f32>>
  %kf = stablehlo.convert %k : (tensor<1031xi32>) -> tensor<1031xf32>
  %step = stablehlo.constant dense<-6.09426315922384e-03> : tensor<1031xf32>
  %angle = stablehlo.multiply %kf, %step : tensor<1031xf32>
  %cos = stablehlo.cosine %angle : tensor<1031xf32>
  %sin = stablehlo.sine %angle : tensor<1031xf32>
  %roots = stablehlo.complex %cos, %sin : tensor<1031xcomplex<f32>>
  check.expect_almost_eq %t, %roots : tensor<1031xcomplex<f32>>
  %back = stablehlo.fft %t, type = IFFT, length = [1031] : (tensor<1031xcomplex<f32>>) -> tensor<1031xcomplex<f32>>
  check.expect_almost_eq %back, %delta : tensor<1031xcomplex<f32>>

  %i4 = stablehlo.iota dim = 1 : tensor<2x4x6xcomplex<f32>>
  %r3 = stablehlo.fft %i4, type = IFFT, length = [2, 4, 6] : (tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>>
  %s3 = stablehlo.fft %r3, type = FFT, length = [2, 4, 6] : (tensor<2x4x6xcomplex<f32>>) -> tensor<2x4x6xcomplex<f32>>
  check.expect_almost_eq %s3, %i4 : tensor<2x4x6xcomplex<f32>>

  // Of floats in two dimensions, there and back.
  %g = stablehlo.fft %re, type = RFFT, length = [5, 12] : (tensor<5x12xf32>) -> tensor<5x7xcomplex<f32>>
  %h = stablehlo.fft %g, type = IRFFT, length = [5, 12] : (tensor<5x7xcomplex<f32>>) -> tensor<5x12xf32>
  check.expect_almost_eq %h, %re : tensor<5x12xf32>

  // Of no elements.
  %none = stablehlo.slice %z [0:5, 0:0] : (tensor<5x12xcomplex<f32>>) -> tensor<5x0xcomplex<f32>>
  %e = stablehlo.fft %none, type = FFT, length = [0] : (tensor<5x0xcomplex<f32>>) -> tensor<5x0xcomplex<f32>>
  %er = stablehlo.real %e : (tensor<5x0xcomplex<f32>>) -> tensor<5x0xf32>
  check.expect_eq_const %er, dense<> : tensor<5x0xf32>
  return
}

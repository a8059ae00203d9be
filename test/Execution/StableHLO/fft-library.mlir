// Transforms by FFTW where it is installed, and the same file without it. Code that was compiled with it runs without it, by
// loops of the runtime.
// RUN: forge verify %s --function transforms --tier hybrid
// RUN: forge verify %s --function transforms --tier optimized
// One large number errs in all numbers of its line, by a library more than by products (67 is a prime).
// RUN: forge verify %s --function transforms --distribution peaks
// RUN: forge verify %s --function between
// RUN: forge verify %s --function open --dynamic-size 3
// RUN: forge verify %s --function open --dynamic-size 0
// RUN: env FORGE_FFTW=off forge verify %s --function transforms
// RUN: forge compile %s --function between -o %t.so
// RUN: rm -rf %t && forge-exec %t.so --random=1 --save %t
// RUN: env FORGE_FFTW=off forge-exec %t.so --random=1 --expect %t/out0.npy
func.func @transforms(%a: tensor<3x30xcomplex<f32>>, %b: tensor<4x67xf64>, %c: tensor<2x3x5xcomplex<f64>>)
    -> (tensor<3x30xcomplex<f32>>, tensor<4x34xcomplex<f64>>, tensor<2x3x8xf64>, tensor<3x30xcomplex<f32>>) {
  %0 = stablehlo.fft %a, type = FFT, length = [30] : (tensor<3x30xcomplex<f32>>) -> tensor<3x30xcomplex<f32>>
  %1 = stablehlo.fft %b, type = RFFT, length = [67] : (tensor<4x67xf64>) -> tensor<4x34xcomplex<f64>>
  %2 = stablehlo.fft %c, type = IRFFT, length = [3, 8] : (tensor<2x3x5xcomplex<f64>>) -> tensor<2x3x8xf64>
  %3 = stablehlo.fft %a, type = IFFT, length = [3, 30] : (tensor<3x30xcomplex<f32>>) -> tensor<3x30xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<3x30xcomplex<f32>>, tensor<4x34xcomplex<f64>>, tensor<2x3x8xf64>, tensor<3x30xcomplex<f32>>
}

// Between other operations, along a dimension that is not the last, and in a loop.
func.func @between(%a: tensor<10x6xf32>) -> tensor<10x6xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<10x6xf32>) -> tensor<6x10xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [10] : (tensor<6x10xf32>) -> tensor<6x6xcomplex<f32>>
  %2 = stablehlo.multiply %1, %1 : tensor<6x6xcomplex<f32>>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %3:2 = stablehlo.while(%i = %zero, %z = %2) : tensor<i32>, tensor<6x6xcomplex<f32>>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.fft %z, type = IFFT, length = [6] : (tensor<6x6xcomplex<f32>>) -> tensor<6x6xcomplex<f32>>
    %g = stablehlo.add %f, %z : tensor<6x6xcomplex<f32>>
    stablehlo.return %j, %g : tensor<i32>, tensor<6x6xcomplex<f32>>
  }
  %4 = stablehlo.fft %3#1, type = IRFFT, length = [10] : (tensor<6x6xcomplex<f32>>) -> tensor<6x10xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<6x10xf32>) -> tensor<10x6xf32>
  return %5 : tensor<10x6xf32>
}

func.func @open(%a: tensor<?x12xcomplex<f32>>) -> tensor<?x12xcomplex<f32>> {
  %0 = stablehlo.fft %a, type = FFT, length = [12] : (tensor<?x12xcomplex<f32>>) -> tensor<?x12xcomplex<f32>>
  return %0 : tensor<?x12xcomplex<f32>>
}

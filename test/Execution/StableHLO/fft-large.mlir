// Roots that are computed at run time: factors by tables whose rows are a multiple of a step (2^19), and not (2 x 262147, rows
// of a prime), and those of convolutions (262147 is a prime). The transform of a delta at 1 has the roots of unity, by cos and sin in f64.
// RUN: forge run %s | FileCheck %s
// CHECK: 6 checks hold
func.func private @roots(%n: tensor<f64>, %count: tensor<1048576xf64>) -> tensor<1048576xcomplex<f64>> {
  %turn = stablehlo.constant dense<-6.2831853071795864769> : tensor<f64>
  %step = stablehlo.divide %turn, %n : tensor<f64>
  %s = stablehlo.broadcast_in_dim %step, dims = [] : (tensor<f64>) -> tensor<1048576xf64>
  %angle = stablehlo.multiply %count, %s : tensor<1048576xf64>
  %cos = stablehlo.cosine %angle : tensor<1048576xf64>
  %sin = stablehlo.sine %angle : tensor<1048576xf64>
  %z = stablehlo.complex %cos, %sin : tensor<1048576xcomplex<f64>>
  return %z : tensor<1048576xcomplex<f64>>
}
func.func @main() {
  %count = stablehlo.iota dim = 0 : tensor<1048576xf64>

  %k0 = stablehlo.iota dim = 0 : tensor<524288xi32>
  %one0 = stablehlo.constant dense<1> : tensor<524288xi32>
  %at0 = stablehlo.compare EQ, %k0, %one0 : (tensor<524288xi32>, tensor<524288xi32>) -> tensor<524288xi1>
  %x0 = stablehlo.convert %at0 : (tensor<524288xi1>) -> tensor<524288xcomplex<f32>>
  %f0 = stablehlo.fft %x0, type = FFT, length = [524288] : (tensor<524288xcomplex<f32>>) -> tensor<524288xcomplex<f32>>
  %n0 = stablehlo.constant dense<524288.0> : tensor<f64>
  %r0 = func.call @roots(%n0, %count) : (tensor<f64>, tensor<1048576xf64>) -> tensor<1048576xcomplex<f64>>
  %s0 = stablehlo.slice %r0 [0:524288] : (tensor<1048576xcomplex<f64>>) -> tensor<524288xcomplex<f64>>
  %e0 = stablehlo.convert %s0 : (tensor<524288xcomplex<f64>>) -> tensor<524288xcomplex<f32>>
  check.expect_almost_eq %f0, %e0 {tolerance = 3.0e-7 : f64} : tensor<524288xcomplex<f32>>
  %b0 = stablehlo.fft %f0, type = IFFT, length = [524288] : (tensor<524288xcomplex<f32>>) -> tensor<524288xcomplex<f32>>
  check.expect_almost_eq %b0, %x0 {tolerance = 3.0e-7 : f64} : tensor<524288xcomplex<f32>>

  %k1 = stablehlo.iota dim = 0 : tensor<524294xi32>
  %one1 = stablehlo.constant dense<1> : tensor<524294xi32>
  %at1 = stablehlo.compare EQ, %k1, %one1 : (tensor<524294xi32>, tensor<524294xi32>) -> tensor<524294xi1>
  %x1 = stablehlo.convert %at1 : (tensor<524294xi1>) -> tensor<524294xcomplex<f64>>
  %f1 = stablehlo.fft %x1, type = FFT, length = [524294] : (tensor<524294xcomplex<f64>>) -> tensor<524294xcomplex<f64>>
  %n1 = stablehlo.constant dense<524294.0> : tensor<f64>
  %r1 = func.call @roots(%n1, %count) : (tensor<f64>, tensor<1048576xf64>) -> tensor<1048576xcomplex<f64>>
  %s1 = stablehlo.slice %r1 [0:524294] : (tensor<1048576xcomplex<f64>>) -> tensor<524294xcomplex<f64>>
  check.expect_almost_eq %f1, %s1 {tolerance = 1.0e-14 : f64} : tensor<524294xcomplex<f64>>
  return
}

// Products of which the batch is innermost, as in a triangle multiplication over pairs: what makes the factors writes them with the
// batch outermost, and the norm of the results reads them so.
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:sm_80
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target sim:sm_90a --to kernels -o - | FileCheck %s
// CHECK: func.func private @elementwise{{.*}}(%arg0: tensor<4096x32xbf16>, %arg1: tensor<4096x32xbf16>, %arg2: tensor<32x4096xbf16>)
// CHECK: strategy = wgmma
func.func @main(%a: tensor<64x64x32xbf16>, %gate: tensor<64x64x32xbf16>, %b: tensor<64x64x32xbf16>) -> tensor<64x64x32xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<32.0> : tensor<64x64xf32>
  %0 = stablehlo.logistic %gate : tensor<64x64x32xbf16>
  %1 = stablehlo.multiply %0, %a : tensor<64x64x32xbf16>
  %2 = stablehlo.dot_general %1, %b, batching_dims = [2] x [2], contracting_dims = [1] x [1] : (tensor<64x64x32xbf16>, tensor<64x64x32xbf16>) -> tensor<32x64x64xbf16>
  %3 = stablehlo.transpose %2, dims = [1, 2, 0] : (tensor<32x64x64xbf16>) -> tensor<64x64x32xbf16>
  %4 = stablehlo.convert %3 : (tensor<64x64x32xbf16>) -> tensor<64x64x32xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<64x64x32xf32>, tensor<f32>) -> tensor<64x64xf32>
  %6 = stablehlo.divide %5, %count : tensor<64x64xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<64x64xf32>) -> tensor<64x64x32xf32>
  %8 = stablehlo.subtract %4, %7 : tensor<64x64x32xf32>
  %9 = stablehlo.convert %8 : (tensor<64x64x32xf32>) -> tensor<64x64x32xbf16>
  return %9 : tensor<64x64x32xbf16>
}

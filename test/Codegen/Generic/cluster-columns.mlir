// A sum along columns and what is done to its results are one kernel.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=kernels" | FileCheck %s
// RUN: forge verify %s --function mean --target sim:sm_90a
// RUN: forge verify %s --function mean --target sim:gfx942
// RUN: forge verify %s --function two --target sim:sm_90a

// CHECK-LABEL: func.func @mean
// CHECK: call @{{rows|reduce}}
// CHECK-NOT: call
// CHECK: return
func.func @mean(%x: tensor<16x7x7x512xbf16>, %scale: tensor<512xbf16>) -> tensor<16x512xbf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<16x7x7x512xbf16>) -> tensor<16x7x7x512xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<16x7x7x512xf32>, tensor<f32>) -> tensor<16x512xf32>
  %n = stablehlo.constant dense<49.0> : tensor<16x512xf32>
  %2 = stablehlo.divide %1, %n : tensor<16x512xf32>
  %3 = stablehlo.convert %2 : (tensor<16x512xf32>) -> tensor<16x512xbf16>
  %4 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<512xbf16>) -> tensor<16x512xbf16>
  %5 = stablehlo.multiply %3, %4 : tensor<16x512xbf16>
  return %5 : tensor<16x512xbf16>
}

// Sums that two read are written.
// CHECK-LABEL: func.func @two
// CHECK: call @{{rows|reduce}}
// CHECK: call @elementwise
// CHECK: return
func.func @two(%x: tensor<16x49x512xf32>) -> (tensor<16x512xf32>, tensor<16x512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x49x512xf32>, tensor<f32>) -> tensor<16x512xf32>
  %2 = stablehlo.tanh %1 : tensor<16x512xf32>
  return %1, %2 : tensor<16x512xf32>, tensor<16x512xf32>
}

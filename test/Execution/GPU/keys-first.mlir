// Attention of grouped heads as einsum("btkgd,bskd->bkgts") writes it: keys are the first factor of the product, and the last dimension of its
// result is not theirs. It is one kernel all the same.
// RUN: forge compile %s --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge verify %s --target cpu

// CHECK: strategy = flash
// CHECK-NOT: strategy =
func.func @main(%arg0: tensor<2x80x4x64xbf16>, %arg1: tensor<2x80x2x64xbf16>, %arg2: tensor<2x80x2x64xbf16>) -> (tensor<2x80x256xbf16>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x80x4x64xbf16>) -> tensor<2x80x2x2x64xbf16>
  %1 = stablehlo.dot_general %arg1, %0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4] : (tensor<2x80x2x64xbf16>, tensor<2x80x2x2x64xbf16>) -> tensor<2x2x80x80x2xf32>
  %2 = stablehlo.transpose %1, dims = [0, 1, 4, 3, 2] : (tensor<2x2x80x80x2xf32>) -> tensor<2x2x2x80x80xf32>
  %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x80x80xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<2x2x2x80x80xf32>
  %5 = stablehlo.iota dim = 0 : tensor<80xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<80xi32>) -> tensor<80x1xi32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<80xi32>) -> tensor<1x80xi32>
  %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<80x1xi32>) -> tensor<80x80xi32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x80xi32>) -> tensor<80x80xi32>
  %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<80x80xi32>, tensor<80x80xi32>) -> tensor<80x80xi1>
  %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
  %11 = call @_where(%10, %4, %cst_0) : (tensor<80x80xi1>, tensor<2x2x2x80x80xf32>, tensor<f32>) -> tensor<2x2x2x80x80xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x80x80xf32>, tensor<f32>) -> tensor<2x2x2x80xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x2x2x80xf32>) -> tensor<2x2x2x80x1xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x80x1xf32>) -> tensor<2x2x2x80x80xf32>
  %15 = stablehlo.subtract %11, %14 : tensor<2x2x2x80x80xf32>
  %16 = stablehlo.exponential %15 : tensor<2x2x2x80x80xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x80x80xf32>, tensor<f32>) -> tensor<2x2x2x80xf32>
  %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x2x2x80xf32>) -> tensor<2x2x2x80x1xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x80x1xf32>) -> tensor<2x2x2x80x80xf32>
  %20 = stablehlo.divide %16, %19 : tensor<2x2x2x80x80xf32>
  %21 = stablehlo.convert %20 : (tensor<2x2x2x80x80xf32>) -> tensor<2x2x2x80x80xbf16>
  %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4] : (tensor<2x80x2x64xbf16>, tensor<2x2x2x80x80xbf16>) -> tensor<2x2x64x2x80xbf16>
  %23 = stablehlo.transpose %22, dims = [0, 4, 1, 3, 2] : (tensor<2x2x64x2x80xbf16>) -> tensor<2x80x2x2x64xbf16>
  %24 = stablehlo.reshape %23 : (tensor<2x80x2x2x64xbf16>) -> tensor<2x80x256xbf16>
  return %24 : tensor<2x80x256xbf16>
}
func.func private @_where(%arg0: tensor<80x80xi1>, %arg1: tensor<2x2x2x80x80xf32>, %arg2: tensor<f32>) -> tensor<2x2x2x80x80xf32> {
  %0 = stablehlo.convert %arg2 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<80x80xi1>) -> tensor<2x2x2x80x80xi1>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x80x80xf32>
  %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x2x80x80xi1>, tensor<2x2x2x80x80xf32>
  return %3 : tensor<2x2x2x80x80xf32>
}

// Gradients of attention as JAX writes them: its softmax is differentiated as a quotient, with the square of the sum; `grouped` has keys as the
// first factor of the product with queries. Kernels compute the weights again, as for transformer.attention_grad.
// RUN: forge compile %s --function heads --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --function grouped --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --function heads --target sim:sm_90a
// RUN: forge verify %s --function grouped --target sim:sm_90a
// RUN: forge verify %s --function grouped --target cpu

// CHECK-DAG: strategy = flash,
// CHECK-COUNT-2: strategy = flash_backward
// CHECK-NOT: strategy = {{wgmma|tiles|generic}}
func.func @heads(%arg0: tensor<2x128x4x64xbf16>, %arg1: tensor<2x128x4x64xbf16>, %arg2: tensor<2x128x4x64xbf16>, %arg3: tensor<2x128x4x64xbf16>) -> (tensor<2x128x4x64xbf16>, tensor<2x128x4x64xbf16>, tensor<2x128x4x64xbf16>) {
  %cst = stablehlo.constant dense<1.250000e-01> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x128x4x64xbf16>
  %1 = stablehlo.multiply %arg0, %0 : tensor<2x128x4x64xbf16>
  %2 = stablehlo.dot_general %1, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x128x4x64xbf16>, tensor<2x128x4x64xbf16>) -> tensor<2x4x128x128xbf16>
  %3 = stablehlo.convert %2 : (tensor<2x4x128x128xbf16>) -> tensor<2x4x128x128xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x128x128xf32>, tensor<f32>) -> tensor<2x4x128xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x128xf32>
  %6 = stablehlo.maximum %5, %4 : tensor<2x4x128xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<2x4x128xf32>) -> tensor<2x4x128x1xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<2x4x128x1xf32>) -> tensor<2x4x128x128xf32>
  %9 = stablehlo.subtract %3, %8 : tensor<2x4x128x128xf32>
  %10 = stablehlo.exponential %9 : tensor<2x4x128x128xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x4x128x128xf32>, tensor<f32>) -> tensor<2x4x128xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x4x128xf32>) -> tensor<2x4x128x1xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x128x1xf32>) -> tensor<2x4x128x128xf32>
  %14 = stablehlo.divide %10, %13 : tensor<2x4x128x128xf32>
  %15 = stablehlo.multiply %12, %12 : tensor<2x4x128x1xf32>
  %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x128x1xf32>
  %17 = stablehlo.divide %16, %15 : tensor<2x4x128x1xf32>
  %18 = stablehlo.convert %14 : (tensor<2x4x128x128xf32>) -> tensor<2x4x128x128xbf16>
  %19 = stablehlo.transpose %arg3, dims = [0, 2, 3, 1] : (tensor<2x128x4x64xbf16>) -> tensor<2x4x64x128xbf16>
  %20 = stablehlo.dot_general %19, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x4x64x128xbf16>, tensor<2x128x4x64xbf16>) -> tensor<2x4x128x128xbf16>
  %21 = stablehlo.dot_general %19, %18, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x64x128xbf16>, tensor<2x4x128x128xbf16>) -> tensor<2x4x64x128xbf16>
  %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x4x64x128xbf16>) -> tensor<2x128x4x64xbf16>
  %23 = stablehlo.convert %20 : (tensor<2x4x128x128xbf16>) -> tensor<2x4x128x128xf32>
  %24 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<2x4x128x1xf32>) -> tensor<2x4x128x128xf32>
  %25 = stablehlo.multiply %23, %24 : tensor<2x4x128x128xf32>
  %26 = stablehlo.multiply %25, %10 : tensor<2x4x128x128xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x4x128x128xf32>, tensor<f32>) -> tensor<2x4x128xf32>
  %28 = stablehlo.reshape %27 : (tensor<2x4x128xf32>) -> tensor<2x4x128x1xf32>
  %29 = stablehlo.negate %28 : tensor<2x4x128x1xf32>
  %30 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x4x128x1xf32>) -> tensor<2x4x128x128xf32>
  %31 = stablehlo.divide %23, %30 : tensor<2x4x128x128xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %32 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x4x128x1xf32>, tensor<f32>) -> tensor<2x4x128xf32>
  %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<2x4x128xf32>) -> tensor<2x4x128x128xf32>
  %34 = stablehlo.add %31, %33 : tensor<2x4x128x128xf32>
  %35 = stablehlo.multiply %34, %10 : tensor<2x4x128x128xf32>
  %36 = stablehlo.convert %35 : (tensor<2x4x128x128xf32>) -> tensor<2x4x128x128xbf16>
  %37 = stablehlo.dot_general %36, %1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x4x128x128xbf16>, tensor<2x128x4x64xbf16>) -> tensor<2x4x128x64xbf16>
  %38 = stablehlo.transpose %37, dims = [0, 2, 1, 3] : (tensor<2x4x128x64xbf16>) -> tensor<2x128x4x64xbf16>
  %39 = stablehlo.dot_general %36, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x4x128x128xbf16>, tensor<2x128x4x64xbf16>) -> tensor<2x4x128x64xbf16>
  %40 = stablehlo.transpose %39, dims = [0, 2, 1, 3] : (tensor<2x4x128x64xbf16>) -> tensor<2x128x4x64xbf16>
  %cst_6 = stablehlo.constant dense<1.250000e-01> : tensor<bf16>
  %41 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<2x128x4x64xbf16>
  %42 = stablehlo.multiply %40, %41 : tensor<2x128x4x64xbf16>
  return %42, %38, %22 : tensor<2x128x4x64xbf16>, tensor<2x128x4x64xbf16>, tensor<2x128x4x64xbf16>
}

func.func @grouped(%arg0: tensor<2x80x4x64xbf16>, %arg1: tensor<2x80x2x64xbf16>, %arg2: tensor<2x80x2x64xbf16>, %arg3: tensor<2x80x256xbf16>) -> (tensor<2x80x4x64xbf16>, tensor<2x80x2x64xbf16>, tensor<2x80x2x64xbf16>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x80x4x64xbf16>) -> tensor<2x80x2x2x64xbf16>
  %1 = stablehlo.dot_general %arg1, %0, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4] : (tensor<2x80x2x64xbf16>, tensor<2x80x2x2x64xbf16>) -> tensor<2x2x80x80x2xbf16>
  %2 = stablehlo.transpose %1, dims = [0, 1, 4, 3, 2] : (tensor<2x2x80x80x2xbf16>) -> tensor<2x2x2x80x80xbf16>
  %3 = stablehlo.convert %2 : (tensor<2x2x2x80x80xbf16>) -> tensor<2x2x2x80x80xf32>
  %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x80x80xf32>
  %5 = stablehlo.multiply %3, %4 : tensor<2x2x2x80x80xf32>
  %6 = stablehlo.iota dim = 0 : tensor<80xi32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<80xi32>) -> tensor<80x1xi32>
  %8 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<80xi32>) -> tensor<1x80xi32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<80x1xi32>) -> tensor<80x80xi32>
  %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x80xi32>) -> tensor<80x80xi32>
  %11 = stablehlo.compare GE, %9, %10, SIGNED : (tensor<80x80xi32>, tensor<80x80xi32>) -> tensor<80x80xi1>
  %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
  %12:2 = call @where_grouped(%11, %5, %cst_0) : (tensor<80x80xi1>, tensor<2x2x2x80x80xf32>, tensor<f32>) -> (tensor<2x2x2x80x80xf32>, tensor<2x2x2x80x80xi1>)
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %13 = stablehlo.reduce(%12#0 init: %cst_1) applies stablehlo.maximum across dimensions = [4] : (tensor<2x2x2x80x80xf32>, tensor<f32>) -> tensor<2x2x2x80xf32>
  %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x2x2x80xf32>
  %15 = stablehlo.maximum %14, %13 : tensor<2x2x2x80xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x2x2x80xf32>) -> tensor<2x2x2x80x1xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x80x1xf32>) -> tensor<2x2x2x80x80xf32>
  %18 = stablehlo.subtract %12#0, %17 : tensor<2x2x2x80x80xf32>
  %19 = stablehlo.exponential %18 : tensor<2x2x2x80x80xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x80x80xf32>, tensor<f32>) -> tensor<2x2x2x80xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x2x2x80xf32>) -> tensor<2x2x2x80x1xf32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x80x1xf32>) -> tensor<2x2x2x80x80xf32>
  %23 = stablehlo.divide %19, %22 : tensor<2x2x2x80x80xf32>
  %24 = stablehlo.multiply %21, %21 : tensor<2x2x2x80x1xf32>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2x2x80x1xf32>
  %26 = stablehlo.divide %25, %24 : tensor<2x2x2x80x1xf32>
  %27 = stablehlo.convert %23 : (tensor<2x2x2x80x80xf32>) -> tensor<2x2x2x80x80xbf16>
  %28 = stablehlo.reshape %arg3 : (tensor<2x80x256xbf16>) -> tensor<2x80x2x2x64xbf16>
  %29 = stablehlo.transpose %28, dims = [0, 2, 4, 3, 1] : (tensor<2x80x2x2x64xbf16>) -> tensor<2x2x64x2x80xbf16>
  %30 = stablehlo.dot_general %29, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x2x64x2x80xbf16>, tensor<2x80x2x64xbf16>) -> tensor<2x2x2x80x80xbf16>
  %31 = stablehlo.dot_general %29, %27, batching_dims = [0, 1] x [0, 1], contracting_dims = [3, 4] x [2, 3] : (tensor<2x2x64x2x80xbf16>, tensor<2x2x2x80x80xbf16>) -> tensor<2x2x64x80xbf16>
  %32 = stablehlo.transpose %31, dims = [0, 3, 1, 2] : (tensor<2x2x64x80xbf16>) -> tensor<2x80x2x64xbf16>
  %33 = stablehlo.convert %30 : (tensor<2x2x2x80x80xbf16>) -> tensor<2x2x2x80x80xf32>
  %34 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x80x1xf32>) -> tensor<2x2x2x80x80xf32>
  %35 = stablehlo.multiply %33, %34 : tensor<2x2x2x80x80xf32>
  %36 = stablehlo.multiply %35, %19 : tensor<2x2x2x80x80xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %37 = stablehlo.reduce(%36 init: %cst_5) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x80x80xf32>, tensor<f32>) -> tensor<2x2x2x80xf32>
  %38 = stablehlo.reshape %37 : (tensor<2x2x2x80xf32>) -> tensor<2x2x2x80x1xf32>
  %39 = stablehlo.negate %38 : tensor<2x2x2x80x1xf32>
  %40 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3, 4] : (tensor<2x2x2x80x1xf32>) -> tensor<2x2x2x80x80xf32>
  %41 = stablehlo.divide %33, %40 : tensor<2x2x2x80x80xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %42 = stablehlo.reduce(%39 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<2x2x2x80x1xf32>, tensor<f32>) -> tensor<2x2x2x80xf32>
  %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<2x2x2x80xf32>) -> tensor<2x2x2x80x80xf32>
  %44 = stablehlo.add %41, %43 : tensor<2x2x2x80x80xf32>
  %45 = stablehlo.multiply %44, %19 : tensor<2x2x2x80x80xf32>
  %46 = call @where_grouped_0(%12#1, %45) : (tensor<2x2x2x80x80xi1>, tensor<2x2x2x80x80xf32>) -> tensor<2x2x2x80x80xf32>
  %cst_7 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %47 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x2x2x80x80xf32>
  %48 = stablehlo.multiply %46, %47 : tensor<2x2x2x80x80xf32>
  %49 = stablehlo.convert %48 : (tensor<2x2x2x80x80xf32>) -> tensor<2x2x2x80x80xbf16>
  %50 = stablehlo.transpose %49, dims = [0, 1, 4, 3, 2] : (tensor<2x2x2x80x80xbf16>) -> tensor<2x2x80x80x2xbf16>
  %51 = stablehlo.dot_general %50, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x2x80x80x2xbf16>, tensor<2x80x2x64xbf16>) -> tensor<2x2x80x2x64xbf16>
  %52 = stablehlo.transpose %51, dims = [0, 2, 1, 3, 4] : (tensor<2x2x80x2x64xbf16>) -> tensor<2x80x2x2x64xbf16>
  %53 = stablehlo.dot_general %50, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [3, 4] x [1, 3] : (tensor<2x2x80x80x2xbf16>, tensor<2x80x2x2x64xbf16>) -> tensor<2x2x80x64xbf16>
  %54 = stablehlo.transpose %53, dims = [0, 2, 1, 3] : (tensor<2x2x80x64xbf16>) -> tensor<2x80x2x64xbf16>
  %55 = stablehlo.reshape %52 : (tensor<2x80x2x2x64xbf16>) -> tensor<2x80x4x64xbf16>
  return %55, %54, %32 : tensor<2x80x4x64xbf16>, tensor<2x80x2x64xbf16>, tensor<2x80x2x64xbf16>
}
func.func private @where_grouped(%arg0: tensor<80x80xi1>, %arg1: tensor<2x2x2x80x80xf32>, %arg2: tensor<f32>) -> (tensor<2x2x2x80x80xf32>, tensor<2x2x2x80x80xi1>) {
  %0 = stablehlo.convert %arg2 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %arg0, dims = [3, 4] : (tensor<80x80xi1>) -> tensor<2x2x2x80x80xi1>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x2x2x80x80xf32>
  %3 = stablehlo.select %1, %arg1, %2 : tensor<2x2x2x80x80xi1>, tensor<2x2x2x80x80xf32>
  return %3, %1 : tensor<2x2x2x80x80xf32>, tensor<2x2x2x80x80xi1>
}
func.func private @where_grouped_0(%arg0: tensor<2x2x2x80x80xi1>, %arg1: tensor<2x2x2x80x80xf32>) -> tensor<2x2x2x80x80xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x2x80x80xf32>
  %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x2x2x80x80xi1>, tensor<2x2x2x80x80xf32>
  return %1 : tensor<2x2x2x80x80xf32>
}

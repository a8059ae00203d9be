// Attention in windows, as of image models, is one kernel of strategy flash: biases that are looked up in a table are a kernel before it
// (@table), and masks of the windows of an image, which all images share, divide the batch: jnp.tile (@tile), or scores seen as images and
// windows (@view).
// RUN: forge compile %s --function table --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=TABLE
// RUN: forge compile %s --function tile --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge compile %s --function view --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --function table --target sim:sm_90a
// RUN: forge verify %s --function table --target sim:gfx942
// RUN: forge verify %s --function tile --target sim:sm_90a
// RUN: forge verify %s --function tile --target cpu
// RUN: forge verify %s --function view --target sim:sm_90a

// TABLE-DAG: strategy = flash
// TABLE-NOT: strategy = {{wgmma|tiles}}
// ONE: strategy = flash
// ONE-NOT: strategy =

func.func @table(%arg0: tensor<8x49x2x32xbf16>, %arg1: tensor<8x49x2x32xbf16>, %arg2: tensor<8x49x2x32xbf16>, %arg3: tensor<169x2xbf16>, %arg4: tensor<49x49xi32>) -> (tensor<8x49x2x32xbf16>) {
  %0 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<49x49xi32>) -> tensor<49x49x1xi32>
  %1 = "stablehlo.gather"(%arg3, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<169x2xbf16>, tensor<49x49x1xi32>) -> tensor<49x49x2xbf16>
  %2 = stablehlo.transpose %1, dims = [2, 0, 1] : (tensor<49x49x2xbf16>) -> tensor<2x49x49xbf16>
  %3 = stablehlo.convert %2 : (tensor<2x49x49xbf16>) -> tensor<2x49x49xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2, 3] : (tensor<2x49x49xf32>) -> tensor<1x2x49x49xf32>
  %5 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<8x49x2x32xbf16>, tensor<8x49x2x32xbf16>) -> tensor<8x2x49x49xf32>
  %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2x49x49xf32>
  %7 = stablehlo.multiply %5, %6 : tensor<8x2x49x49xf32>
  %8 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x2x49x49xf32>) -> tensor<8x2x49x49xf32>
  %9 = stablehlo.add %7, %8 : tensor<8x2x49x49xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<8x2x49x49xf32>, tensor<f32>) -> tensor<8x2x49xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x2x49xf32>
  %12 = stablehlo.maximum %11, %10 : tensor<8x2x49xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<8x2x49xf32>) -> tensor<8x2x49x1xf32>
  %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<8x2x49x1xf32>) -> tensor<8x2x49x49xf32>
  %15 = stablehlo.subtract %9, %14 : tensor<8x2x49x49xf32>
  %16 = stablehlo.exponential %15 : tensor<8x2x49x49xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<8x2x49x49xf32>, tensor<f32>) -> tensor<8x2x49xf32>
  %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<8x2x49xf32>) -> tensor<8x2x49x1xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<8x2x49x1xf32>) -> tensor<8x2x49x49xf32>
  %20 = stablehlo.divide %16, %19 : tensor<8x2x49x49xf32>
  %21 = stablehlo.convert %20 : (tensor<8x2x49x49xf32>) -> tensor<8x2x49x49xbf16>
  %22 = stablehlo.dot_general %arg2, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<8x49x2x32xbf16>, tensor<8x2x49x49xbf16>) -> tensor<8x2x32x49xbf16>
  %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<8x2x32x49xbf16>) -> tensor<8x49x2x32xbf16>
  return %23 : tensor<8x49x2x32xbf16>
}

func.func @tile(%arg0: tensor<8x49x2x32xbf16>, %arg1: tensor<8x49x2x32xbf16>, %arg2: tensor<8x49x2x32xbf16>, %arg3: tensor<2x49x49xf32>, %arg4: tensor<4x49x49xf32>) -> (tensor<8x49x2x32xbf16>) {
  %0 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<2x49x49xf32>) -> tensor<1x2x49x49xf32>
  %1 = stablehlo.broadcast_in_dim %arg4, dims = [0, 2, 3] : (tensor<4x49x49xf32>) -> tensor<4x1x49x49xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<1x2x49x49xf32>) -> tensor<4x2x49x49xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<4x1x49x49xf32>) -> tensor<4x2x49x49xf32>
  %4 = stablehlo.add %2, %3 : tensor<4x2x49x49xf32>
  %5 = stablehlo.reshape %4 : (tensor<4x2x49x49xf32>) -> tensor<1x4x1x2x1x49x1x49xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4, 5, 6, 7] : (tensor<1x4x1x2x1x49x1x49xf32>) -> tensor<2x4x1x2x1x49x1x49xf32>
  %7 = stablehlo.reshape %6 : (tensor<2x4x1x2x1x49x1x49xf32>) -> tensor<8x2x49x49xf32>
  %8 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<8x49x2x32xbf16>, tensor<8x49x2x32xbf16>) -> tensor<8x2x49x49xf32>
  %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2x49x49xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<8x2x49x49xf32>
  %11 = stablehlo.add %10, %7 : tensor<8x2x49x49xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %12 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<8x2x49x49xf32>, tensor<f32>) -> tensor<8x2x49xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x2x49xf32>
  %14 = stablehlo.maximum %13, %12 : tensor<8x2x49xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x2x49xf32>) -> tensor<8x2x49x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<8x2x49x1xf32>) -> tensor<8x2x49x49xf32>
  %17 = stablehlo.subtract %11, %16 : tensor<8x2x49x49xf32>
  %18 = stablehlo.exponential %17 : tensor<8x2x49x49xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %19 = stablehlo.reduce(%18 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<8x2x49x49xf32>, tensor<f32>) -> tensor<8x2x49xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<8x2x49xf32>) -> tensor<8x2x49x1xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<8x2x49x1xf32>) -> tensor<8x2x49x49xf32>
  %22 = stablehlo.divide %18, %21 : tensor<8x2x49x49xf32>
  %23 = stablehlo.convert %22 : (tensor<8x2x49x49xf32>) -> tensor<8x2x49x49xbf16>
  %24 = stablehlo.dot_general %arg2, %23, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<8x49x2x32xbf16>, tensor<8x2x49x49xbf16>) -> tensor<8x2x32x49xbf16>
  %25 = stablehlo.transpose %24, dims = [0, 3, 1, 2] : (tensor<8x2x32x49xbf16>) -> tensor<8x49x2x32xbf16>
  return %25 : tensor<8x49x2x32xbf16>
}

func.func @view(%arg0: tensor<8x49x2x32xbf16>, %arg1: tensor<8x49x2x32xbf16>, %arg2: tensor<8x49x2x32xbf16>, %arg3: tensor<4x49x49xf32>) -> (tensor<8x49x2x32xbf16>) {
  %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<8x49x2x32xbf16>, tensor<8x49x2x32xbf16>) -> tensor<8x2x49x49xf32>
  %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x2x49x49xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<8x2x49x49xf32>
  %3 = stablehlo.reshape %2 : (tensor<8x2x49x49xf32>) -> tensor<2x4x2x49x49xf32>
  %4 = stablehlo.broadcast_in_dim %arg3, dims = [1, 3, 4] : (tensor<4x49x49xf32>) -> tensor<1x4x1x49x49xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<1x4x1x49x49xf32>) -> tensor<2x4x2x49x49xf32>
  %6 = stablehlo.add %3, %5 : tensor<2x4x2x49x49xf32>
  %7 = stablehlo.reshape %6 : (tensor<2x4x2x49x49xf32>) -> tensor<8x2x49x49xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<8x2x49x49xf32>, tensor<f32>) -> tensor<8x2x49xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x2x49xf32>
  %10 = stablehlo.maximum %9, %8 : tensor<8x2x49xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<8x2x49xf32>) -> tensor<8x2x49x1xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<8x2x49x1xf32>) -> tensor<8x2x49x49xf32>
  %13 = stablehlo.subtract %7, %12 : tensor<8x2x49x49xf32>
  %14 = stablehlo.exponential %13 : tensor<8x2x49x49xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<8x2x49x49xf32>, tensor<f32>) -> tensor<8x2x49xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<8x2x49xf32>) -> tensor<8x2x49x1xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<8x2x49x1xf32>) -> tensor<8x2x49x49xf32>
  %18 = stablehlo.divide %14, %17 : tensor<8x2x49x49xf32>
  %19 = stablehlo.convert %18 : (tensor<8x2x49x49xf32>) -> tensor<8x2x49x49xbf16>
  %20 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<8x49x2x32xbf16>, tensor<8x2x49x49xbf16>) -> tensor<8x2x32x49xbf16>
  %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<8x2x32x49xbf16>) -> tensor<8x49x2x32xbf16>
  return %21 : tensor<8x49x2x32xbf16>
}

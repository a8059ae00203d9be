// Attention over images whose biases differ along lines and along places of queries and keys (SAM, ViTDet, MViTv2), exported by jax
// 0.10.2: one kernel, which looks biases up. 120 and 196 keys are no multiple of a tile; the batch is one, and two.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge verify %t/one.mlir --target sim:sm_90a
// RUN: forge verify %t/one.mlir --target sim:sm_80
// RUN: forge verify %t/one.mlir --target sim:gfx942
// RUN: forge verify %t/two.mlir --target sim:sm_90a --each-stage
// RUN: forge verify %t/two.mlir --target sim:gfx90a
// RUN: forge compile %t/one.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %t/two.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s
// Biases that are products of queries: they are written with the parts of keys side by side.
// RUN: forge verify %t/products.mlir --target sim:sm_90a
// RUN: forge verify %t/products.mlir --target sim:gfx1100
// RUN: forge compile %t/products.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=PRODUCTS
// PRODUCTS: @attention({{.*}}tensor<2x9x10x9xbf16>{{.*}}tensor<2x9x10x10xbf16>{{.*}}strategy = flash,
// CHECK-COUNT-1: attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = flash,
// CHECK-NOT: attributes {forge.kernel

//--- one.mlir
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x120x2x64xbf16>, %arg1: tensor<1x120x2x64xbf16>, %arg2: tensor<1x120x2x64xbf16>, %arg3: tensor<1x2x12x10x12xbf16>, %arg4: tensor<1x2x12x10x10xbf16>) -> (tensor<1x120x2x64xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x120x2x64xbf16>, tensor<1x120x2x64xbf16>) -> tensor<1x2x120x120xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x120x120xf32>
    %2 = stablehlo.divide %0, %1 : tensor<1x2x120x120xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x2x120x120xf32>) -> tensor<1x2x12x10x12x10xf32>
    %4 = stablehlo.convert %arg3 : (tensor<1x2x12x10x12xbf16>) -> tensor<1x2x12x10x12xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<1x2x12x10x12xf32>) -> tensor<1x2x12x10x12x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x2x12x10x12x1xf32>) -> tensor<1x2x12x10x12x10xf32>
    %7 = stablehlo.add %3, %6 : tensor<1x2x12x10x12x10xf32>
    %8 = stablehlo.convert %arg4 : (tensor<1x2x12x10x10xbf16>) -> tensor<1x2x12x10x10xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 5] : (tensor<1x2x12x10x10xf32>) -> tensor<1x2x12x10x1x10xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x2x12x10x1x10xf32>) -> tensor<1x2x12x10x12x10xf32>
    %11 = stablehlo.add %7, %10 : tensor<1x2x12x10x12x10xf32>
    %12 = stablehlo.reshape %11 : (tensor<1x2x12x10x12x10xf32>) -> tensor<1x2x120x120xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x120x120xf32>, tensor<f32>) -> tensor<1x2x120xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x120xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<1x2x120xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x2x120xf32>) -> tensor<1x2x120x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x2x120x1xf32>) -> tensor<1x2x120x120xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<1x2x120x120xf32>
    %19 = stablehlo.exponential %18 : tensor<1x2x120x120xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x2x120x120xf32>, tensor<f32>) -> tensor<1x2x120xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x2x120xf32>) -> tensor<1x2x120x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x2x120x1xf32>) -> tensor<1x2x120x120xf32>
    %23 = stablehlo.divide %19, %22 : tensor<1x2x120x120xf32>
    %24 = stablehlo.convert %23 : (tensor<1x2x120x120xf32>) -> tensor<1x2x120x120xbf16>
    %25 = stablehlo.dot_general %arg2, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x120x2x64xbf16>, tensor<1x2x120x120xbf16>) -> tensor<1x2x64x120xbf16>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<1x2x64x120xbf16>) -> tensor<1x120x2x64xbf16>
    return %26 : tensor<1x120x2x64xbf16>
  }
}

//--- two.mlir
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x196x1x64xbf16>, %arg1: tensor<2x196x1x64xbf16>, %arg2: tensor<2x196x1x64xbf16>, %arg3: tensor<2x1x14x14x14xbf16>, %arg4: tensor<2x1x14x14x14xbf16>) -> (tensor<2x196x1x64xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x196x1x64xbf16>, tensor<2x196x1x64xbf16>) -> tensor<2x1x196x196xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x1x196x196xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x1x196x196xf32>
    %3 = stablehlo.reshape %2 : (tensor<2x1x196x196xf32>) -> tensor<2x1x14x14x14x14xf32>
    %4 = stablehlo.convert %arg3 : (tensor<2x1x14x14x14xbf16>) -> tensor<2x1x14x14x14xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3, 4] : (tensor<2x1x14x14x14xf32>) -> tensor<2x1x14x14x14x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3, 4, 5] : (tensor<2x1x14x14x14x1xf32>) -> tensor<2x1x14x14x14x14xf32>
    %7 = stablehlo.add %3, %6 : tensor<2x1x14x14x14x14xf32>
    %8 = stablehlo.convert %arg4 : (tensor<2x1x14x14x14xbf16>) -> tensor<2x1x14x14x14xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3, 5] : (tensor<2x1x14x14x14xf32>) -> tensor<2x1x14x14x1x14xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3, 4, 5] : (tensor<2x1x14x14x1x14xf32>) -> tensor<2x1x14x14x14x14xf32>
    %11 = stablehlo.add %7, %10 : tensor<2x1x14x14x14x14xf32>
    %12 = stablehlo.reshape %11 : (tensor<2x1x14x14x14x14xf32>) -> tensor<2x1x196x196xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x1x196x196xf32>, tensor<f32>) -> tensor<2x1x196xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1x196xf32>
    %15 = stablehlo.maximum %14, %13 : tensor<2x1x196xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<2x1x196xf32>) -> tensor<2x1x196x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<2x1x196x1xf32>) -> tensor<2x1x196x196xf32>
    %18 = stablehlo.subtract %12, %17 : tensor<2x1x196x196xf32>
    %19 = stablehlo.exponential %18 : tensor<2x1x196x196xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x1x196x196xf32>, tensor<f32>) -> tensor<2x1x196xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<2x1x196xf32>) -> tensor<2x1x196x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<2x1x196x1xf32>) -> tensor<2x1x196x196xf32>
    %23 = stablehlo.divide %19, %22 : tensor<2x1x196x196xf32>
    %24 = stablehlo.convert %23 : (tensor<2x1x196x196xf32>) -> tensor<2x1x196x196xbf16>
    %25 = stablehlo.dot_general %arg2, %24, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x196x1x64xbf16>, tensor<2x1x196x196xbf16>) -> tensor<2x1x64x196xbf16>
    %26 = stablehlo.transpose %25, dims = [0, 3, 1, 2] : (tensor<2x1x64x196xbf16>) -> tensor<2x196x1x64xbf16>
    return %26 : tensor<2x196x1x64xbf16>
  }
}
//--- products.mlir
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x90x2x64xbf16>, %arg1: tensor<1x90x2x64xbf16>, %arg2: tensor<1x90x2x64xbf16>, %arg3: tensor<9x9x64xbf16>, %arg4: tensor<10x10x64xbf16>) -> (tensor<1x90x2x64xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x90x2x64xbf16>, tensor<1x90x2x64xbf16>) -> tensor<1x2x90x90xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x90x90xf32>
    %2 = stablehlo.divide %0, %1 : tensor<1x2x90x90xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<1x90x2x64xbf16>) -> tensor<1x9x10x2x64xbf16>
    %4 = stablehlo.dot_general %arg3, %3, batching_dims = [0] x [1], contracting_dims = [2] x [4], precision = [DEFAULT, DEFAULT] : (tensor<9x9x64xbf16>, tensor<1x9x10x2x64xbf16>) -> tensor<9x9x1x10x2xbf16>
    %5 = stablehlo.transpose %4, dims = [2, 4, 0, 3, 1] : (tensor<9x9x1x10x2xbf16>) -> tensor<1x2x9x10x9xbf16>
    %6 = stablehlo.dot_general %arg4, %3, batching_dims = [0] x [2], contracting_dims = [2] x [4], precision = [DEFAULT, DEFAULT] : (tensor<10x10x64xbf16>, tensor<1x9x10x2x64xbf16>) -> tensor<10x10x1x9x2xbf16>
    %7 = stablehlo.transpose %6, dims = [2, 4, 3, 0, 1] : (tensor<10x10x1x9x2xbf16>) -> tensor<1x2x9x10x10xbf16>
    %8 = stablehlo.reshape %2 : (tensor<1x2x90x90xf32>) -> tensor<1x2x9x10x9x10xf32>
    %9 = stablehlo.convert %5 : (tensor<1x2x9x10x9xbf16>) -> tensor<1x2x9x10x9xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3, 4] : (tensor<1x2x9x10x9xf32>) -> tensor<1x2x9x10x9x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x2x9x10x9x1xf32>) -> tensor<1x2x9x10x9x10xf32>
    %12 = stablehlo.add %8, %11 : tensor<1x2x9x10x9x10xf32>
    %13 = stablehlo.convert %7 : (tensor<1x2x9x10x10xbf16>) -> tensor<1x2x9x10x10xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3, 5] : (tensor<1x2x9x10x10xf32>) -> tensor<1x2x9x10x1x10xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4, 5] : (tensor<1x2x9x10x1x10xf32>) -> tensor<1x2x9x10x9x10xf32>
    %16 = stablehlo.add %12, %15 : tensor<1x2x9x10x9x10xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x2x9x10x9x10xf32>) -> tensor<1x2x90x90xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x90x90xf32>, tensor<f32>) -> tensor<1x2x90xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x90xf32>
    %20 = stablehlo.maximum %19, %18 : tensor<1x2x90xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x2x90xf32>) -> tensor<1x2x90x1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x2x90x1xf32>) -> tensor<1x2x90x90xf32>
    %23 = stablehlo.subtract %17, %22 : tensor<1x2x90x90xf32>
    %24 = stablehlo.exponential %23 : tensor<1x2x90x90xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x2x90x90xf32>, tensor<f32>) -> tensor<1x2x90xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x2x90xf32>) -> tensor<1x2x90x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x2x90x1xf32>) -> tensor<1x2x90x90xf32>
    %28 = stablehlo.divide %24, %27 : tensor<1x2x90x90xf32>
    %29 = stablehlo.convert %28 : (tensor<1x2x90x90xf32>) -> tensor<1x2x90x90xbf16>
    %30 = stablehlo.dot_general %arg2, %29, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x90x2x64xbf16>, tensor<1x2x90x90xbf16>) -> tensor<1x2x64x90xbf16>
    %31 = stablehlo.transpose %30, dims = [0, 3, 1, 2] : (tensor<1x2x64x90xbf16>) -> tensor<1x90x2x64xbf16>
    return %31 : tensor<1x90x2x64xbf16>
  }
}


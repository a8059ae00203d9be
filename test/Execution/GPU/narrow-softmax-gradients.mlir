// Gradients of attention as JAX writes them, exported by jax 0.10.2, are two kernels of strategy flash_backward beside a forward one: of
// flax.linen.dot_product_attention(dtype=bfloat16), whose softmax is in 16 bits, with logits of some 50 whose rounding moves weights by a
// tenth; and of grouped heads by jnp.repeat, where gradients of keys are added up for each head and then over heads.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge verify %t/narrow.mlir --target sim:sm_90a
// RUN: forge verify %t/narrow.mlir --target sim:sm_90a --seed 7
// RUN: forge verify %t/repeated.mlir --target sim:sm_90a
// RUN: forge compile %t/narrow.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %t/repeated.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s
// Where a bias has a gradient, those of the scores are in memory, and products read them there.
// RUN: forge verify %t/biased.mlir --target sim:sm_90a
// RUN: forge compile %t/biased.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s --check-prefix=BIASED
// BIASED-NOT: flash_backward
// CHECK: strategy = flash,
// CHECK-COUNT-2: strategy = flash_backward
// CHECK-NOT: tensor<{{.*}}128x128x{{.*}}attributes {forge.kernel

//--- narrow.mlir
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x128x2x64xbf16>, %arg1: tensor<1x128x2x64xbf16>, %arg2: tensor<1x128x2x64xbf16>, %arg3: tensor<1x128x2x64xbf16>) -> (tensor<1x128x2x64xbf16> {jax.result_info = "result[0]"}, tensor<1x128x2x64xbf16> {jax.result_info = "result[1]"}, tensor<1x128x2x64xbf16> {jax.result_info = "result[2]"}, tensor<1x128x2x64xbf16> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<1.600000e+01> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1x128x2x64xbf16>
    %1 = stablehlo.multiply %arg0, %0 : tensor<1x128x2x64xbf16>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.sqrt %cst_0 : tensor<f32>
    %3 = stablehlo.convert %2 : (tensor<f32>) -> tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<bf16>) -> tensor<1x128x2x64xbf16>
    %5 = stablehlo.divide %1, %4 : tensor<1x128x2x64xbf16>
    %6 = stablehlo.dot_general %5, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x2x64xbf16>, tensor<1x128x2x64xbf16>) -> tensor<1x2x128x128xbf16>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x128x128xbf16>, tensor<bf16>) -> tensor<1x2x128xbf16>
    %cst_2 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %8 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<1x2x128xbf16>
    %9 = stablehlo.maximum %8, %7 : tensor<1x2x128xbf16>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x2x128xbf16>) -> tensor<1x2x128x1xbf16>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %12 = stablehlo.subtract %6, %11 : tensor<1x2x128x128xbf16>
    %13 = stablehlo.exponential %12 : tensor<1x2x128x128xbf16>
    %14 = stablehlo.convert %13 : (tensor<1x2x128x128xbf16>) -> tensor<1x2x128x128xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %17 = stablehlo.convert %16 : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x1xbf16>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %19 = stablehlo.divide %13, %18 : tensor<1x2x128x128xbf16>
    %20 = stablehlo.multiply %17, %17 : tensor<1x2x128x1xbf16>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<1x2x128x1xbf16>
    %22 = stablehlo.divide %21, %20 : tensor<1x2x128x1xbf16>
    %23 = stablehlo.dot_general %arg2, %19, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x2x64xbf16>, tensor<1x2x128x128xbf16>) -> tensor<1x2x64x128xbf16>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<1x2x64x128xbf16>) -> tensor<1x128x2x64xbf16>
    %25 = stablehlo.transpose %arg3, dims = [0, 2, 3, 1] : (tensor<1x128x2x64xbf16>) -> tensor<1x2x64x128xbf16>
    %26 = stablehlo.dot_general %25, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x128xbf16>, tensor<1x128x2x64xbf16>) -> tensor<1x2x128x128xbf16>
    %27 = stablehlo.dot_general %25, %19, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x128xbf16>, tensor<1x2x128x128xbf16>) -> tensor<1x2x64x128xbf16>
    %28 = stablehlo.transpose %27, dims = [0, 3, 1, 2] : (tensor<1x2x64x128xbf16>) -> tensor<1x128x2x64xbf16>
    %29 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %30 = stablehlo.multiply %26, %29 : tensor<1x2x128x128xbf16>
    %31 = stablehlo.multiply %30, %13 : tensor<1x2x128x128xbf16>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %32 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<1x2x128x128xbf16>, tensor<bf16>) -> tensor<1x2x128xbf16>
    %33 = stablehlo.reshape %32 : (tensor<1x2x128xbf16>) -> tensor<1x2x128x1xbf16>
    %34 = stablehlo.negate %33 : tensor<1x2x128x1xbf16>
    %35 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x128xbf16>
    %36 = stablehlo.divide %26, %35 : tensor<1x2x128x128xbf16>
    %37 = stablehlo.convert %34 : (tensor<1x2x128x1xbf16>) -> tensor<1x2x128x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x2x128x1xf32>, tensor<f32>) -> tensor<2x128xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x128xf32>
    %41 = stablehlo.convert %40 : (tensor<1x2x128x128xf32>) -> tensor<1x2x128x128xbf16>
    %42 = stablehlo.add %36, %41 : tensor<1x2x128x128xbf16>
    %43 = stablehlo.multiply %42, %13 : tensor<1x2x128x128xbf16>
    %44 = stablehlo.dot_general %43, %5, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x128xbf16>, tensor<1x128x2x64xbf16>) -> tensor<1x2x128x64xbf16>
    %45 = stablehlo.transpose %44, dims = [0, 2, 1, 3] : (tensor<1x2x128x64xbf16>) -> tensor<1x128x2x64xbf16>
    %46 = stablehlo.dot_general %43, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x128xbf16>, tensor<1x128x2x64xbf16>) -> tensor<1x2x128x64xbf16>
    %47 = stablehlo.transpose %46, dims = [0, 2, 1, 3] : (tensor<1x2x128x64xbf16>) -> tensor<1x128x2x64xbf16>
    %48 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<bf16>) -> tensor<1x128x2x64xbf16>
    %49 = stablehlo.divide %47, %48 : tensor<1x128x2x64xbf16>
    %cst_7 = stablehlo.constant dense<1.600000e+01> : tensor<bf16>
    %50 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<1x128x2x64xbf16>
    %51 = stablehlo.multiply %49, %50 : tensor<1x128x2x64xbf16>
    return %24, %51, %45, %28 : tensor<1x128x2x64xbf16>, tensor<1x128x2x64xbf16>, tensor<1x128x2x64xbf16>, tensor<1x128x2x64xbf16>
  }
}

//--- repeated.mlir
module @jit_g attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x128x2x64xbf16>, %arg1: tensor<1x128x1x64xbf16>, %arg2: tensor<1x128x1x64xbf16>, %arg3: tensor<1x128x2x64xbf16>) -> (tensor<1x128x2x64xbf16> {jax.result_info = "result[0]"}, tensor<1x128x2x64xbf16> {jax.result_info = "result[1]"}, tensor<1x128x1x64xbf16> {jax.result_info = "result[2]"}, tensor<1x128x1x64xbf16> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 4] : (tensor<1x128x1x64xbf16>) -> tensor<1x128x1x2x64xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x128x1x2x64xbf16>) -> tensor<1x128x2x64xbf16>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 4] : (tensor<1x128x1x64xbf16>) -> tensor<1x128x1x2x64xbf16>
    %3 = stablehlo.reshape %2 : (tensor<1x128x1x2x64xbf16>) -> tensor<1x128x2x64xbf16>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x2x64xbf16>, tensor<1x128x2x64xbf16>) -> tensor<1x2x128x128xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x128x128xf32>
    %6 = stablehlo.divide %4, %5 : tensor<1x2x128x128xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x2x128xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<1x2x128xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<1x2x128x128xf32>
    %13 = stablehlo.exponential %12 : tensor<1x2x128x128xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %17 = stablehlo.divide %13, %16 : tensor<1x2x128x128xf32>
    %18 = stablehlo.multiply %15, %15 : tensor<1x2x128x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x2x128x1xf32>
    %20 = stablehlo.divide %19, %18 : tensor<1x2x128x1xf32>
    %21 = stablehlo.convert %17 : (tensor<1x2x128x128xf32>) -> tensor<1x2x128x128xbf16>
    %22 = stablehlo.dot_general %3, %21, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x2x64xbf16>, tensor<1x2x128x128xbf16>) -> tensor<1x2x64x128xbf16>
    %23 = stablehlo.transpose %22, dims = [0, 3, 1, 2] : (tensor<1x2x64x128xbf16>) -> tensor<1x128x2x64xbf16>
    %24 = stablehlo.transpose %arg3, dims = [0, 2, 3, 1] : (tensor<1x128x2x64xbf16>) -> tensor<1x2x64x128xbf16>
    %25 = stablehlo.dot_general %24, %3, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x128xbf16>, tensor<1x128x2x64xbf16>) -> tensor<1x2x128x128xbf16>
    %26 = stablehlo.dot_general %24, %21, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x128xbf16>, tensor<1x2x128x128xbf16>) -> tensor<1x2x64x128xbf16>
    %27 = stablehlo.transpose %26, dims = [0, 3, 1, 2] : (tensor<1x2x64x128xbf16>) -> tensor<1x128x2x64xbf16>
    %28 = stablehlo.convert %25 : (tensor<1x2x128x128xbf16>) -> tensor<1x2x128x128xf32>
    %29 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %30 = stablehlo.multiply %28, %29 : tensor<1x2x128x128xf32>
    %31 = stablehlo.multiply %30, %13 : tensor<1x2x128x128xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<1x2x128xf32>
    %33 = stablehlo.reshape %32 : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %34 = stablehlo.negate %33 : tensor<1x2x128x1xf32>
    %35 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x128xf32>
    %36 = stablehlo.divide %28, %35 : tensor<1x2x128x128xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%34 init: %cst_5) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x2x128x1xf32>, tensor<f32>) -> tensor<2x128xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [1, 2] : (tensor<2x128xf32>) -> tensor<1x2x128xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x128xf32>
    %40 = stablehlo.add %36, %39 : tensor<1x2x128x128xf32>
    %41 = stablehlo.multiply %40, %13 : tensor<1x2x128x128xf32>
    %cst_6 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x2x128x128xf32>
    %43 = stablehlo.divide %41, %42 : tensor<1x2x128x128xf32>
    %44 = stablehlo.convert %43 : tensor<1x2x128x128xf32>
    %45 = stablehlo.convert %arg0 : (tensor<1x128x2x64xbf16>) -> tensor<1x128x2x64xf32>
    %46 = stablehlo.dot_general %44, %45, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x128xf32>, tensor<1x128x2x64xf32>) -> tensor<1x2x128x64xf32>
    %47 = stablehlo.transpose %46, dims = [0, 2, 1, 3] : (tensor<1x2x128x64xf32>) -> tensor<1x128x2x64xf32>
    %48 = stablehlo.convert %47 : (tensor<1x128x2x64xf32>) -> tensor<1x128x2x64xbf16>
    %49 = stablehlo.convert %43 : tensor<1x2x128x128xf32>
    %50 = stablehlo.convert %1 : (tensor<1x128x2x64xbf16>) -> tensor<1x128x2x64xf32>
    %51 = stablehlo.dot_general %49, %50, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x128xf32>, tensor<1x128x2x64xf32>) -> tensor<1x2x128x64xf32>
    %52 = stablehlo.transpose %51, dims = [0, 2, 1, 3] : (tensor<1x2x128x64xf32>) -> tensor<1x128x2x64xf32>
    %53 = stablehlo.convert %52 : (tensor<1x128x2x64xf32>) -> tensor<1x128x2x64xbf16>
    %54 = stablehlo.reshape %27 : (tensor<1x128x2x64xbf16>) -> tensor<1x128x1x2x64xbf16>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %55 = stablehlo.reduce(%54 init: %cst_7) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x128x1x2x64xbf16>, tensor<bf16>) -> tensor<128x64xbf16>
    %56 = stablehlo.broadcast_in_dim %55, dims = [1, 3] : (tensor<128x64xbf16>) -> tensor<1x128x1x64xbf16>
    %57 = stablehlo.reshape %48 : (tensor<1x128x2x64xbf16>) -> tensor<1x128x1x2x64xbf16>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %58 = stablehlo.reduce(%57 init: %cst_8) applies stablehlo.add across dimensions = [0, 2, 3] : (tensor<1x128x1x2x64xbf16>, tensor<bf16>) -> tensor<128x64xbf16>
    %59 = stablehlo.broadcast_in_dim %58, dims = [1, 3] : (tensor<128x64xbf16>) -> tensor<1x128x1x64xbf16>
    return %23, %53, %59, %56 : tensor<1x128x2x64xbf16>, tensor<1x128x2x64xbf16>, tensor<1x128x1x64xbf16>, tensor<1x128x1x64xbf16>
  }
}

//--- biased.mlir
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x128x2x64xbf16>, %arg1: tensor<2x128x2x64xbf16>, %arg2: tensor<2x128x2x64xbf16>, %arg3: tensor<2x128x128xf32>, %arg4: tensor<2x128x2x64xbf16>) -> (tensor<2x128x2x64xbf16> {jax.result_info = "result[0]"}, tensor<2x128x2x64xbf16> {jax.result_info = "result[1]"}, tensor<2x128x2x64xbf16> {jax.result_info = "result[2]"}, tensor<2x128x128xf32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x128x2x64xbf16>, tensor<2x128x2x64xbf16>) -> tensor<2x2x128x128xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2x128x128xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x2x128x128xf32>
    %3 = stablehlo.broadcast_in_dim %arg3, dims = [1, 2, 3] : (tensor<2x128x128xf32>) -> tensor<1x2x128x128xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %5 = stablehlo.add %2, %4 : tensor<2x2x128x128xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<2x2x128x128xf32>, tensor<f32>) -> tensor<2x2x128xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2x128xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x2x128xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x2x128xf32>) -> tensor<2x2x128x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x2x128x1xf32>) -> tensor<2x2x128x128xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x2x128x128xf32>
    %12 = stablehlo.exponential %11 : tensor<2x2x128x128xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [3] : (tensor<2x2x128x128xf32>, tensor<f32>) -> tensor<2x2x128xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x2x128xf32>) -> tensor<2x2x128x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x2x128x1xf32>) -> tensor<2x2x128x128xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x2x128x128xf32>
    %17 = stablehlo.multiply %14, %14 : tensor<2x2x128x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x2x128x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<2x2x128x1xf32>
    %20 = stablehlo.convert %16 : (tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xbf16>
    %21 = stablehlo.transpose %arg4, dims = [0, 2, 3, 1] : (tensor<2x128x2x64xbf16>) -> tensor<2x2x64x128xbf16>
    %22 = stablehlo.dot_general %21, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x2x64x128xbf16>, tensor<2x128x2x64xbf16>) -> tensor<2x2x128x128xbf16>
    %23 = stablehlo.dot_general %21, %20, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2x64x128xbf16>, tensor<2x2x128x128xbf16>) -> tensor<2x2x64x128xbf16>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<2x2x64x128xbf16>) -> tensor<2x128x2x64xbf16>
    %25 = stablehlo.convert %22 : (tensor<2x2x128x128xbf16>) -> tensor<2x2x128x128xf32>
    %26 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<2x2x128x1xf32>) -> tensor<2x2x128x128xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<2x2x128x128xf32>
    %28 = stablehlo.multiply %27, %12 : tensor<2x2x128x128xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_4) applies stablehlo.add across dimensions = [3] : (tensor<2x2x128x128xf32>, tensor<f32>) -> tensor<2x2x128xf32>
    %30 = stablehlo.reshape %29 : (tensor<2x2x128xf32>) -> tensor<2x2x128x1xf32>
    %31 = stablehlo.negate %30 : tensor<2x2x128x1xf32>
    %32 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<2x2x128x1xf32>) -> tensor<2x2x128x128xf32>
    %33 = stablehlo.divide %25, %32 : tensor<2x2x128x128xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%31 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<2x2x128x1xf32>, tensor<f32>) -> tensor<2x2x128xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2] : (tensor<2x2x128xf32>) -> tensor<2x2x128x128xf32>
    %36 = stablehlo.add %33, %35 : tensor<2x2x128x128xf32>
    %37 = stablehlo.multiply %36, %12 : tensor<2x2x128x128xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<2x2x128x128xf32>, tensor<f32>) -> tensor<2x128x128xf32>
    %39 = stablehlo.reshape %38 : (tensor<2x128x128xf32>) -> tensor<1x2x128x128xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_7) applies stablehlo.add across dimensions = [0] : (tensor<1x2x128x128xf32>, tensor<f32>) -> tensor<2x128x128xf32>
    %cst_8 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x2x128x128xf32>
    %42 = stablehlo.divide %37, %41 : tensor<2x2x128x128xf32>
    %43 = stablehlo.convert %42 : tensor<2x2x128x128xf32>
    %44 = stablehlo.convert %arg0 : (tensor<2x128x2x64xbf16>) -> tensor<2x128x2x64xf32>
    %45 = stablehlo.dot_general %43, %44, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x128x128xf32>, tensor<2x128x2x64xf32>) -> tensor<2x2x128x64xf32>
    %46 = stablehlo.transpose %45, dims = [0, 2, 1, 3] : (tensor<2x2x128x64xf32>) -> tensor<2x128x2x64xf32>
    %47 = stablehlo.convert %46 : (tensor<2x128x2x64xf32>) -> tensor<2x128x2x64xbf16>
    %48 = stablehlo.convert %42 : tensor<2x2x128x128xf32>
    %49 = stablehlo.convert %arg1 : (tensor<2x128x2x64xbf16>) -> tensor<2x128x2x64xf32>
    %50 = stablehlo.dot_general %48, %49, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x2x128x128xf32>, tensor<2x128x2x64xf32>) -> tensor<2x2x128x64xf32>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1, 3] : (tensor<2x2x128x64xf32>) -> tensor<2x128x2x64xf32>
    %52 = stablehlo.convert %51 : (tensor<2x128x2x64xf32>) -> tensor<2x128x2x64xbf16>
    return %52, %47, %24, %40 : tensor<2x128x2x64xbf16>, tensor<2x128x2x64xbf16>, tensor<2x128x2x64xbf16>, tensor<2x128x128xf32>
  }
}


// Gradients of causal attention as JAX writes them, exported by jax 0.10.2, are two kernels of strategy flash_backward beside a forward one: by
// einsums with a mask of -1e30 and a softmax in f32, and by jax.nn.dot_product_attention(is_causal=True).
// RUN: rm -rf %t && split-file %s %t
// RUN: forge verify %t/masked.mlir --target sim:sm_90a
// RUN: forge verify %t/attention.mlir --target sim:sm_90a
// RUN: forge compile %t/masked.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %t/attention.mlir --target cuda:sm_90a --to kernels -o - | FileCheck %s
// CHECK-DAG: strategy = flash,
// CHECK-DAG: strategy = rows,
// CHECK-COUNT-2: strategy = flash_backward
// CHECK-NOT: strategy =

//--- masked.mlir
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x96x2x64xbf16>, %arg1: tensor<1x96x2x64xbf16>, %arg2: tensor<1x96x2x64xbf16>, %arg3: tensor<1x96x2x64xbf16>) -> (tensor<1x96x2x64xbf16> {jax.result_info = "result[0]"}, tensor<1x96x2x64xbf16> {jax.result_info = "result[1]"}, tensor<1x96x2x64xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x96x2x64xbf16>, tensor<1x96x2x64xbf16>) -> tensor<1x2x96x96xf32>
    %cst = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x96x96xf32>
    %2 = stablehlo.divide %0, %1 : tensor<1x2x96x96xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<96x96xi1>
    %4 = call @tril(%3) : (tensor<96x96xi1>) -> tensor<96x96xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %5:2 = call @_where(%4, %2, %cst_0) : (tensor<96x96xi1>, tensor<1x2x96x96xf32>, tensor<f32>) -> (tensor<1x2x96x96xf32>, tensor<1x2x96x96xi1>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5#0 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x96x96xf32>, tensor<f32>) -> tensor<1x2x96xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x2x96xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<1x2x96xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x2x96xf32>) -> tensor<1x2x96x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x2x96x1xf32>) -> tensor<1x2x96x96xf32>
    %11 = stablehlo.subtract %5#0, %10 : tensor<1x2x96x96xf32>
    %12 = stablehlo.exponential %11 : tensor<1x2x96x96xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x2x96x96xf32>, tensor<f32>) -> tensor<1x2x96xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x2x96xf32>) -> tensor<1x2x96x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x2x96x1xf32>) -> tensor<1x2x96x96xf32>
    %16 = stablehlo.divide %12, %15 : tensor<1x2x96x96xf32>
    %17 = stablehlo.multiply %14, %14 : tensor<1x2x96x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x2x96x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<1x2x96x1xf32>
    %20 = stablehlo.convert %16 : (tensor<1x2x96x96xf32>) -> tensor<1x2x96x96xbf16>
    %21 = stablehlo.transpose %arg3, dims = [0, 2, 3, 1] : (tensor<1x96x2x64xbf16>) -> tensor<1x2x64x96xbf16>
    %22 = stablehlo.dot_general %21, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x96xbf16>, tensor<1x96x2x64xbf16>) -> tensor<1x2x96x96xbf16>
    %23 = stablehlo.dot_general %21, %20, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x96xbf16>, tensor<1x2x96x96xbf16>) -> tensor<1x2x64x96xbf16>
    %24 = stablehlo.transpose %23, dims = [0, 3, 1, 2] : (tensor<1x2x64x96xbf16>) -> tensor<1x96x2x64xbf16>
    %25 = stablehlo.convert %22 : (tensor<1x2x96x96xbf16>) -> tensor<1x2x96x96xf32>
    %26 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x2x96x1xf32>) -> tensor<1x2x96x96xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<1x2x96x96xf32>
    %28 = stablehlo.multiply %27, %12 : tensor<1x2x96x96xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [3] : (tensor<1x2x96x96xf32>, tensor<f32>) -> tensor<1x2x96xf32>
    %30 = stablehlo.reshape %29 : (tensor<1x2x96xf32>) -> tensor<1x2x96x1xf32>
    %31 = stablehlo.negate %30 : tensor<1x2x96x1xf32>
    %32 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<1x2x96x1xf32>) -> tensor<1x2x96x96xf32>
    %33 = stablehlo.divide %25, %32 : tensor<1x2x96x96xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%31 init: %cst_6) applies stablehlo.add across dimensions = [0, 3] : (tensor<1x2x96x1xf32>, tensor<f32>) -> tensor<2x96xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [1, 2] : (tensor<2x96xf32>) -> tensor<1x2x96xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<1x2x96xf32>) -> tensor<1x2x96x96xf32>
    %37 = stablehlo.add %33, %36 : tensor<1x2x96x96xf32>
    %38 = stablehlo.multiply %37, %12 : tensor<1x2x96x96xf32>
    %39 = call @_where_0(%5#1, %38) : (tensor<1x2x96x96xi1>, tensor<1x2x96x96xf32>) -> tensor<1x2x96x96xf32>
    %cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x2x96x96xf32>
    %41 = stablehlo.divide %39, %40 : tensor<1x2x96x96xf32>
    %42 = stablehlo.convert %41 : tensor<1x2x96x96xf32>
    %43 = stablehlo.convert %arg0 : (tensor<1x96x2x64xbf16>) -> tensor<1x96x2x64xf32>
    %44 = stablehlo.dot_general %42, %43, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x96x96xf32>, tensor<1x96x2x64xf32>) -> tensor<1x2x96x64xf32>
    %45 = stablehlo.transpose %44, dims = [0, 2, 1, 3] : (tensor<1x2x96x64xf32>) -> tensor<1x96x2x64xf32>
    %46 = stablehlo.convert %45 : (tensor<1x96x2x64xf32>) -> tensor<1x96x2x64xbf16>
    %47 = stablehlo.convert %41 : tensor<1x2x96x96xf32>
    %48 = stablehlo.convert %arg1 : (tensor<1x96x2x64xbf16>) -> tensor<1x96x2x64xf32>
    %49 = stablehlo.dot_general %47, %48, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x96x96xf32>, tensor<1x96x2x64xf32>) -> tensor<1x2x96x64xf32>
    %50 = stablehlo.transpose %49, dims = [0, 2, 1, 3] : (tensor<1x2x96x64xf32>) -> tensor<1x96x2x64xf32>
    %51 = stablehlo.convert %50 : (tensor<1x96x2x64xf32>) -> tensor<1x96x2x64xbf16>
    return %51, %46, %24 : tensor<1x96x2x64xbf16>, tensor<1x96x2x64xbf16>, tensor<1x96x2x64xbf16>
  }
  func.func private @tril(%arg0: tensor<96x96xi1>) -> tensor<96x96xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<96x96xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<96x96xi32>
    %2 = stablehlo.add %0, %1 : tensor<96x96xi32>
    %3 = stablehlo.iota dim = 1 : tensor<96x96xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<96x96xi32>, tensor<96x96xi32>) -> tensor<96x96xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<96x96xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<96x96xi1>, tensor<96x96xi1>
    return %6 : tensor<96x96xi1>
  }
  func.func private @_where(%arg0: tensor<96x96xi1>, %arg1: tensor<1x2x96x96xf32>, %arg2: tensor<f32>) -> (tensor<1x2x96x96xf32>, tensor<1x2x96x96xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<96x96xi1>) -> tensor<1x2x96x96xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x2x96x96xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x2x96x96xi1>, tensor<1x2x96x96xf32>
    return %3, %1 : tensor<1x2x96x96xf32>, tensor<1x2x96x96xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x2x96x96xi1>, %arg1: tensor<1x2x96x96xf32>) -> tensor<1x2x96x96xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x96x96xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x2x96x96xi1>, tensor<1x2x96x96xf32>
    return %1 : tensor<1x2x96x96xf32>
  }
}

//--- attention.mlir
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x96x2x64xbf16>, %arg1: tensor<1x96x2x64xbf16>, %arg2: tensor<1x96x2x64xbf16>, %arg3: tensor<1x96x2x64xbf16>) -> (tensor<1x96x2x64xbf16> {jax.result_info = "result[0]"}, tensor<1x96x2x64xbf16> {jax.result_info = "result[1]"}, tensor<1x96x2x64xbf16> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x96x2x64xbf16>) -> tensor<1x96x2x1x64xbf16>
    %1 = stablehlo.dot_general %0, %arg1, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1x96x2x1x64xbf16>, tensor<1x96x2x64xbf16>) -> tensor<1x2x96x1x96xf32>
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x2x96x1x96xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x2x96x1x96xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1x2x96x96xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<96x96xi1>
    %6 = call @tril(%5) : (tensor<96x96xi1>) -> tensor<96x96xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [2, 3] : (tensor<96x96xi1>) -> tensor<1x1x96x96xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x1x96x96xi1>) -> tensor<1x2x96x96xi1>
    %9 = stablehlo.and %4, %8 : tensor<1x2x96x96xi1>
    %cst_1 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %10:2 = call @_where(%9, %3, %cst_1) : (tensor<1x2x96x96xi1>, tensor<1x2x96x1x96xf32>, tensor<f32>) -> (tensor<1x1x2x96x96xf32>, tensor<1x1x2x96x96xi1>)
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.reduce(%10#0 init: %cst_2) applies stablehlo.maximum across dimensions = [4] : (tensor<1x1x2x96x96xf32>, tensor<f32>) -> tensor<1x1x2x96xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x2x96xf32>
    %13 = stablehlo.maximum %12, %11 : tensor<1x1x2x96xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x2x96xf32>) -> tensor<1x1x2x96x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x96x1xf32>) -> tensor<1x1x2x96x96xf32>
    %16 = stablehlo.subtract %10#0, %15 : tensor<1x1x2x96x96xf32>
    %17 = stablehlo.exponential %16 : tensor<1x1x2x96x96xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_4) applies stablehlo.add across dimensions = [4] : (tensor<1x1x2x96x96xf32>, tensor<f32>) -> tensor<1x1x2x96xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x1x2x96xf32>) -> tensor<1x1x2x96x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x96x1xf32>) -> tensor<1x1x2x96x96xf32>
    %21 = stablehlo.divide %17, %20 : tensor<1x1x2x96x96xf32>
    %22 = stablehlo.multiply %19, %19 : tensor<1x1x2x96x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x1x2x96x1xf32>
    %24 = stablehlo.divide %23, %22 : tensor<1x1x2x96x1xf32>
    %25 = stablehlo.convert %21 : (tensor<1x1x2x96x96xf32>) -> tensor<1x1x2x96x96xbf16>
    %26 = stablehlo.reshape %arg3 : (tensor<1x96x2x64xbf16>) -> tensor<1x96x2x1x64xbf16>
    %27 = stablehlo.transpose %26, dims = [3, 0, 1, 2, 4] : (tensor<1x96x2x1x64xbf16>) -> tensor<1x1x96x2x64xbf16>
    %28 = stablehlo.transpose %27, dims = [1, 3, 4, 0, 2] : (tensor<1x1x96x2x64xbf16>) -> tensor<1x2x64x1x96xbf16>
    %29 = stablehlo.dot_general %28, %arg2, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x1x96xbf16>, tensor<1x96x2x64xbf16>) -> tensor<1x2x1x96x96xbf16>
    %30 = stablehlo.transpose %29, dims = [2, 0, 1, 3, 4] : (tensor<1x2x1x96x96xbf16>) -> tensor<1x1x2x96x96xbf16>
    %31 = stablehlo.dot_general %28, %25, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x64x1x96xbf16>, tensor<1x1x2x96x96xbf16>) -> tensor<1x2x64x96xbf16>
    %32 = stablehlo.transpose %31, dims = [0, 3, 1, 2] : (tensor<1x2x64x96xbf16>) -> tensor<1x96x2x64xbf16>
    %33 = stablehlo.convert %30 : (tensor<1x1x2x96x96xbf16>) -> tensor<1x1x2x96x96xf32>
    %34 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x96x1xf32>) -> tensor<1x1x2x96x96xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<1x1x2x96x96xf32>
    %36 = stablehlo.multiply %35, %17 : tensor<1x1x2x96x96xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_6) applies stablehlo.add across dimensions = [4] : (tensor<1x1x2x96x96xf32>, tensor<f32>) -> tensor<1x1x2x96xf32>
    %38 = stablehlo.reshape %37 : (tensor<1x1x2x96xf32>) -> tensor<1x1x2x96x1xf32>
    %39 = stablehlo.negate %38 : tensor<1x1x2x96x1xf32>
    %40 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x96x1xf32>) -> tensor<1x1x2x96x96xf32>
    %41 = stablehlo.divide %33, %40 : tensor<1x1x2x96x96xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%39 init: %cst_7) applies stablehlo.add across dimensions = [0, 1, 4] : (tensor<1x1x2x96x1xf32>, tensor<f32>) -> tensor<2x96xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [2, 3] : (tensor<2x96xf32>) -> tensor<1x1x2x96xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x1x2x96xf32>) -> tensor<1x1x2x96x96xf32>
    %45 = stablehlo.add %41, %44 : tensor<1x1x2x96x96xf32>
    %46 = stablehlo.multiply %45, %17 : tensor<1x1x2x96x96xf32>
    %47 = call @_where_0(%10#1, %46) : (tensor<1x1x2x96x96xi1>, tensor<1x1x2x96x96xf32>) -> tensor<1x2x96x1x96xf32>
    %cst_8 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x2x96x1x96xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<1x2x96x1x96xf32>
    %50 = stablehlo.dot_general %49, %0, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1x2x96x1x96xf32>, tensor<1x96x2x1x64xbf16>) -> tensor<1x2x96x64xf32>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1, 3] : (tensor<1x2x96x64xf32>) -> tensor<1x96x2x64xf32>
    %52 = stablehlo.convert %51 : (tensor<1x96x2x64xf32>) -> tensor<1x96x2x64xbf16>
    %53 = stablehlo.dot_general %49, %arg1, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<1x2x96x1x96xf32>, tensor<1x96x2x64xbf16>) -> tensor<1x2x96x1x64xf32>
    %54 = stablehlo.transpose %53, dims = [0, 2, 1, 3, 4] : (tensor<1x2x96x1x64xf32>) -> tensor<1x96x2x1x64xf32>
    %55 = stablehlo.convert %54 : (tensor<1x96x2x1x64xf32>) -> tensor<1x96x2x1x64xbf16>
    %56 = stablehlo.reshape %55 : (tensor<1x96x2x1x64xbf16>) -> tensor<1x96x2x64xbf16>
    return %56, %52, %32 : tensor<1x96x2x64xbf16>, tensor<1x96x2x64xbf16>, tensor<1x96x2x64xbf16>
  }
  func.func private @tril(%arg0: tensor<96x96xi1>) -> tensor<96x96xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<96x96xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<96x96xi32>
    %2 = stablehlo.add %0, %1 : tensor<96x96xi32>
    %3 = stablehlo.iota dim = 1 : tensor<96x96xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<96x96xi32>, tensor<96x96xi32>) -> tensor<96x96xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<96x96xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<96x96xi1>, tensor<96x96xi1>
    return %6 : tensor<96x96xi1>
  }
  func.func private @_where(%arg0: tensor<1x2x96x96xi1>, %arg1: tensor<1x2x96x1x96xf32>, %arg2: tensor<f32>) -> (tensor<1x1x2x96x96xf32>, tensor<1x1x2x96x96xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x2x96x96xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<1x2x96x96xi1>) -> tensor<1x1x2x96x96xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<1x2x96x96xf32>) -> tensor<1x1x2x96x96xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<1x2x96x1x96xf32>) -> tensor<1x1x2x96x96xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x1x2x96x96xi1>, tensor<1x1x2x96x96xf32>
    return %4, %1 : tensor<1x1x2x96x96xf32>, tensor<1x1x2x96x96xi1>
  }
  func.func private @_where_0(%arg0: tensor<1x1x2x96x96xi1>, %arg1: tensor<1x1x2x96x96xf32>) -> tensor<1x2x96x1x96xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x2x96x96xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x1x2x96x96xi1>, tensor<1x1x2x96x96xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x1x2x96x96xf32>) -> tensor<1x2x96x1x96xf32>
    return %2 : tensor<1x2x96x1x96xf32>
  }
}

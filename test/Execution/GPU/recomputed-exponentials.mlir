// The gradient of a loss over 33,000 classes, exported by jax 0.10.2, computes exponentials again from logits: no kernel writes them.
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a --to kernels -o - | FileCheck %s
// Logits are in memory as the module has them, in bf16, and read once for maximum and sum.
// CHECK: func.func private @rows(%{{.*}}: tensor<128x33000xbf16>, %{{.*}}: tensor<128xf32>, %{{.*}}: tensor<128xf32>)
// CHECK: func.func private @rows_0({{.*}}tensor<128x33000xbf16>{{.*}}) -> tensor<128x33000xbf16>

module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<128x8xbf16>, %arg1: tensor<8x33000xbf16>, %arg2: tensor<128xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<128x8xbf16> {jax.result_info = "result[1][0]"}, tensor<8x33000xbf16> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x8xbf16>, tensor<8x33000xbf16>) -> tensor<128x33000xbf16>
    %1 = stablehlo.convert %0 : (tensor<128x33000xbf16>) -> tensor<128x33000xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<128x33000xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<128xf32>
    %5 = stablehlo.is_finite %4 : (tensor<128xf32>) -> tensor<128xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %7 = stablehlo.select %5, %4, %6 : tensor<128xi1>, tensor<128xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x33000xf32>
    %10 = stablehlo.subtract %1, %9 : tensor<128x33000xf32>
    %11 = stablehlo.exponential %10 : tensor<128x33000xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<128x33000xf32>, tensor<f32>) -> tensor<128xf32>
    %13 = stablehlo.abs %12 : tensor<128xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %15 = stablehlo.compare GE, %12, %14, FLOAT : (tensor<128xf32>, tensor<128xf32>) -> tensor<128xi1>
    %16 = stablehlo.log %13 : tensor<128xf32>
    %17 = stablehlo.add %16, %7 : tensor<128xf32>
    %18 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<128xi32>) -> tensor<128x1xi32>
    %19:2 = call @take_along_axis(%1, %18) : (tensor<128x33000xf32>, tensor<128x1xi32>) -> (tensor<128x1xf32>, tensor<128x1x1xi32>)
    %20 = stablehlo.reshape %19#0 : (tensor<128x1xf32>) -> tensor<128xf32>
    %21 = stablehlo.subtract %17, %20 : tensor<128xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<128xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %23 = stablehlo.divide %22, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.280000e+02> : tensor<f32>
    %24 = stablehlo.divide %cst_6, %cst_7 : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %26 = stablehlo.negate %25 : tensor<128xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %28 = call @take_along_axis_0(%19#1, %27) : (tensor<128x1x1xi32>, tensor<128x1xf32>) -> tensor<128x33000xf32>
    %29 = stablehlo.divide %25, %13 : tensor<128xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %31 = stablehlo.select %15, %30, %29 : tensor<128xi1>, tensor<128xf32>
    %32 = stablehlo.select %15, %29, %30 : tensor<128xi1>, tensor<128xf32>
    %33 = stablehlo.negate %31 : tensor<128xf32>
    %34 = stablehlo.add %32, %33 : tensor<128xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<128xf32>) -> tensor<128x33000xf32>
    %36 = stablehlo.multiply %35, %11 : tensor<128x33000xf32>
    %37 = stablehlo.add %28, %36 : tensor<128x33000xf32>
    %38 = stablehlo.convert %37 : (tensor<128x33000xf32>) -> tensor<128x33000xbf16>
    %39 = stablehlo.dot_general %38, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x33000xbf16>, tensor<128x8xbf16>) -> tensor<33000x8xbf16>
    %40 = stablehlo.transpose %39, dims = [1, 0] : (tensor<33000x8xbf16>) -> tensor<8x33000xbf16>
    %41 = stablehlo.dot_general %38, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<128x33000xbf16>, tensor<8x33000xbf16>) -> tensor<128x8xbf16>
    return %23, %41, %40 : tensor<f32>, tensor<128x8xbf16>, tensor<8x33000xbf16>
  }
  func.func private @take_along_axis(%arg0: tensor<128x33000xf32>, %arg1: tensor<128x1xi32>) -> (tensor<128x1xf32>, tensor<128x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<128x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<128x1xi32>, tensor<128x1xi32>) -> tensor<128x1xi1>
    %c_0 = stablehlo.constant dense<33000> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<128x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<128x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<128x1xi1>, tensor<128x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<128x1xi32>) -> tensor<128x1x1xi32>
    %c_1 = stablehlo.constant dense<32999> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<128x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<128x1x1xi32>, tensor<128x1x1xi32>) -> tensor<128x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<128x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<128x1x1xi32>, tensor<128x1x1xi32>) -> tensor<128x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<128x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<128x1x1xi1>, tensor<i1>) -> tensor<128x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<128x33000xf32>, tensor<128x1x1xi32>) -> tensor<128x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<128x1xi1>, tensor<128x1xf32>
    return %15, %5 : tensor<128x1xf32>, tensor<128x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<128x1x1xi32>, %arg1: tensor<128x1xf32>) -> tensor<128x33000xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x33000xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<128x33000xf32>, tensor<128x1x1xi32>, tensor<128x1xf32>) -> tensor<128x33000xf32>
    return %1 : tensor<128x33000xf32>
  }
}


// A kernel that reads what it overwrites, a tensor scattered onto itself: GPU code was refused.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o
// RUN: forge compile %s --target hip:gfx942 -o %t.o
module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x2x1xbf16>, %arg1: tensor<4x5x13xbf16>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<7x2x1xbf16> {jax.result_info = "result[1][0]"}, tensor<4x5x13xbf16> {jax.result_info = "result[1][1]"}) {
    %0 = stablehlo.convert %arg1 : (tensor<4x5x13xbf16>) -> tensor<4x5x13xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x5x13xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.convert %1 : (tensor<f32>) -> tensor<bf16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %3 = stablehlo.compare GT, %2, %cst_0, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5:2 = "stablehlo.case"(%4) ({
      %45 = func.call @cumsum(%arg1) : (tensor<4x5x13xbf16>) -> tensor<4x5x13xbf16>
      %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %46 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<bf16>) -> tensor<4x5x13xbf16>
      stablehlo.return %45, %46 : tensor<4x5x13xbf16>, tensor<4x5x13xbf16>
    }, {
      %45 = stablehlo.sine %arg1 : tensor<4x5x13xbf16>
      %46 = stablehlo.cosine %arg1 : tensor<4x5x13xbf16>
      stablehlo.return %45, %46 : tensor<4x5x13xbf16>, tensor<4x5x13xbf16>
    }) : (tensor<i32>) -> (tensor<4x5x13xbf16>, tensor<4x5x13xbf16>)
    %6 = stablehlo.tanh %5#0 : tensor<4x5x13xbf16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %7 = stablehlo.pad %6, %cst_1, low = [0, 0, 1], high = [-1, 0, -1], interior = [0, 1, 1] : (tensor<4x5x13xbf16>, tensor<bf16>) -> tensor<3x9x25xbf16>
    %c = stablehlo.constant dense<-100> : tensor<i32>
    %c_2 = stablehlo.constant dense<100> : tensor<i32>
    %8:3 = call @clip(%7, %c, %c_2) : (tensor<3x9x25xbf16>, tensor<i32>, tensor<i32>) -> (tensor<3x9x25xbf16>, tensor<3x9x25xbf16>, tensor<3x9x25xbf16>)
    %9 = stablehlo.convert %8#0 : (tensor<3x9x25xbf16>) -> tensor<3x9x25xi32>
    %10 = stablehlo.reshape %9 : (tensor<3x9x25xi32>) -> tensor<675xi32>
    %11 = stablehlo.reshape %10 : (tensor<675xi32>) -> tensor<1x675xi32>
    %12 = stablehlo.reshape %11 : (tensor<1x675xi32>) -> tensor<675xi32>
    %13 = stablehlo.slice %12 [0:225] : (tensor<675xi32>) -> tensor<225xi32>
    %14 = stablehlo.reshape %13 : (tensor<225xi32>) -> tensor<1x25x9xi32>
    %15 = stablehlo.dot_general %14, %9, batching_dims = [1] x [2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x25x9xi32>, tensor<3x9x25xi32>) -> tensor<25x1x3xi32>
    %16 = stablehlo.transpose %15, dims = [1, 2, 0] : (tensor<25x1x3xi32>) -> tensor<1x3x25xi32>
    %17 = stablehlo.reshape %16 : (tensor<1x3x25xi32>) -> tensor<75xi32>
    %18 = stablehlo.reshape %17 : (tensor<75xi32>) -> tensor<1x75xi32>
    %19 = stablehlo.reshape %18 : (tensor<1x75xi32>) -> tensor<75xi32>
    %20 = stablehlo.reshape %19 : (tensor<75xi32>) -> tensor<1x3x25xi32>
    %c_3 = stablehlo.constant dense<-2> : tensor<1x1xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<1x1xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<1x1xi32>
    %21 = stablehlo.clamp %c_5, %c_3, %c_4 : tensor<1x1xi32>
    %22 = "stablehlo.scatter"(%16, %21, %20) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>):
      %45 = stablehlo.multiply %arg2, %arg3 : tensor<i32>
      stablehlo.return %45 : tensor<i32>
    }) : (tensor<1x3x25xi32>, tensor<1x1xi32>, tensor<1x3x25xi32>) -> tensor<1x3x25xi32>
    %23 = stablehlo.convert %22 : (tensor<1x3x25xi32>) -> tensor<1x3x25xf16>
    %24 = stablehlo.iota dim = 0 : tensor<1x3x25xi32>
    %25 = stablehlo.iota dim = 1 : tensor<1x3x25xi32>
    %26 = stablehlo.compare GE, %24, %25, SIGNED : (tensor<1x3x25xi32>, tensor<1x3x25xi32>) -> tensor<1x3x25xi1>
    %cst_6 = stablehlo.constant dense<-1.000000e+04> : tensor<f32>
    %27 = call @_where(%26, %23, %cst_6) : (tensor<1x3x25xi1>, tensor<1x3x25xf16>, tensor<f32>) -> tensor<1x3x25xf16>
    %cst_7 = stablehlo.constant dense<0xFC00> : tensor<f16>
    %28 = stablehlo.reduce(%27 init: %cst_7) applies stablehlo.maximum across dimensions = [1] : (tensor<1x3x25xf16>, tensor<f16>) -> tensor<1x25xf16>
    %cst_8 = stablehlo.constant dense<0xFC00> : tensor<1x25xf16>
    %29 = stablehlo.maximum %28, %cst_8 : tensor<1x25xf16>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 2] : (tensor<1x25xf16>) -> tensor<1x1x25xf16>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<1x1x25xf16>) -> tensor<1x3x25xf16>
    %32 = stablehlo.subtract %27, %31 : tensor<1x3x25xf16>
    %33 = stablehlo.exponential %32 : tensor<1x3x25xf16>
    %34 = stablehlo.convert %33 : (tensor<1x3x25xf16>) -> tensor<1x3x25xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_9) applies stablehlo.add across dimensions = [1] : (tensor<1x3x25xf32>, tensor<f32>) -> tensor<1x25xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 2] : (tensor<1x25xf32>) -> tensor<1x1x25xf32>
    %37 = stablehlo.convert %36 : (tensor<1x1x25xf32>) -> tensor<1x1x25xf16>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<1x1x25xf16>) -> tensor<1x3x25xf16>
    %39 = stablehlo.divide %33, %38 : tensor<1x3x25xf16>
    %40 = stablehlo.convert %39 : (tensor<1x3x25xf16>) -> tensor<1x3x25xf32>
    %41 = stablehlo.sine %40 : tensor<1x3x25xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x3x25xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.add %42, %cst_11 : tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<7x2x1xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<4x5x13xbf16>
    return %43, %cst_12, %44 : tensor<f32>, tensor<7x2x1xbf16>, tensor<4x5x13xbf16>
  }
  func.func private @cumsum(%arg0: tensor<4x5x13xbf16>) -> tensor<4x5x13xbf16> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x5x13xbf16>) -> tensor<4x5x13xbf16>
    return %0 : tensor<4x5x13xbf16>
  }
  func.func private @cumsum_0(%arg0: tensor<4x5x13xbf16>) -> tensor<4x5x13xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[3, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 4, 1, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<bf16>
      stablehlo.return %1 : tensor<bf16>
    }) : (tensor<4x5x13xbf16>, tensor<bf16>) -> tensor<4x5x13xbf16>
    return %0 : tensor<4x5x13xbf16>
  }
  func.func private @clip(%arg0: tensor<3x9x25xbf16>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<3x9x25xbf16>, tensor<3x9x25xbf16>, tensor<3x9x25xbf16>) {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<bf16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %2 = stablehlo.maximum %1, %arg0 : tensor<3x9x25xbf16>
    %3 = stablehlo.compare EQ, %arg0, %2, FLOAT : (tensor<3x9x25xbf16>, tensor<3x9x25xbf16>) -> tensor<3x9x25xi1>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %6 = stablehlo.select %3, %4, %5 : tensor<3x9x25xi1>, tensor<3x9x25xbf16>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %8 = stablehlo.compare EQ, %7, %2, FLOAT : (tensor<3x9x25xbf16>, tensor<3x9x25xbf16>) -> tensor<3x9x25xi1>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %11 = stablehlo.select %8, %9, %10 : tensor<3x9x25xi1>, tensor<3x9x25xbf16>
    %12 = stablehlo.divide %6, %11 : tensor<3x9x25xbf16>
    %13 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %15 = stablehlo.minimum %14, %2 : tensor<3x9x25xbf16>
    %16 = stablehlo.compare EQ, %2, %15, FLOAT : (tensor<3x9x25xbf16>, tensor<3x9x25xbf16>) -> tensor<3x9x25xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %19 = stablehlo.select %16, %17, %18 : tensor<3x9x25xi1>, tensor<3x9x25xbf16>
    %20 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %21 = stablehlo.compare EQ, %20, %15, FLOAT : (tensor<3x9x25xbf16>, tensor<3x9x25xbf16>) -> tensor<3x9x25xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<3x9x25xbf16>
    %24 = stablehlo.select %21, %22, %23 : tensor<3x9x25xi1>, tensor<3x9x25xbf16>
    %25 = stablehlo.divide %19, %24 : tensor<3x9x25xbf16>
    return %15, %12, %25 : tensor<3x9x25xbf16>, tensor<3x9x25xbf16>, tensor<3x9x25xbf16>
  }
  func.func private @_where(%arg0: tensor<1x3x25xi1>, %arg1: tensor<1x3x25xf16>, %arg2: tensor<f32>) -> tensor<1x3x25xf16> {
    %0 = stablehlo.convert %arg2 : (tensor<f32>) -> tensor<f16>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f16>) -> tensor<1x3x25xf16>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<1x3x25xi1>, tensor<1x3x25xf16>
    return %2 : tensor<1x3x25xf16>
  }
}

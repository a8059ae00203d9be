module @ops attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @elementwise(%arg0: tensor<2x3xf32> {jax.buffer_donor = true}, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xi32>) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.exponential %arg0 : tensor<2x3xf32>
    %1 = stablehlo.atan2 %0, %arg1 : tensor<2x3xf32>
    %2 = stablehlo.compare LT, %1, %arg1, TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %3 = stablehlo.compare GE, %0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %4 = stablehlo.compare NE, %arg2, %arg2, SIGNED : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi1>
    %5 = stablehlo.and %2, %3 : tensor<2x3xi1>
    %6 = stablehlo.xor %4, %5 : tensor<2x3xi1>
    %c = stablehlo.constant dense<[[true, false, true], [false, true, true]]> : tensor<2x3xi1>
    %c_0 = stablehlo.constant dense<true> : tensor<2x3xi1>
    %c_1 = stablehlo.constant dense<false> : tensor<2x3xi1>
    %c_2 = stablehlo.constant dense<[[true, false, true, true, false, false, false, true, true, false]]> : tensor<1x10xi1>
    %7 = stablehlo.or %6, %c : tensor<2x3xi1>
    %8 = stablehlo.and %7, %c_0 : tensor<2x3xi1>
    %9 = stablehlo.or %8, %c_1 : tensor<2x3xi1>
    %10 = stablehlo.select %9, %0, %1 : tensor<2x3xi1>, tensor<2x3xf32>
    %11 = stablehlo.reduce_precision %10, format = e5m10 : tensor<2x3xf32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %cst_3 = stablehlo.constant dense<-1.500000e+00> : tensor<f32>
    %12 = stablehlo.clamp %cst_3, %11, %cst : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    %13 = stablehlo.slice %c_2 [0:1, 2:9:3] : (tensor<1x10xi1>) -> tensor<1x3xi1>
    %14 = stablehlo.convert %13 : (tensor<1x3xi1>) -> tensor<1x3xf32>
    %15 = stablehlo.pad %14, %cst_3, low = [1, 0], high = [0, -1], interior = [0, 1] : (tensor<1x3xf32>, tensor<f32>) -> tensor<2x4xf32>
    %16 = stablehlo.reverse %15, dims = [1] : tensor<2x4xf32>
    %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %18 = stablehlo.iota dim = 1 : tensor<2x3xi64>
    %19 = stablehlo.convert %18 : (tensor<2x3xi64>) -> tensor<2x3xf32>
    %20 = stablehlo.reshape %17 : (tensor<4x2xf32>) -> tensor<8xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<8xf32>) -> tensor<2x8xf32>
    %22 = stablehlo.slice %21 [0:2, 0:3] : (tensor<2x8xf32>) -> tensor<2x3xf32>
    %23 = stablehlo.concatenate %22, %19, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
    %24 = stablehlo.slice %23 [1:3, 0:3] : (tensor<4x3xf32>) -> tensor<2x3xf32>
    %25 = stablehlo.add %12, %24 : tensor<2x3xf32>
    %26 = stablehlo.bitcast_convert %25 : (tensor<2x3xf32>) -> tensor<2x3xui32>
    %27 = stablehlo.bitcast_convert %26 : (tensor<2x3xui32>) -> tensor<2x3xf32>
    return %27 : tensor<2x3xf32>
  }
  func.func public @contractions(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>, %arg2: tensor<1x8x8x4xbf16>, %arg3: tensor<3x3x2x6xbf16>) -> (tensor<2x3x5xf32>, tensor<1x4x8x6xf32>, tensor<2x3x5xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    %1 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [2, 2]], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x8x4xbf16>, tensor<3x3x2x6xbf16>) -> tensor<1x4x8x6xf32>
    %2 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    return %0, %1, %2 : tensor<2x3x5xf32>, tensor<1x4x8x6xf32>, tensor<2x3x5xf32>
  }
  func.func public @reductions(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xi32>) -> (tensor<4xf32>, tensor<4x3xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xi32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = "stablehlo.reduce_window"(%arg0, %cst) <{padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %4 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x3xf32>
    %2 = "stablehlo.select_and_scatter"(%arg0, %1, %cst) <{padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %4 = stablehlo.compare GE, %arg2, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }, {
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %4 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
    %3:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
      %4 = stablehlo.compare LT, %arg2, %arg3, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
    return %0, %1, %2, %3#0, %3#1 : tensor<4xf32>, tensor<4x3xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xi32>
  }
  func.func public @indexing(%arg0: tensor<5x4xf32>, %arg1: tensor<3x1xi32>, %arg2: tensor<3x4xf32>, %arg3: tensor<i32>) -> (tensor<3x4xf32>, tensor<5x4xf32>, tensor<2x4xf32>, tensor<5x4xf32>) {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 4>}> : (tensor<5x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
    %1 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %4 = stablehlo.add %arg4, %arg5 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<5x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<5x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_slice %arg0, %arg3, %c, sizes = [2, 4] : (tensor<5x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %3 = stablehlo.dynamic_update_slice %arg0, %2, %arg3, %c : (tensor<5x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<5x4xf32>
    return %0, %1, %2, %3 : tensor<3x4xf32>, tensor<5x4xf32>, tensor<2x4xf32>, tensor<5x4xf32>
  }
  func.func public @control(%arg0: tensor<i32>, %arg1: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xui64>, tensor<3xui32>) {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1) : tensor<i32>, tensor<3xf32>
    cond {
      %5 = stablehlo.compare LT, %iterArg, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %5 = stablehlo.add %iterArg, %c_0 : tensor<i32>
      %6 = func.call @twice(%iterArg_2) : (tensor<3xf32>) -> tensor<3xf32>
      stablehlo.return %5, %6 : tensor<i32>, tensor<3xf32>
    }
    %1 = "stablehlo.case"(%0#0) ({
      stablehlo.return %0#1 : tensor<3xf32>
    }, {
      %5 = stablehlo.negate %0#1 : tensor<3xf32>
      stablehlo.return %5 : tensor<3xf32>
    }) : (tensor<i32>) -> tensor<3xf32>
    %2 = stablehlo.compare EQ, %0#0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = "stablehlo.if"(%2) ({
      stablehlo.return %1 : tensor<3xf32>
    }, {
      stablehlo.return %arg1 : tensor<3xf32>
    }) : (tensor<i1>) -> tensor<3xf32>
    %c_1 = stablehlo.constant dense<[1, 18446744073709551615]> : tensor<2xui64>
    %output_state, %output = stablehlo.rng_bit_generator %c_1, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    %4 = stablehlo.optimization_barrier %3 : tensor<3xf32>
    return %4, %output_state, %output : tensor<3xf32>, tensor<2xui64>, tensor<3xui32>
  }
  func.func private @twice(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<3xf32>
    %0 = stablehlo.multiply %arg0, %cst : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
  func.func public @dynamic(%arg0: tensor<?x3xf32>, %arg1: tensor<4x4xf32>, %arg2: tensor<4x2xf32>) -> (tensor<?xf32>, tensor<4x4xf32>, tensor<4x2xf32>) {
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %c = stablehlo.constant dense<3> : tensor<i32>
    %1 = stablehlo.multiply %0, %c : tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_reshape %arg0, %2 : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.dynamic_broadcast_in_dim %cst, %2, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %5 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %6 = stablehlo.add %3, %4 : tensor<?xf32>
    %7 = stablehlo.add %6, %5 : tensor<?xf32>
    %8 = stablehlo.cholesky %arg1, lower = true : tensor<4x4xf32>
    %9 = "stablehlo.triangular_solve"(%8, %arg2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    return %7, %8, %9 : tensor<?xf32>, tensor<4x4xf32>, tensor<4x2xf32>
  }
}


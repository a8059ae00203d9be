"builtin.module"() ({
  "func.func"() ({
  ^bb0(%a: tensor<3x4xf32>, %i: tensor<2x1xi64>):
    %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = false} : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
    %z = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.pad"(%0, %z) {edge_padding_low = array<i64: 0, -1>, edge_padding_high = array<i64: 1, 2>, interior_padding = array<i64: 1, 0>} : (tensor<2x4xf32>, tensor<f32>) -> tensor<4x5xf32>
    %2:2 = "stablehlo.sort"(%1, %1) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<f32>, %q: tensor<f32>):
      %c = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }) {dimension = 1 : i64, is_stable = true} : (tensor<4x5xf32>, tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>)
    "func.return"(%2#0) : (tensor<4x5xf32>) -> ()
  }) {function_type = (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<4x5xf32>, sym_name = "main"} : () -> ()
}) : () -> ()

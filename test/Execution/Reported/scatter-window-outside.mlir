// A window of a scatter that is partly outside is dropped, as XLA does; its inner part was added (gradients of gathers with mode="fill").
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main() {
  %x0 = stablehlo.constant dense<0.0> : tensor<6xf32>
  %x = stablehlo.optimization_barrier %x0 : tensor<6xf32>
  %at = stablehlo.constant dense<[[1], [4], [-1]]> : tensor<3x1xi32>
  %ones = stablehlo.constant dense<1.0> : tensor<3x3xf32>
  %sums = "stablehlo.scatter"(%x, %at, %ones) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>, tensor<3x1xi32>, tensor<3x3xf32>) -> tensor<6xf32>
  check.expect_eq_const %sums, dense<[0.0, 1.0, 1.0, 1.0, 0.0, 0.0]> : tensor<6xf32>
  return
}

// Kernels whose result is not in an argument of theirs on every path: the caller allocates it.
// RUN: forge verify %s --function itself
// RUN: forge verify %s --function itself --target sim:sm_90a
// RUN: forge verify %s --function itself --target sim:gfx942
// RUN: forge verify %s --function itself --target sim:gfx942 --tier correctness
// RUN: forge verify %s --function either --target sim:sm_90a
// RUN: forge verify %s --function either --target sim:gfx942
// RUN: forge verify %s --function either_dynamic --target sim:sm_90a
// RUN: forge verify %s --function either_dynamic --target sim:gfx942
// RUN: forge verify %s --function itself_dynamic --target sim:sm_90a

// Read while it is overwritten.
func.func @itself(%x: tensor<1x3x5xi32>, %i: tensor<1x1xi32>) -> (tensor<1x3x5xi32>, tensor<1x3x5xi32>) {
  %r = "stablehlo.scatter"(%x, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }) : (tensor<1x3x5xi32>, tensor<1x1xi32>, tensor<1x3x5xi32>) -> tensor<1x3x5xi32>
  return %r, %x : tensor<1x3x5xi32>, tensor<1x3x5xi32>
}

func.func @itself_dynamic(%x: tensor<?x5xi32>, %i: tensor<?x1xi32>) -> tensor<?x5xi32> {
  %r = "stablehlo.scatter"(%x, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }) : (tensor<?x5xi32>, tensor<?x1xi32>, tensor<?x5xi32>) -> tensor<?x5xi32>
  return %r : tensor<?x5xi32>
}

// What the branch was given, or running sums of it.
func.func @either(%x: tensor<11x6xf32>, %p: tensor<i1>) -> tensor<11x6xf32> {
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<11x6xf32>
  }, {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[10, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 11, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<11x6xf32>, tensor<f32>) -> tensor<11x6xf32>
    stablehlo.return %s : tensor<11x6xf32>
  }) : (tensor<i1>) -> tensor<11x6xf32>
  return %r : tensor<11x6xf32>
}

func.func @either_dynamic(%x: tensor<?x6xf32>, %i: tensor<?x1xi32>, %u: tensor<?x6xf32>, %p: tensor<i1>) -> tensor<?x6xf32> {
  %r = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<?x6xf32>
  }, {
    %s = "stablehlo.scatter"(%u, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %t = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %t : tensor<f32>
    }) : (tensor<?x6xf32>, tensor<?x1xi32>, tensor<?x6xf32>) -> tensor<?x6xf32>
    stablehlo.return %s : tensor<?x6xf32>
  }) : (tensor<i1>) -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

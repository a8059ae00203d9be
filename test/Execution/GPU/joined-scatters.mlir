// Gradients of several lookups in one table, as one scatter: results agree with the reference, whichever updates meet.
// RUN: forge verify %s --function lookups --target sim:sm_90a
// RUN: forge verify %s --function lookups --target sim:gfx942
// RUN: forge compile %s --function lookups --target sim:sm_90a --to simplify -o - | FileCheck %s
// CHECK-COUNT-1: "stablehlo.scatter"
// CHECK-NOT: "stablehlo.scatter"

// Places are remainders of what is given, so that most are in the table.
func.func @lookups(%i: tensor<1024xi32>, %j: tensor<16x32xi32>, %x: tensor<1024x4xf32>, %y: tensor<16x32x4xf32>) -> tensor<3x50x4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.constant dense<0.0> : tensor<50x4xf32>
  %m = stablehlo.constant dense<51> : tensor<1024xi32>
  %n = stablehlo.constant dense<51> : tensor<16x32xi32>
  %p = stablehlo.remainder %i, %m : tensor<1024xi32>
  %q = stablehlo.remainder %j, %n : tensor<16x32xi32>
  %k = stablehlo.reshape %p : (tensor<1024xi32>) -> tensor<1024x1xi32>
  %l = stablehlo.reshape %q : (tensor<16x32xi32>) -> tensor<16x32x1xi32>
  %a = "stablehlo.scatter"(%zeros, %k, %x) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<50x4xf32>, tensor<1024x1xi32>, tensor<1024x4xf32>) -> tensor<50x4xf32>
  %b = "stablehlo.scatter"(%zeros, %l, %y) ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %s = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>} : (tensor<50x4xf32>, tensor<16x32x1xi32>, tensor<16x32x4xf32>) -> tensor<50x4xf32>
  %ra = stablehlo.reshape %a : (tensor<50x4xf32>) -> tensor<1x50x4xf32>
  %rb = stablehlo.reshape %b : (tensor<50x4xf32>) -> tensor<1x50x4xf32>
  %pa = stablehlo.pad %ra, %zero, low = [1, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x50x4xf32>, tensor<f32>) -> tensor<3x50x4xf32>
  %pb = stablehlo.pad %rb, %zero, low = [1, 0, 0], high = [1, 0, 0], interior = [0, 0, 0] : (tensor<1x50x4xf32>, tensor<f32>) -> tensor<3x50x4xf32>
  %sum = stablehlo.add %pa, %pb : tensor<3x50x4xf32>
  return %sum : tensor<3x50x4xf32>
}

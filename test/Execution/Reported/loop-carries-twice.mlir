// A loop carries one new value in two places: both had one buffer.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main() {
  %x0 = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y0 = stablehlo.constant dense<[[10, 20], [30, 40]]> : tensor<2x2xi32>
  %x, %y = stablehlo.optimization_barrier %x0, %y0 : tensor<2x2xi32>, tensor<2x2xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<2x2xi32>, tensor<2x2xi32>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %sum = stablehlo.add %t, %b : tensor<2x2xi32>
    %row = stablehlo.slice %sum [0:1, 0:2] : (tensor<2x2xi32>) -> tensor<1x2xi32>
    %updated = stablehlo.dynamic_update_slice %sum, %row, %one, %zero : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
    stablehlo.return %next, %sum, %updated : tensor<i32>, tensor<2x2xi32>, tensor<2x2xi32>
  }
  %1:3 = stablehlo.while(%i = %zero, %a = %0#1, %b = %y) : tensor<i32>, tensor<2x2xi32>, tensor<2x2xi32>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %sum = stablehlo.add %t, %b : tensor<2x2xi32>
    stablehlo.return %next, %sum, %sum : tensor<i32>, tensor<2x2xi32>, tensor<2x2xi32>
  }
  // sum = [[11, 23], [32, 44]], then [[22, 55], [34, 67]].
  check.expect_eq_const %0#1, dense<[[22, 55], [34, 67]]> : tensor<2x2xi32>
  check.expect_eq_const %0#2, dense<[[22, 55], [22, 55]]> : tensor<2x2xi32>
  // sum = [[32, 54], [85, 107]], then [[64, 139], [139, 214]].
  check.expect_eq_const %1#1, dense<[[64, 139], [139, 214]]> : tensor<2x2xi32>
  check.expect_eq_const %1#2, dense<[[64, 139], [139, 214]]> : tensor<2x2xi32>
  return
}

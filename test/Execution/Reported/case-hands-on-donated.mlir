// A case hands on a donated argument that a loop then updates: it was read again after the update.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main(%x: tensor<3xi32> {tf.aliasing_output = 0 : i32}, %y: tensor<3xi32> {tf.aliasing_output = 1 : i32}, %last: tensor<i32>) -> (tensor<3xi32>, tensor<3xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %chosen = "stablehlo.case"(%last) ({
    stablehlo.return %y : tensor<3xi32>
  }, {
    stablehlo.return %x : tensor<3xi32>
  }) : (tensor<i32>) -> tensor<3xi32>
  %0:2 = stablehlo.while(%i = %zero, %a = %chosen) : tensor<i32>, tensor<3xi32>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %sum = stablehlo.add %a, %a : tensor<3xi32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<3xi32>
  }
  %difference = stablehlo.subtract %0#1, %x : tensor<3xi32>
  return %difference, %y : tensor<3xi32>, tensor<3xi32>
}

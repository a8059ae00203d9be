// A branch in a loop hands on one carried tensor twice, and two carried tensors in either order: what the loop
// carries shares no buffers after it.
// RUN: forge verify %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942

func.func @main(%x: tensor<4xi32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xi32> {tf.aliasing_output = 1 : i32}, %z: tensor<4xi32>, %start: tensor<i32>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %z) : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  cond {
    %more = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %place = stablehlo.add %i, %start : tensor<i32>
    %r:3 = "stablehlo.case"(%place) ({
      %piece = stablehlo.slice %c [0:2] : (tensor<4xi32>) -> tensor<2xi32>
      %moved = stablehlo.dynamic_update_slice %c, %piece, %one : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>
      stablehlo.return %moved, %moved, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
    }, {
      stablehlo.return %c, %a, %b : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
    }, {
      %sum = stablehlo.add %a, %b : tensor<4xi32>
      stablehlo.return %sum, %b, %c : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
    }) : (tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>)
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %r#0, %r#1, %r#2 : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
  }
  %difference = stablehlo.subtract %0#1, %x : tensor<4xi32>
  return %0#1, %0#2, %difference : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>
}

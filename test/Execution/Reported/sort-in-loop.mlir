// A sort in a loop that does not change its input: its workspace was read before it was written.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
func.func @main(%x: tensor<3x3xi32>, %y: tensor<3x3xi32>) -> tensor<3x3xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %y) : tensor<i32>, tensor<3x3xi32>
  cond {
    %more = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %sum = stablehlo.add %x, %a : tensor<3x3xi32>
    %1:2 = stablehlo.while(%j = %zero, %b = %sum) : tensor<i32>, tensor<3x3xi32>
    cond {
      %more = stablehlo.compare LT, %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %sorted = "stablehlo.sort"(%x) ({
      ^bb0(%p: tensor<i32>, %q: tensor<i32>):
        %less = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }) {dimension = 1 : i64} : (tensor<3x3xi32>) -> tensor<3x3xi32>
      %next = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %next, %sorted : tensor<i32>, tensor<3x3xi32>
    }
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %1#1 : tensor<i32>, tensor<3x3xi32>
  }
  return %0#1 : tensor<3x3xi32>
}

// The keys and the values of a sort start from one empty tensor: they must not share a buffer.
// RUN: forge verify %s --target cpu
func.func @main(%keys: tensor<5xi32>, %values: tensor<5xi32>) -> tensor<5xi32> {
  %0:2 = "stablehlo.sort"(%keys, %values) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %p: tensor<i32>, %q: tensor<i32>):
    %c = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
  return %0#1 : tensor<5xi32>
}

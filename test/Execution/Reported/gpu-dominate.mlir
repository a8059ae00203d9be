// A reduction over numbers of places alone (argmax over a dimension of size 1): GPU code was invalid.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o
// RUN: forge compile %s --target hip:gfx942 -o %t.o
func.func @main(%a: tensor<1x2xi1>) -> (tensor<i32>, tensor<2xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<1x2xi32>
  %f = stablehlo.constant dense<false> : tensor<i1>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %m = stablehlo.constant dense<-2147483648> : tensor<i32>
  %1:2 = stablehlo.reduce(%a init: %f), (%i init: %z) across dimensions = [0] : (tensor<1x2xi1>, tensor<1x2xi32>, tensor<i1>, tensor<i32>) -> (tensor<2xi1>, tensor<2xi32>)
   reducer(%x: tensor<i1>, %y: tensor<i1>) (%p: tensor<i32>, %q: tensor<i32>)  {
    %2 = stablehlo.compare GT, %x, %y, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %9 = stablehlo.select %2, %x, %y : tensor<i1>, tensor<i1>
    %10 = stablehlo.select %2, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<i1>, tensor<i32>
  }
  %r = stablehlo.reduce(%1#1 init: %m) applies stablehlo.maximum across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  return %r, %1#1 : tensor<i32>, tensor<2xi32>
}

// Truth values in rows that no vector divides: loaded, computed and stored by whole vectors and a masked rest.
// RUN: forge verify %s --function main
// RUN: forge verify %s --function main --each-stage
// RUN: forge verify %s --function open --dynamic-size 45

func.func @main(%p: tensor<3x37xi1>, %x: tensor<3x37xf32>, %y: tensor<3x37xf32>) -> (tensor<3x37xf32>, tensor<3x37xi1>, tensor<3x37xi1>) {
  %0 = stablehlo.select %p, %x, %y : tensor<3x37xi1>, tensor<3x37xf32>
  %1 = stablehlo.compare LT, %x, %y : (tensor<3x37xf32>, tensor<3x37xf32>) -> tensor<3x37xi1>
  %2 = stablehlo.xor %1, %p : tensor<3x37xi1>
  %3 = stablehlo.and %1, %p : tensor<3x37xi1>
  return %0, %2, %3 : tensor<3x37xf32>, tensor<3x37xi1>, tensor<3x37xi1>
}

// A size that is known only when it runs.
func.func @open(%p: tensor<?xi1>, %x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi1>) {
  %0 = stablehlo.negate %x : tensor<?xf32>
  %1 = stablehlo.select %p, %x, %0 : tensor<?xi1>, tensor<?xf32>
  %2 = stablehlo.not %p : tensor<?xi1>
  return %1, %2 : tensor<?xf32>, tensor<?xi1>
}

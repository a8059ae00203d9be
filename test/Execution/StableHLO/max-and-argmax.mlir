// A maximum and the place of it, along the first dimension: one loop computes both, and only one of the results is a
// reduction by a single operation.
// RUN: forge verify %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942

func.func @main(%x: tensor<5x19xf32>, %y: tensor<19xf32>) -> (tensor<19xf32>, tensor<19xi32>) {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %rows = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<19xf32>) -> tensor<5x19xf32>
  %sum = stablehlo.add %x, %rows : tensor<5x19xf32>
  %max = stablehlo.reduce(%sum init: %lowest) applies stablehlo.maximum across dimensions = [0] : (tensor<5x19xf32>, tensor<f32>) -> tensor<19xf32>
  %place = stablehlo.iota dim = 0 : tensor<5x19xi32>
  %0:2 = stablehlo.reduce(%sum init: %lowest), (%place init: %zero) across dimensions = [0] : (tensor<5x19xf32>, tensor<5x19xi32>, tensor<f32>, tensor<i32>) -> (tensor<19xf32>, tensor<19xi32>)
    reducer(%a: tensor<f32>, %c: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %greater = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %equal = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %before = stablehlo.compare LT, %i, %j, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %first = stablehlo.and %equal, %before : tensor<i1>
      %kept = stablehlo.or %greater, %first : tensor<i1>
      %value = stablehlo.select %kept, %a, %c : tensor<i1>, tensor<f32>
      %at = stablehlo.select %kept, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %value, %at : tensor<f32>, tensor<i32>
    }
  return %max, %0#1 : tensor<19xf32>, tensor<19xi32>
}

func.func @main(%a: tensor<4x6xi32>, %i: tensor<i32>) -> tensor<8x2xi32> {
  %0 = stablehlo.slice %a [0:4:2, 1:5] : (tensor<4x6xi32>) -> tensor<2x4xi32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xi32>) -> tensor<4x2xi32>
  %2 = stablehlo.dynamic_slice %1, %i, %i, sizes = [2, 2] : (tensor<4x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x2xi32>
  %3 = stablehlo.concatenate %1, %2, %2, dim = 0 : (tensor<4x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<8x2xi32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<8x2xi32>
  %5 = stablehlo.iota dim = 1 : tensor<8x2xi32>
  %6 = stablehlo.dynamic_update_slice %4, %2, %i, %i : (tensor<8x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> tensor<8x2xi32>
  %7 = stablehlo.subtract %6, %5 : tensor<8x2xi32>
  return %7 : tensor<8x2xi32>
}

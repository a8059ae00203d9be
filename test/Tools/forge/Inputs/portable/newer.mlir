func.func @main(%x: tensor<4xf32>, %root: tensor<1xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.custom_call @tiled(%x) {result_tilings = [[dense<8> : tensor<1xindex>]]} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.collective_broadcast"(%x, %root) <{has_dynamic_root, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  %2 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

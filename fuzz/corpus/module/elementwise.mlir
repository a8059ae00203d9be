#loc = loc("model.py":1:2)
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%a: tensor<2x3xf32> {jax.buffer_donor = true}, %b: tensor<2x3xbf16>) -> (tensor<2x3xf32> {jax.result_info = "out"}) {
    %0 = stablehlo.convert %b : (tensor<2x3xbf16>) -> tensor<2x3xf32> loc(#loc)
    %cst = stablehlo.constant dense<[[1.0, 0x7F800000, -2.5], [0.0, 1.0e-3, 3.0]]> : tensor<2x3xf32>
    %1 = stablehlo.add %a, %0 : tensor<2x3xf32>
    %2 = "stablehlo.tanh"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = stablehlo.compare GT, %2, %cst, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %4 = stablehlo.select %3, %2, %cst : tensor<2x3xi1>, tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}

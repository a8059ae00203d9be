module @m {
  sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
  sdy.mesh @one = <[], device_ids=[3]>
  sdy.mesh @empty = <[]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {"y":(1)2}], replicated={"y":(2)2}>}, %arg1: tensor<3xi32> {sdy.sharding = #sdy.sharding<mesh<["a"=1]>, [{?}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"x", "y"}]> : tensor<8x8xf32>
    %1 = stablehlo.add %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {?}]>]>} : tensor<8x8xf32>
    %2 = stablehlo.custom_call @foo(%1) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, kl]) {i=8, j=8, k=2, l=4} reduction={j} need_replication={k}, custom>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}

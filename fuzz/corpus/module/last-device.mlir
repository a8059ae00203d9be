func.func @pairs(%x: tensor<?xf32>, %root: tensor<2xi32>) {
  // CHECK: "stablehlo.collective_broadcast"(%{{.*}}) <{replica_groups = dense<{{.}}[5, 2]]> : tensor<1x2xi64>}>
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[5, 2]]> : tensor<1x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: "stablehlo.collective_broadcast"(%{{.*}}, %{{.*}}, %{{.*}}) <{has_dynamic_root, replica_groups = dense<{{.}}[0, 1]]> : tensor<1x2xi64>}>
  %r:2 = "stablehlo.collective_broadcast"(%x, %x, %root) <{has_dynamic_root, replica_groups = dense<[[9223372036854775807, 1]]> : tensor<1x2xi64>}>
      : (tensor<?xf32>, tensor<?xf32>, tensor<2xi32>) -> (tensor<?xf32>, tensor<?xf32>)
  // CHECK: "stablehlo.collective_reduce"(%{{.*}}) <{replica_groups = dense<{{.}}[0, 1]]> : tensor<1x2xi64>}>
  %s = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: "stablehlo.collective_permute"(%{{.*}}) <{source_target_pairs = dense<{{.}}[0, 1], [1, 0]]> : tensor<2x2xi64>}>
  %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: stablehlo.partition_id : tensor<ui32>
  %2 = stablehlo.partition_id : tensor<ui32>
  // CHECK: stablehlo.replica_id : tensor<ui32>
  %3 = stablehlo.replica_id : tensor<ui32>
  return
}

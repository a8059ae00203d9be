// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Operations between devices.

// CHECK-LABEL: @groups
func.func @groups(%x: tensor<2x4xf32>, %z: tensor<2x4xcomplex<f32>>) {
  // CHECK: "stablehlo.all_gather"(%{{.*}}, %{{.*}}) <{all_gather_dim = 1 : i64, replica_groups = dense<{{.}}[0, 2], [1, 3]]> : tensor<2x2xi64>}>
  %0:2 = "stablehlo.all_gather"(%x, %z) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>}>
      : (tensor<2x4xf32>, tensor<2x4xcomplex<f32>>) -> (tensor<2x8xf32>, tensor<2x8xcomplex<f32>>)
  // CHECK: "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>}>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<> : tensor<0x0xi64>}>
      : (tensor<2x4xf32>) -> tensor<6x4xf32>
  // CHECK: "stablehlo.all_reduce"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{.}}[0, 1], [2, -1]]> : tensor<2x2xi64>, use_global_device_ids}>
  %2 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x4xf32>) -> tensor<2x4xf64>
  // CHECK: "stablehlo.reduce_scatter"(%{{.*}}) <{replica_groups = dense<{{.}}[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}>
  %3 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>) -> tensor<2x2xf32>
  // CHECK: "stablehlo.all_to_all"(%{{.*}}) <{concat_dimension = 0 : i64, replica_groups = dense<{{.}}[1, 0]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}>
  %4 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}>
      : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: @pairs
func.func @pairs(%x: tensor<?xf32>, %root: tensor<2xi32>) {
  // CHECK: "stablehlo.collective_broadcast"(%{{.*}}) <{replica_groups = dense<{{.}}[5, 2]]> : tensor<1x2xi64>}>
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[5, 2]]> : tensor<1x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: "stablehlo.collective_broadcast"(%{{.*}}, %{{.*}}, %{{.*}}) <{has_dynamic_root, replica_groups = dense<{{.}}[0, 1]]> : tensor<1x2xi64>}>
  %r:2 = "stablehlo.collective_broadcast"(%x, %x, %root) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
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

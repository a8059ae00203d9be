// RUN: forge-opt %s --split-input-file --verify-diagnostics

// One case per constraint of the operations between devices; the name says which.

func.func @all_gather_c1(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected all_gather_dim in the range [0, 2), but got 2}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_gather_c2(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected each device once in replica_groups, but got 1 again}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0, 1]]> : tensor<1x3xi64>}> : (tensor<2x4xf32>) -> tensor<6x4xf32>
  return
}

// -----

func.func @all_gather_c2_splat(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected each device once in replica_groups, but got 0 again}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x4294967296xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_gather_c2_none(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected devices in replica_groups, but got only -1}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<-1> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_gather_groups_rank(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected replica_groups of rank 2, but got 1}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_gather_c4(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected the devices 0 to 1 in replica_groups, but got 2}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_gather_c4_negative(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected devices of at least 0 in replica_groups, but got -2}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_gather_c5(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected channel_handle with a positive number for use_global_device_ids, but got none}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_gather_c6(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected shape [4, 4] for a result, but got [2, 4]}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_gather_c6_type(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected element type 'f32' for a result, but got 'f64'}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf64>
  return
}

// -----

func.func @all_gather_count(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected 1 entries in the results, but got 2}}
  %0:2 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @all_reduce_c4(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected channel_handle with a positive number for use_global_device_ids, but got 0}}
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 0, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c5(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected 'tensor<f32>' in the arguments of computation at position 0, but got 'tensor<f64>'}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    stablehlo.return %a : tensor<f64>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_reduce_c6(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for a result, but got [5]}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @all_reduce_c7(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected a result 0 that 'f32' is promoted to, but got 'f16'}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    stablehlo.return %a : tensor<f16>
  }) : (tensor<4xf32>) -> tensor<4xf16>
  return
}

// -----

func.func @all_to_all_c1(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected split_dimension in the range [0, 2), but got -1}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = -1 : i64}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_to_all_c2(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected a multiple of 3 as size of split_dimension, but got 4}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, split_count = 3 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_to_all_c3(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected concat_dimension in the range [0, 2), but got 4}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 4 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_to_all_c4(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected positive split_count, but got 0}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 0 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @all_to_all_c8(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected groups of split_count = 2 devices, but got 1}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @all_to_all_c9(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{expected shape [4, 2] for a result, but got [2, 4]}}
  %0 = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 1 : i64}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @collective_broadcast_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected each device once in replica_groups, but got 3 again}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[3, 1, 3]]> : tensor<1x3xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// The largest number of a device.
func.func @collective_broadcast_c1_last(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected each device once in replica_groups, but got 9223372036854775807 again}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[9223372036854775807, 1, 9223372036854775807]]> : tensor<1x3xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast_root(%x: tensor<4xf32>, %root: tensor<2xi32>) {
  // expected-error @+1 {{expected a last operand of type 'tensor<1xi32>' for has_dynamic_root, but got 'tensor<2xi32>'}}
  %0 = "stablehlo.collective_broadcast"(%x, %root) <{has_dynamic_root, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_reduce_root(%root: tensor<2xi32>) {
  // expected-error @+1 {{expected an operand, and one with its root, for has_dynamic_root}}
  "stablehlo.collective_reduce"(%root) <{has_dynamic_root, replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<2xi32>) -> ()
  return
}

// -----

func.func @collective_broadcast_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [4] for a result, but got [3]}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @collective_permute_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected source_target_pairs of shape [pairs, 2], but got [1, 3]}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// One number for more elements than 64 bits count.
func.func @collective_permute_repeated(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected each device once as source, but got 0 again}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<4611686018427387904x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @all_gather_repeated(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected each device once in replica_groups, but got 0 again}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<4294967296x4294967296xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected each device once in the sources, but got 0 again}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c3(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected each device once in the targets, but got 1 again}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c4(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected devices of at least 0 in the targets, but got -1}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_permute_c5(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected element type 'f32' for a result, but got 'i32'}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @reduce_scatter_c1(%x: tensor<3xf32>) {
  // expected-error @+1 {{expected a multiple of 2 as size of scatter_dimension, but got 3}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @reduce_scatter_c2(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected scatter_dimension in the range [0, 1), but got 1}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_scatter_c8(%x: tensor<4xf32>) {
  // expected-error @+1 {{expected shape [2] for the result, but got [4]}}
  %0 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @partition_id_c1() {
  // expected-error @+1 {{expected a result of type 'tensor<ui32>', but got 'tensor<i32>'}}
  %0 = stablehlo.partition_id : tensor<i32>
  return
}

// -----

func.func @replica_id_c1() {
  // expected-error @+1 {{expected a result of type 'tensor<ui32>', but got 'tensor<1xui32>'}}
  %0 = stablehlo.replica_id : tensor<1xui32>
  return
}

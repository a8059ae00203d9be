// RUN: split-file %s %t
// RUN: forge run %t/placed.mlir
// RUN: forge compile %t/placed.mlir --function local --to import -o - | FileCheck %s --implicit-check-not=sdy
// RUN: not forge run %t/number.mlir 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not forge run %t/groups.mlir 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: not forge run %t/all.mlir 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not forge run %t/local.mlir 2>&1 | FileCheck %s --check-prefix=LOCAL
// RUN: not forge run %t/pairs.mlir 2>&1 | FileCheck %s --check-prefix=PAIRS
// RUN: not forge run %t/some.mlir 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not forge run %t/axis.mlir 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not forge run %t/types.mlir 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not forge compile %t/shape.mlir -o - 2>&1 | FileCheck %s --check-prefix=SHAPE

// What is placed on several devices computes the same numbers on one.

// CHECK: func.func @local(%[[X:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[T:.*]] = stablehlo.tanh %[[X]]
// CHECK-NEXT: return %[[T]]

//--- placed.mlir
module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=1, "y"=8]>
  func.func @local(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%a: tensor<4x8xf32>) {
      %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={} (%b: tensor<4x8xf32>) {
        %2 = sdy.named_computation<"block">(%b) (%c: tensor<4x8xf32>) {
          %3 = stablehlo.tanh %c : tensor<4x8xf32>
          sdy.return %3 : tensor<4x8xf32>
        } : (tensor<4x8xf32>) -> tensor<4x8xf32>
        sdy.return %2 : tensor<4x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      sdy.return %1 : tensor<4x8xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[1.0, 2.0, -3.0, 4.0]> : tensor<4xf32>
    %0 = sdy.reshard %x <@mesh, [{"y"}], unreduced={"x"}> : tensor<4xf32>
    sdy.sharding_group %0 group_id=7 : tensor<4xf32>
    %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<4xf32>
    // Of one device each; along "x", and between the replicas, of which there is one.
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0], [1], [2], [3], [4], [5], [6], [7]]> : tensor<8x1xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %4 = "stablehlo.collective_permute"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 0], [1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [6, 6], [7, 7]]> : tensor<8x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{devices=[8]<=[8]}"} : (tensor<4xf32>) -> tensor<4xf32>
    %z = stablehlo.complex %5, %5 : tensor<4xcomplex<f32>>
    %6 = stablehlo.custom_call @annotate_device_placement(%z) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %7 = stablehlo.real %6 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    check.expect_eq_const %7, dense<[1.0, 2.0, -3.0, 4.0]> : tensor<4xf32>
    return
  }
}

//--- number.mlir
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main() -> tensor<ui32> {
    // NUMBER: number.mlir:4:10: error: expected 1 partition, but got 2: computations of several devices are not supported
    %0 = stablehlo.partition_id : tensor<ui32>
    return %0 : tensor<ui32>
  }
}

//--- groups.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
    // GROUPS: groups.mlir:4:10: error: expected groups of 1 device in replica_groups, but got one of 2: computations of several devices are not supported
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

//--- all.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
    // ALL: all.mlir:4:10: error: expected groups of 1 device in replica_groups, but got one of 4: computations of several devices are not supported
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<> : tensor<0x0xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<?xf32>
    return %0 : tensor<?xf32>
  }
}

//--- local.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // Without global numbers a group has all partitions of its replicas.
    // LOCAL: local.mlir:5:10: error: expected 1 partition, but got 4: computations of several devices are not supported
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

//--- pairs.mlir
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // PAIRS: pairs.mlir:4:10: error: expected devices that send to themselves in source_target_pairs, but got 0 to 1: computations of several devices are not supported
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

//--- some.mlir
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // SOME: some.mlir:4:10: error: expected source_target_pairs of all 2 devices, but got 1: computations of several devices are not supported
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

//--- axis.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // AXIS: axis.mlir:3:8: error: expected a mesh with the manual axis "x"
  %0 = sdy.manual_computation(%x) in_shardings=[<mesh<["x"=2]>, [{"x"}]>] out_shardings=[<mesh<["x"=2]>, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %a : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- types.mlir
sdy.mesh @mesh = <["x"=1]>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // TYPES: types.mlir:4:8: error: expected the types of the operands and results in the body, as each manual axis has 1 device
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    sdy.return %a : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- shape.mlir
module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
    // SHAPE: shape.mlir:4:10: error: expected the whole of the operand as the result, but got a part: computations of several devices are not supported
    %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// RUN: split-file %s %t
// RUN: forge run %t/one.mlir
// RUN: forge run %t/one.mlir --tier correctness
// RUN: forge verify %t/one.mlir --function values --target cpu
// RUN: forge verify %t/one.mlir --function values --target sim:sm_90a
// RUN: forge compile %t/one.mlir --function values --to import -o - | FileCheck %s --implicit-check-not=all_
// RUN: not forge run %t/reduce.mlir 2>&1 | FileCheck %s --check-prefix=REDUCE
// RUN: not forge run %t/permute.mlir 2>&1 | FileCheck %s --check-prefix=PERMUTE
// RUN: not forge run %t/zeros.mlir 2>&1 | FileCheck %s --check-prefix=ZEROS

// On one device what it gathers, reduces and exchanges is its own value.

// CHECK: func.func @values

//--- one.mlir
func.func @values(%x: tensor<2x4xf32>, %z: tensor<4xcomplex<f32>>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.all_reduce"(%z) <{replica_groups = dense<> : tensor<0x0xi64>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %s = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %s : tensor<complex<f32>>
  }) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %2 = stablehlo.imag %1 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0, %2 : tensor<2x4xf32>, tensor<4xf32>
}

func.func @main() {
  %root = stablehlo.constant dense<0> : tensor<2xi32>
  %x = stablehlo.constant dense<[[1.0, 2.0], [-3.0, 4.0]]> : tensor<2x2xf32>
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x2xf32>) -> tensor<2x2xf64>
  check.expect_eq_const %0, dense<[[1.0, 2.0], [-3.0, 4.0]]> : tensor<2x2xf64>
  %1 = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.all_to_all"(%1) <{concat_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 1 : i64}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = "stablehlo.collective_broadcast"(%3) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %4, dense<[[1.0, 2.0], [-3.0, 4.0]]> : tensor<2x2xf32>

  %both:2 = "stablehlo.collective_broadcast"(%x, %4, %root) <{has_dynamic_root, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  %r = "stablehlo.collective_reduce"(%both#1) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x2xf32>) -> tensor<2x2xf64>
  check.expect_eq_const %r, dense<[[1.0, 2.0], [-3.0, 4.0]]> : tensor<2x2xf64>

  // What no device sends is zero.
  %5 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %5, dense<0.0> : tensor<2x2xf32>
  %z = stablehlo.complex %x, %x : tensor<2x2xcomplex<f32>>
  %6 = "stablehlo.collective_broadcast"(%z) <{replica_groups = dense<> : tensor<0x0xi64>}> : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %7 = stablehlo.real %6 : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  check.expect_eq_const %7, dense<0.0> : tensor<2x2xf32>

  %8 = stablehlo.partition_id : tensor<ui32>
  %9 = stablehlo.replica_id : tensor<ui32>
  %10 = stablehlo.add %8, %9 : tensor<ui32>
  check.expect_eq_const %10, dense<0> : tensor<ui32>

  // Does nothing.
  stablehlo.custom_call @dce_sink(%x) {has_side_effect = true} : (tensor<2x2xf32>) -> ()
  return
}

//--- reduce.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // REDUCE: reduce.mlir:3:8: error: expected no device but 0 in replica_groups, but got 1: computations of several devices are not supported
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- permute.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // PERMUTE: error: expected no device but 0 in source_target_pairs, but got 3: computations of several devices are not supported
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 3]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- zeros.mlir
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  // ZEROS: error: expected a static shape for the zeros of a device that receives nothing, but got 'tensor<?xf32>'
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Products of bytes: each operand is extended to the type of the result by its own sign.
// RUN: forge run %s --target cpu | FileCheck %s
// RUN: forge run %s --target cpu --tier correctness | FileCheck %s
// RUN: forge run %s --target sim:sm_90a | FileCheck %s
// RUN: forge run %s --target sim:gfx942 | FileCheck %s
// RUN: forge-interpret %s | FileCheck %s
// RUN: forge verify %s --function random
// RUN: forge verify %s --function random --target sim:sm_90a
// RUN: forge verify %s --function random --target sim:gfx942

// CHECK: tensor<i32> [195075]
// CHECK: tensor<i32> [-97920]
// CHECK: tensor<i32> [-97920]
// CHECK: tensor<ui32> [4294869376]
// CHECK: tensor<i32> [49152]
// CHECK: tensor<i16> [-32385]
// CHECK: tensor<1x1x1xi32> [-97920]
// CHECK: tensor<1x1x1xi32> [195075]
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<ui32>, tensor<i32>, tensor<i16>, tensor<1x1x1xi32>, tensor<1x1x1xi32>) {
  %u = stablehlo.constant dense<255> : tensor<3xui8>
  %s = stablehlo.constant dense<-128> : tensor<3xi8>
  %m = stablehlo.constant dense<[-127, 0, 0]> : tensor<3xi8>
  %uu = stablehlo.dot_general %u, %u, contracting_dims = [0] x [0] : (tensor<3xui8>, tensor<3xui8>) -> tensor<i32>
  %us = stablehlo.dot_general %u, %s, contracting_dims = [0] x [0] : (tensor<3xui8>, tensor<3xi8>) -> tensor<i32>
  %su = stablehlo.dot %s, %u : (tensor<3xi8>, tensor<3xui8>) -> tensor<i32>
  %wide = stablehlo.dot_general %s, %u, contracting_dims = [0] x [0] : (tensor<3xi8>, tensor<3xui8>) -> tensor<ui32>
  %ss = stablehlo.dot_general %s, %s, contracting_dims = [0] x [0] : (tensor<3xi8>, tensor<3xi8>) -> tensor<i32>
  %short = stablehlo.dot_general %m, %u, contracting_dims = [0] x [0] : (tensor<3xi8>, tensor<3xui8>) -> tensor<i16>
  %x = stablehlo.reshape %s : (tensor<3xi8>) -> tensor<1x3x1xi8>
  %y = stablehlo.reshape %u : (tensor<3xui8>) -> tensor<1x3x1xui8>
  %k = stablehlo.reshape %u : (tensor<3xui8>) -> tensor<3x1x1xui8>
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xi8>, tensor<3x1x1xui8>) -> tensor<1x1x1xi32>
  %d = stablehlo.convolution(%y, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xui8>, tensor<3x1x1xui8>) -> tensor<1x1x1xi32>
  return %uu, %us, %su, %wide, %ss, %short, %c, %d : tensor<i32>, tensor<i32>, tensor<i32>, tensor<ui32>, tensor<i32>, tensor<i16>, tensor<1x1x1xi32>, tensor<1x1x1xi32>
}

func.func @random(%a: tensor<2x5x17xui8>, %b: tensor<2x17x9xi8>, %x: tensor<2x6x7x3xui8>, %k: tensor<3x3x3x4xi8>) -> (tensor<2x5x9xi32>, tensor<2x4x5x4xi32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x5x17xui8>, tensor<2x17x9xi8>) -> tensor<2x5x9xi32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x7x3xui8>, tensor<3x3x3x4xi8>) -> tensor<2x4x5x4xi32>
  return %0, %1 : tensor<2x5x9xi32>, tensor<2x4x5x4xi32>
}

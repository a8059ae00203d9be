// Products of 8-bit factors by matrix units, on simulated chips of both vendors: those of integers are equal to the reference, sums that
// 24 bits do not hold too.
// RUN: forge verify %s --function floats --target sim:sm_90a
// RUN: forge verify %s --function floats --target sim:gfx942
// RUN: forge verify %s --function two_floats --target sim:sm_90a
// RUN: forge verify %s --function two_floats --target sim:gfx1100
// RUN: forge verify %s --function integers --target sim:sm_90a
// RUN: forge verify %s --function integers --target sim:gfx942
// RUN: forge verify %s --function integers --target sim:gfx1100
// RUN: forge verify %s --function unsigned --target sim:sm_90a
// RUN: forge verify %s --function unsigned --target sim:gfx90a
// RUN: forge verify %s --function batch --target sim:sm_90a
// RUN: forge run %s --function largest --target sim:sm_90a | FileCheck %s --check-prefix=LARGEST
// RUN: forge run %s --function largest --target sim:gfx942 | FileCheck %s --check-prefix=LARGEST
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %s

// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<48x2176xbf16>, %{{.*}}: tensor<2176x64xbf16>, %{{.*}}: tensor<48x64xf32>
func.func @floats(%x: tensor<48x2176xf8E4M3FN>, %w: tensor<2176x64xf8E4M3FN>) -> tensor<48x64xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<48x2176xf8E4M3FN>, tensor<2176x64xf8E4M3FN>) -> tensor<48x64xf32>
  return %y : tensor<48x64xf32>
}
func.func @two_floats(%x: tensor<48x520xf8E5M2>, %w: tensor<64x520xf8E5M2>) -> tensor<48x64xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<48x520xf8E5M2>, tensor<64x520xf8E5M2>) -> tensor<48x64xf32>
  return %y : tensor<48x64xf32>
}
func.func @integers(%x: tensor<48x2100xi8>, %w: tensor<64x2100xi8>) -> tensor<48x64xi32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<48x2100xi8>, tensor<64x2100xi8>) -> tensor<48x64xi32>
  return %y : tensor<48x64xi32>
}
func.func @unsigned(%x: tensor<48x640xui8>, %w: tensor<640x64xui8>) -> tensor<48x64xui32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<48x640xui8>, tensor<640x64xui8>) -> tensor<48x64xui32>
  return %y : tensor<48x64xui32>
}
func.func @batch(%x: tensor<3x48x1200xi8>, %w: tensor<3x1200x64xi8>) -> tensor<3x48x64xi32> {
  %y = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x48x1200xi8>, tensor<3x1200x64xi8>) -> tensor<3x48x64xi32>
  return %y : tensor<3x48x64xi32>
}
// 4096 * 128 * 128 + 1 is no number of f32.
// LARGEST: [67108863, 67108863,
func.func @largest() -> tensor<16x16xi32> {
  %x = stablehlo.constant dense<-128> : tensor<16x4096xi8>
  %a = stablehlo.constant dense<-128> : tensor<4096x16xi8>
  %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<16x4096xi8>, tensor<4096x16xi8>) -> tensor<16x16xi32>
  %one = stablehlo.constant dense<1> : tensor<16x16xi32>
  %r = stablehlo.subtract %y, %one : tensor<16x16xi32>
  return %r : tensor<16x16xi32>
}

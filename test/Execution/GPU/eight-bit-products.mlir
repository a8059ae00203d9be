// Products of 8-bit factors by matrix units, on simulated chips of both vendors: those of integers are equal to the reference, sums that
// 24 bits do not hold too. By wgmma factors are taken as they are: floats where the program does not ask for more than such sums.
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
// RUN: forge verify %s --function asked --target sim:sm_90a
// RUN: forge verify %s --function exact --target sim:sm_90a
// RUN: forge verify %s --function tiles --target sim:sm_90a --seed 3
// RUN: forge verify %s --function pair --target sim:sm_90a
// RUN: forge verify %s --function allowed --target sim:sm_90a --each-stage
// RUN: forge verify %s --function transformer --target sim:sm_90a
// RUN: forge verify %s --function open_rows --target sim:sm_90a --dynamic-size 200
// RUN: forge verify %s --function open_rows --target sim:sm_90a --dynamic-size 0
// RUN: forge verify %s --function open_rows_copied --target sim:sm_90a --dynamic-size 200
// RUN: forge verify %s --function open_rows_asked --target sim:sm_90a --dynamic-size 200
// RUN: forge verify %s --function open_rows_copied --target sim:gfx942 --dynamic-size 20
// RUN: forge explain %s --function open_rows_copied --target sim:sm_90a | FileCheck %s --check-prefix=OPEN
// RUN: forge explain %s --function open_rows_asked --target sim:sm_90a | FileCheck %s --check-prefix=OPEN
// RUN: forge run %s --function largest --target sim:sm_90a | FileCheck %s --check-prefix=LARGEST
// RUN: forge run %s --function largest --target sim:gfx942 | FileCheck %s --check-prefix=LARGEST
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_80 to=kernels" | FileCheck %s --check-prefix=OLDER

// OLDER: func.func private @{{.*}}(%{{.*}}: tensor<48x2176xbf16>, %{{.*}}: tensor<2176x64xbf16>, %{{.*}}: tensor<48x64xf32>
// OLDER-NOT: wgmma
// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<48x2176xf8E4M3FN>, %{{.*}}: tensor<64x2176xf8E4M3FN>, %{{.*}}: tensor<48x64xf32>){{.*}}strategy = wgmma, m = 64, n = 16, k = 128,
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
// What asks for a precision, or for an algorithm without imprecise sums, gets f32's.
// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<64x544xbf16>, %{{.*}}: tensor<128x544xbf16>, %{{.*}}: tensor<64x128xf32>)
func.func @asked(%x: tensor<64x544xf8E4M3FN>, %w: tensor<128x544xf8E4M3FN>) -> tensor<64x128xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<64x544xf8E4M3FN>, tensor<128x544xf8E4M3FN>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}
// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<64x560xbf16>, %{{.*}}: tensor<128x560xbf16>, %{{.*}}: tensor<64x128xf32>)
func.func @exact(%x: tensor<64x560xf8E4M3FN>, %w: tensor<128x560xf8E4M3FN>) -> tensor<64x128xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<64x560xf8E4M3FN>, tensor<128x560xf8E4M3FN>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}
// Stages beyond the terms, rows and columns beyond tiles; an odd number of stages; two formats; a bias and a rounding behind.
// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<200x592xf8E4M3FN>, %{{.*}}: tensor<264x592xf8E5M2>, %{{.*}}: tensor<264xf32>, %{{.*}}: tensor<200x264xbf16>)
func.func @tiles(%x: tensor<200x592xf8E4M3FN>, %w: tensor<264x592xf8E5M2>, %b: tensor<264xf32>) -> tensor<200x264xbf16> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<200x592xf8E4M3FN>, tensor<264x592xf8E5M2>) -> tensor<200x264xf32>
  %c = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<264xf32>) -> tensor<200x264xf32>
  %s = stablehlo.add %y, %c : tensor<200x264xf32>
  %r = stablehlo.convert %s : (tensor<200x264xf32>) -> tensor<200x264xbf16>
  return %r : tensor<200x264xbf16>
}
// Two products with one left factor, 256 columns in two groups.
func.func @pair(%x: tensor<128x256xf8E4M3FN>, %w: tensor<1024x256xf8E4M3FN>, %v: tensor<1024x256xf8E4M3FN>) -> tensor<128x1024xbf16> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<128x256xf8E4M3FN>, tensor<1024x256xf8E4M3FN>) -> tensor<128x1024xf32>
  %z = stablehlo.dot_general %x, %v, contracting_dims = [1] x [1] : (tensor<128x256xf8E4M3FN>, tensor<1024x256xf8E4M3FN>) -> tensor<128x1024xf32>
  %p = stablehlo.multiply %y, %z : tensor<128x1024xf32>
  %r = stablehlo.convert %p : (tensor<128x1024xf32>) -> tensor<128x1024xbf16>
  return %r : tensor<128x1024xbf16>
}
// CHECK: func.func private @{{.*}}(%{{.*}}: tensor<64x272xf8E4M3FN>, %{{.*}}: tensor<128x272xf8E4M3FN>, %{{.*}}: tensor<64x128xf32>)
func.func @allowed(%x: tensor<64x272xf8E4M3FN>, %w: tensor<128x272xf8E4M3FN>) -> tensor<64x128xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1], algorithm = <lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true> : (tensor<64x272xf8E4M3FN>, tensor<128x272xf8E4M3FN>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}
func.func @transformer(%x: tensor<64x288xf8E4M3FN>, %w: tensor<288x128xf8E5M2>) -> tensor<64x128xbf16> {
  %y = transformer.matmul %x, %w : (tensor<64x288xf8E4M3FN>, tensor<288x128xf8E5M2>) -> tensor<64x128xbf16>
  return %y : tensor<64x128xbf16>
}
// Rows known at run time only.
func.func @open_rows(%x: tensor<?x768xf8E4M3FN>, %w: tensor<256x768xf8E4M3FN>) -> tensor<?x256xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<?x768xf8E4M3FN>, tensor<256x768xf8E4M3FN>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
// A factor of known sizes is copied with its terms innermost; sums in f32 are of bf16.
// OPEN: contraction, 1 launch: wgmma
func.func @open_rows_copied(%x: tensor<?x768xf8E4M3FN>, %w: tensor<768x256xf8E4M3FN>) -> tensor<?x256xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x768xf8E4M3FN>, tensor<768x256xf8E4M3FN>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
func.func @open_rows_asked(%x: tensor<?x784xf8E4M3FN>, %w: tensor<784x256xf8E4M3FN>) -> tensor<?x256xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<?x784xf8E4M3FN>, tensor<784x256xf8E4M3FN>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
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

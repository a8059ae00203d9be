// How the sums of a tile of 64 columns are stored: results of 16 bits after lanes have exchanged them, 16 bytes at a time; f32, and
// columns that eight does not divide, in pairs, as each lane has them; an odd number of columns one by one. What is beyond the result
// is not stored.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s

// Residuals of four groups of eight columns, two rows each, before the sums are waited for; those of the next four before the first
// are stored. Columns beyond the last are read at the last.
// CHECK: gpu.func @contraction(
// CHECK: %[[ROW:.*]] = arith.cmpi ult, %{{.*}}, %c200_i32
// CHECK: arith.minui
// CHECK-COUNT-8: vector.load {{.*}} {alignment = 4 : i64} : memref<200x64xbf16>, vector<2xbf16>
// CHECK-NOT: vector.load
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-COUNT-8: vector.load {{.*}} {alignment = 4 : i64} : memref<200x64xbf16>, vector<2xbf16>
// CHECK-NOT: vector.load
// Lane q of four gets the q-th group of eight columns of its row, by two steps of exchange; a row beyond the last is left out.
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %c1_i32
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %c1_i32
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %c2_i32
// CHECK: nvvm.shfl.sync  bfly %{{.*}}, %{{.*}}, %c2_i32
// CHECK: %[[INSIDE:.*]] = arith.andi %[[ROW]]
// CHECK: scf.if %[[INSIDE]]
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<200x64xbf16>, vector<8xbf16>
// CHECK-COUNT-3: vector.store {{.*}} {alignment = 16 : i64} : memref<200x64xbf16>, vector<8xbf16>
// CHECK-NOT: vector.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<512x64xbf16>, %r: tensor<200x64xbf16>) -> tensor<200x64xbf16> {
  %0 = transformer.matmul %x, %w residual %r : (tensor<200x512xbf16>, tensor<512x64xbf16>, tensor<200x64xbf16>) -> tensor<200x64xbf16>
  return %0 : tensor<200x64xbf16>
}

// -----

// CHECK: gpu.func @matmul(
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: nvvm.shfl
// CHECK-COUNT-16: vector.store {{.*}} {alignment = 8 : i64} : memref<200x64xf32>, vector<2xf32>
// CHECK-NOT: vector.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<512x64xbf16>) -> tensor<200x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<200x512xbf16>, tensor<512x64xbf16>) -> tensor<200x64xf32>
  return %0 : tensor<200x64xf32>
}

// -----

// The last eight columns are not all there, the last pair is.
// CHECK: gpu.func @contraction(
// CHECK: %[[ROW:.*]] = arith.cmpi ult, %{{.*}}, %c200_i32
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: nvvm.shfl
// CHECK: %[[COLUMN:.*]] = arith.cmpi ult, %{{.*}}, %c60_i32
// CHECK: %[[INSIDE:.*]] = arith.andi %[[ROW]], %[[COLUMN]]
// CHECK: scf.if %[[INSIDE]]
// CHECK: vector.store {{.*}} {alignment = 8 : i64} : memref<200x60xf32>, vector<2xf32>
// CHECK-COUNT-15: vector.store {{.*}} {alignment = 8 : i64} : memref<200x60xf32>, vector<2xf32>
// CHECK-NOT: {{vector|memref}}.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<60x512xbf16>) -> tensor<200x60xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<200x512xbf16>, tensor<60x512xbf16>) -> tensor<200x60xf32>
  return %0 : tensor<200x60xf32>
}

// -----

// CHECK: gpu.func @contraction(
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: nvvm.shfl
// CHECK-COUNT-16: vector.store {{.*}} {alignment = 4 : i64} : memref<200x62xbf16>, vector<2xbf16>
// CHECK-NOT: {{vector|memref}}.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<62x512xbf16>) -> tensor<200x62xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<200x512xbf16>, tensor<62x512xbf16>) -> tensor<200x62xbf16>
  return %0 : tensor<200x62xbf16>
}

// -----

// CHECK: gpu.func @contraction(
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NOT: vector.store
// CHECK-COUNT-32: memref.store {{.*}} : memref<200x61xf32>
// CHECK-NOT: {{vector|memref}}.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<61x512xbf16>) -> tensor<200x61xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<200x512xbf16>, tensor<61x512xbf16>) -> tensor<200x61xf32>
  return %0 : tensor<200x61xf32>
}

// How the sums of a tile of 64 columns are stored: results of 16 bits after lanes have exchanged them, 16 bytes at a time; f32 in
// pairs, as each lane has them; where eight does not divide the columns, after lanes have exchanged them, 32 neighbouring columns at a
// time, in pairs or one by one. What is beyond the result is not stored.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=blocks" | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s --check-prefix=GPU

// Residuals of the first 32 columns before the sums are waited for; those of the next before the first are stored.
// CHECK-LABEL: func.func private @contraction(
// CHECK: tile.load {{.*}} limits(%c200, %c64) {align = 4 : i64} : memref<200x64xbf16> -> tensor<128x32xbf16
// CHECK: tile.drop
// CHECK: tile.stage "epilogue"
// CHECK: tile.load {{.*}} -> tensor<128x32xbf16
// CHECK: tile.convert
// CHECK: tile.store {{.*}} limits(%c200, %c64) {align = 16 : i64} : tensor<128x32xbf16, {{.*}}>, memref<200x64xbf16>
// CHECK-NOT: tile.load
// CHECK: tile.store {{.*}} {align = 16 : i64}
// CHECK-NOT: tile.store
// Eight columns are all there or none: no store of a part. Two rows of each lane, twice 32 columns.
// GPU-LABEL: gpu.func @contraction(
// GPU-COUNT-4: vector.store {{.*}} {alignment = 16 : i64} : memref<12800xbf16>, vector<8xbf16>
// GPU-NOT: {{vector|memref}}.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<512x64xbf16>, %r: tensor<200x64xbf16>) -> tensor<200x64xbf16> {
  %0 = transformer.matmul %x, %w residual %r : (tensor<200x512xbf16>, tensor<512x64xbf16>, tensor<200x64xbf16>) -> tensor<200x64xbf16>
  return %0 : tensor<200x64xbf16>
}

// -----

// CHECK-LABEL: func.func private @matmul(
// CHECK-NOT: tile.convert
// CHECK-COUNT-2: tile.store {{.*}} limits(%c200, %c64) {align = 8 : i64} : tensor<128x32xf32, {{.*}}>, memref<200x64xf32>
// GPU-LABEL: gpu.func @matmul(
// GPU-NOT: gpu.shuffle xor
// GPU-COUNT-16: vector.store {{.*}} {alignment = 8 : i64} : memref<12800xf32>, vector<2xf32>
// GPU-NOT: {{vector|memref}}.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<512x64xbf16>) -> tensor<200x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<200x512xbf16>, tensor<512x64xbf16>) -> tensor<200x64xf32>
  return %0 : tensor<200x64xf32>
}

// -----

// The last eight columns are not all there, the last pair is.
// CHECK-LABEL: func.func private @contraction(
// CHECK: tile.convert
// CHECK: tile.store {{.*}} limits(%c200, %c60) {align = 8 : i64} : tensor<128x32xf32, #[[$PAIRS:[a-z0-9]+]]>
// CHECK: tile.convert
// CHECK: tile.store {{.*}} limits(%c200, %c60) {align = 8 : i64} : tensor<128x32xf32, #[[$PAIRS]]>
// GPU-LABEL: gpu.func @contraction(
// GPU: gpu.shuffle xor
// GPU-COUNT-16: vector.store {{.*}} {alignment = 8 : i64} : memref<12000xf32>, vector<2xf32>
// GPU-NOT: {{vector|memref}}.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<60x512xbf16>) -> tensor<200x60xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<200x512xbf16>, tensor<60x512xbf16>) -> tensor<200x60xf32>
  return %0 : tensor<200x60xf32>
}

// -----

// CHECK-LABEL: func.func private @contraction(
// CHECK: tile.convert
// CHECK: tile.store {{.*}} limits(%c200, %c62) {align = 4 : i64}
// GPU-LABEL: gpu.func @contraction(
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<62x512xbf16>) -> tensor<200x62xbf16> {
  %0 = transformer.matmul %x, %w {transpose_rhs} : (tensor<200x512xbf16>, tensor<62x512xbf16>) -> tensor<200x62xbf16>
  return %0 : tensor<200x62xbf16>
}

// -----

// CHECK-LABEL: func.func private @contraction(
// CHECK: tile.convert {{.*}} -> tensor<128x32xf32, #[[$SINGLE:[a-z0-9]+]]>
// CHECK: tile.store {{.*}} limits(%c200, %c61) : tensor<128x32xf32, #[[$SINGLE]]>, memref<200x61xf32>
// An access has 32 neighbouring columns: 16 rows of each warp, twice.
// GPU-LABEL: gpu.func @contraction(
// GPU-COUNT-32: memref.store {{.*}} : memref<12200xf32>
// GPU-NOT: {{vector|memref}}.store
func.func @main(%x: tensor<200x512xbf16>, %w: tensor<61x512xbf16>) -> tensor<200x61xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<200x512xbf16>, tensor<61x512xbf16>) -> tensor<200x61xf32>
  return %0 : tensor<200x61xf32>
}

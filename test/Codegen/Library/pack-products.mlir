// What is copied for products that neither matrix units nor the library take at their strides.
// RUN: forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-pack-products{chip=sm_90a library=never}))" | FileCheck %s
// RUN: forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-pack-products{chip=sm_80 library=cost}))" | FileCheck %s --check-prefix=LIBRARY
// RUN: forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-pack-products{chip=sm_80 library=never}))" | FileCheck %s --check-prefix=NOTHING
// RUN: not forge-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(forge-pack-products{chip=sm_1}))" 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: unknown chip 'sm_1'
// NOTHING-NOT: tensor<4x128x128xbf16>) outs

// The batch is innermost in one factor: that one is copied, to the order of the other one's terms.
// CHECK-LABEL: func.func @one_factor
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<128x128x4xbf16>) outs(%{{.*}} : tensor<4x128x128xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[COPY]], %arg1 :
// CHECK-NOT: linalg.generic
// LIBRARY-LABEL: func.func @one_factor
// LIBRARY: linalg.generic {{.*}} ins(%arg0 : tensor<128x128x4xbf16>) outs(%{{.*}} : tensor<4x128x128xbf16>)
// NOTHING-LABEL: func.func @one_factor
// NOTHING: linalg.generic {{.*}} ins(%arg0, %arg1 :
func.func @one_factor(%x: tensor<128x128x4xbf16>, %w: tensor<4x128x128xbf16>) -> tensor<4x128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x128x128xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k, b)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<128x128x4xbf16>, tensor<4x128x128xbf16>) outs(%0 : tensor<4x128x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.extf %b : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %c, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x128x128xf32>
  return %1 : tensor<4x128x128xf32>
}

// -----

// Matrix units take heads inside as they are; the library, which has one batch, gets copies.
// CHECK-LABEL: func.func @heads
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// LIBRARY-LABEL: func.func @heads
// LIBRARY: %[[Q:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<2x128x4x64xbf16>) outs(%{{.*}} : tensor<2x4x128x64xbf16>)
// LIBRARY: %[[K:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<2x128x4x64xbf16>) outs(%{{.*}} : tensor<2x4x128x64xbf16>)
// LIBRARY: linalg.generic {{.*}} ins(%[[Q]], %[[K]] :
func.func @heads(%q: tensor<2x128x4x64xbf16>, %k: tensor<2x128x4x64xbf16>) -> tensor<2x4x128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x128x128xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x128x128xf32>) -> tensor<2x4x128x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, h, t, s, d) -> (b, t, h, d)>, affine_map<(b, h, t, s, d) -> (b, s, h, d)>, affine_map<(b, h, t, s, d) -> (b, h, t, s)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x128x4x64xbf16>, tensor<2x128x4x64xbf16>) outs(%0 : tensor<2x4x128x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.extf %b : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %c, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<2x4x128x128xf32>
  return %1 : tensor<2x4x128x128xf32>
}

// -----

// The library's result as [batch, rows, columns], and a copy of it in the order that was asked for.
// LIBRARY-LABEL: func.func @batch_last
// LIBRARY: %[[Y:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 :{{.*}} outs(%{{.*}} : tensor<4x128x128xf32>)
// LIBRARY: linalg.generic {{.*}} ins(%[[Y]] : tensor<4x128x128xf32>) outs(%{{.*}} : tensor<128x128x4xf32>)
// Matrix units store elements singly.
// CHECK-LABEL: func.func @batch_last
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @batch_last(%x: tensor<4x128x128xbf16>, %w: tensor<4x128x128xbf16>) -> tensor<128x128x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128x4xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128x4xf32>) -> tensor<128x128x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (m, n, b)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<4x128x128xbf16>, tensor<4x128x128xbf16>) outs(%0 : tensor<128x128x4xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.extf %b : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %c, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<128x128x4xf32>
  return %1 : tensor<128x128x4xf32>
}

// -----

// Fewer than 2^20 multiplications: a copy would take longer.
// CHECK-LABEL: func.func @small
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @small(%x: tensor<64x64x3xbf16>, %w: tensor<3x64x64xbf16>) -> tensor<3x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x64x64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<3x64x64xf32>) -> tensor<3x64x64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k, b)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x64x3xbf16>, tensor<3x64x64xbf16>) outs(%0 : tensor<3x64x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.extf %b : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %c, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<3x64x64xf32>
  return %1 : tensor<3x64x64xf32>
}

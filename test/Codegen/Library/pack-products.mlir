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

// -----

// Windows of every second place, in groups, have more dimensions than a tensor map: they are copied as patches, in which features
// stay side by side and the groups are next to them.
// CHECK-LABEL: func.func @grouped_windows
// CHECK: %[[PATCHES:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<2x29x29x2x48xbf16>) outs(%{{.*}} : tensor<2x14x14x2x3x3x48xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[PATCHES]], %arg1 :
// CHECK-NOT: linalg.generic
// NOTHING-LABEL: func.func @grouped_windows
// NOTHING: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x14x14x2x3x3x48xbf16>)
func.func @grouped_windows(%x: tensor<2x29x29x2x48xbf16>, %w: tensor<3x3x48x2x48xbf16>) -> tensor<2x14x14x2x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x14x14x2x48xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x14x14x2x48xf32>) -> tensor<2x14x14x2x48xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, y, x, g, o, i, j, c) -> (b, y * 2 + i, x * 2 + j, g, c)>, affine_map<(b, y, x, g, o, i, j, c) -> (i, j, c, g, o)>, affine_map<(b, y, x, g, o, i, j, c) -> (b, y, x, g, o)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<2x29x29x2x48xbf16>, tensor<3x3x48x2x48xbf16>) outs(%0 : tensor<2x14x14x2x48xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.extf %b : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %c, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<2x14x14x2x48xf32>
  return %1 : tensor<2x14x14x2x48xf32>
}

// -----

// A number of the patches would be multiplied by two features of a group: not worth their copy.
// CHECK-LABEL: func.func @few_features
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 :
func.func @few_features(%x: tensor<2x29x29x64x2xbf16>, %w: tensor<3x3x2x64x2xbf16>) -> tensor<2x14x14x64x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x14x14x64x2xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2x14x14x64x2xf32>) -> tensor<2x14x14x64x2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, y, x, g, o, i, j, c) -> (b, y * 2 + i, x * 2 + j, g, c)>, affine_map<(b, y, x, g, o, i, j, c) -> (i, j, c, g, o)>, affine_map<(b, y, x, g, o, i, j, c) -> (b, y, x, g, o)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<2x29x29x64x2xbf16>, tensor<3x3x2x64x2xbf16>) outs(%0 : tensor<2x14x14x64x2xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.extf %b : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %c, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<2x14x14x64x2xf32>
  return %1 : tensor<2x14x14x64x2xf32>
}

// -----

// f32 numbers are split into pieces, of which windows are read where they are; where there are none, patches are multiplied.
// CHECK-LABEL: func.func @float_windows
// CHECK-NOT: tensor<32x28x28x3x3x128xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<32x30x30x128xf32>, tensor<3x3x128x128xf32>)
// NOTHING-LABEL: func.func @float_windows
// NOTHING: linalg.generic {{.*}} outs(%{{.*}} : tensor<32x28x28x3x3x128xf32>)
func.func @float_windows(%x: tensor<32x30x30x128xf32>, %w: tensor<3x3x128x128xf32>) -> tensor<32x28x28x128xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x28x28x128xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<32x28x28x128xf32>) -> tensor<32x28x28x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, y, x, o, i, j, c) -> (b, y + i, x + j, c)>, affine_map<(b, y, x, o, i, j, c) -> (i, j, c, o)>, affine_map<(b, y, x, o, i, j, c) -> (b, y, x, o)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<32x30x30x128xf32>, tensor<3x3x128x128xf32>) outs(%0 : tensor<32x28x28x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %2 = arith.mulf %a, %b : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<32x28x28x128xf32>
  return %1 : tensor<32x28x28x128xf32>
}

// -----

// What makes the elements of a factor writes them in the order of the copy, where nothing else reads them.
// CHECK-LABEL: func.func @made_factor
// CHECK: %[[MADE:.*]] = linalg.generic {{.*}} ins(%arg0, %arg2 : tensor<128x128x4xbf16>, tensor<128x128x4xbf16>) outs(%{{.*}} : tensor<4x128x128xbf16>)
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}} ins(%[[MADE]], %arg1 :
// CHECK-NOT: linalg.generic
func.func @made_factor(%x: tensor<128x128x4xbf16>, %w: tensor<4x128x128xbf16>, %y: tensor<128x128x4xbf16>) -> tensor<4x128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<128x128x4xbf16>
  %made = linalg.generic {indexing_maps = [affine_map<(m, k, b) -> (m, k, b)>, affine_map<(m, k, b) -> (m, k, b)>, affine_map<(m, k, b) -> (m, k, b)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %y : tensor<128x128x4xbf16>, tensor<128x128x4xbf16>) outs(%m : tensor<128x128x4xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16):
    %2 = arith.mulf %a, %b : bf16
    linalg.yield %2 : bf16
  } -> tensor<128x128x4xbf16>
  %e = tensor.empty() : tensor<4x128x128xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k, b)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%made, %w : tensor<128x128x4xbf16>, tensor<4x128x128xbf16>) outs(%0 : tensor<4x128x128xf32>) {
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

// A factor that is a result, too, is made once and copied, cheap as it is.
// CHECK-LABEL: func.func @shared_factor
// CHECK: %[[MADE:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<128x128x4xbf16>) outs(%{{.*}} : tensor<128x128x4xbf16>)
// CHECK: %[[COPY:.*]] = linalg.generic {{.*}} ins(%[[MADE]] : tensor<128x128x4xbf16>) outs(%{{.*}} : tensor<4x128x128xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[COPY]], %arg1 :
func.func @shared_factor(%x: tensor<128x128x4xbf16>, %w: tensor<4x128x128xbf16>) -> (tensor<4x128x128xf32>, tensor<128x128x4xbf16>) {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<128x128x4xbf16>
  %made = linalg.generic {indexing_maps = [affine_map<(m, k, b) -> (m, k, b)>, affine_map<(m, k, b) -> (m, k, b)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<128x128x4xbf16>) outs(%m : tensor<128x128x4xbf16>) {
  ^bb0(%a: bf16, %c: bf16):
    %2 = arith.addf %a, %a : bf16
    linalg.yield %2 : bf16
  } -> tensor<128x128x4xbf16>
  %e = tensor.empty() : tensor<4x128x128xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k, b)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%made, %w : tensor<128x128x4xbf16>, tensor<4x128x128xbf16>) outs(%0 : tensor<4x128x128xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %2 = arith.extf %a : bf16 to f32
    %3 = arith.extf %b : bf16 to f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.addf %c, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<4x128x128xf32>
  return %1, %made : tensor<4x128x128xf32>, tensor<128x128x4xbf16>
}

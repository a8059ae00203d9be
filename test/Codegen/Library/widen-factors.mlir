// Products of 8-bit factors become those of bf16, or stay where matrix units of the chip take and add them up as they are.
// RUN: forge-opt %s --forge-widen-factors | FileCheck %s
// RUN: forge-opt %s --forge-widen-factors=chip=sm_80 | FileCheck %s
// RUN: forge-opt %s --forge-widen-factors=chip=sm_90a | FileCheck %s --check-prefix=WGMMA

#l = affine_map<(d0, d1, d2) -> (d0, d2)>
#r = affine_map<(d0, d1, d2) -> (d1, d2)>
#o = affine_map<(d0, d1, d2) -> (d0, d1)>
#rt = affine_map<(d0, d1, d2) -> (d2, d1)>

// CHECK-LABEL: func.func @floats
// CHECK: %[[L:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<128x256xf8E4M3FN>) outs(%{{.*}} : tensor<128x256xbf16>)
// CHECK: arith.extf
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<256x64xf8E4M3FN>)
// CHECK: linalg.generic {{.*}} ins(%[[L]], %[[R]] : tensor<128x256xbf16>, tensor<256x64xbf16>) outs(%{{.*}} : tensor<128x64xf32>)
func.func @floats(%x: tensor<128x256xf8E4M3FN>, %w: tensor<256x64xf8E4M3FN>) -> tensor<128x64xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<128x64xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<128x64xf32>) -> tensor<128x64xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<128x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>) outs(%1 : tensor<128x64xf32>) -> tensor<128x64xf32>
  return %2 : tensor<128x64xf32>
}

// 1,024 terms of a signed and an unsigned factor are two parts of 512.
// CHECK-LABEL: func.func @integers
// CHECK: arith.sitofp
// CHECK: arith.uitofp
// CHECK-DAG: tensor.expand_shape {{.*}} output_shape [64, 2, 512] : tensor<64x1024xbf16>
// CHECK-DAG: tensor.expand_shape {{.*}} output_shape [32, 2, 512] : tensor<32x1024xbf16>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x64x32xf32>)
// CHECK: linalg.generic {{.*}}["reduction", "parallel", "parallel"]} ins(%[[SUMS]]
// CHECK: arith.fptosi
// CHECK: arith.addi
func.func @integers(%x: tensor<64x1024xi8>, %w: tensor<32x1024xi8>) -> tensor<64x32xi32> {
  %c = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<64x32xi32>
  %1 = linalg.fill ins(%c : i32) outs(%0 : tensor<64x32xi32>) -> tensor<64x32xi32>
  %2 = linalg.generic {indexing_maps = [#l, #r, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<64x1024xi8>, tensor<32x1024xi8>) outs(%1 : tensor<64x32xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %3 = arith.extsi %a : i8 to i32
    %4 = arith.extui %b : i8 to i32
    %5 = arith.muli %3, %4 : i32
    %6 = arith.addi %s, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<64x32xi32>
  return %2 : tensor<64x32xi32>
}

// A prime number of terms has no parts; few rows are not worth it; sums that begin with a number stay.
// CHECK-LABEL: func.func @prime
// CHECK-NOT: bf16
// CHECK: return
func.func @prime(%x: tensor<64x1031xi8>, %w: tensor<1031x64xi8>) -> tensor<64x64xi32> {
  %c = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<64x64xi32>
  %1 = linalg.fill ins(%c : i32) outs(%0 : tensor<64x64xi32>) -> tensor<64x64xi32>
  %2 = linalg.matmul ins(%x, %w : tensor<64x1031xi8>, tensor<1031x64xi8>) outs(%1 : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %2 : tensor<64x64xi32>
}
// CHECK-LABEL: func.func @few
// CHECK-NOT: bf16
// CHECK: return
func.func @few(%x: tensor<8x4096xi8>, %w: tensor<4096x64xi8>) -> tensor<8x64xi32> {
  %c = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<8x64xi32>
  %1 = linalg.fill ins(%c : i32) outs(%0 : tensor<8x64xi32>) -> tensor<8x64xi32>
  %2 = linalg.matmul ins(%x, %w : tensor<8x4096xi8>, tensor<4096x64xi8>) outs(%1 : tensor<8x64xi32>) -> tensor<8x64xi32>
  return %2 : tensor<8x64xi32>
}
// CHECK-LABEL: func.func @from_one
// CHECK-NOT: bf16
// CHECK: return
func.func @from_one(%x: tensor<64x256xi8>, %w: tensor<256x64xi8>) -> tensor<64x64xi32> {
  %c = arith.constant 1 : i32
  %0 = tensor.empty() : tensor<64x64xi32>
  %1 = linalg.fill ins(%c : i32) outs(%0 : tensor<64x64xi32>) -> tensor<64x64xi32>
  %2 = linalg.matmul ins(%x, %w : tensor<64x256xi8>, tensor<256x64xi8>) outs(%1 : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %2 : tensor<64x64xi32>
}

// Without a chip that has wgmma floats are widened with and without leave.
// CHECK-LABEL: func.func @unit_sums
// CHECK: ins(%{{.*}}, %{{.*}} : tensor<128x256xbf16>, tensor<256x128xbf16>)
// With it, these keep their bits; the terms of the right factor are not innermost.
// WGMMA-LABEL: func.func @floats
// WGMMA: ins(%{{.*}}, %{{.*}} : tensor<128x256xbf16>, tensor<256x64xbf16>)
// WGMMA-LABEL: func.func @integers
// WGMMA: ins(%{{.*}}, %{{.*}} : tensor<64x2x512xbf16>, tensor<32x2x512xbf16>)
// WGMMA-LABEL: func.func @unit_sums
// WGMMA: %[[W:.*]] = linalg.generic {indexing_maps = [#[[FROM:.*]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<256x128xf8E5M2>) outs(%{{.*}} : tensor<128x256xf8E5M2>)
// WGMMA: linalg.generic {{.*}} ins(%arg0, %[[W]] : tensor<128x256xf8E4M3FN>, tensor<128x256xf8E5M2>) outs(%{{.*}} : tensor<128x128xf32>)
// WGMMA: arith.mulf {{.*}} {forge.unit_sums}
func.func @unit_sums(%x: tensor<128x256xf8E4M3FN>, %w: tensor<256x128xf8E5M2>) -> tensor<128x128xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<128x128xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = linalg.generic {indexing_maps = [#l, #rt, #o], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<128x256xf8E4M3FN>, tensor<256x128xf8E5M2>) outs(%1 : tensor<128x128xf32>) {
  ^bb0(%a: f8E4M3FN, %b: f8E5M2, %s: f32):
    %3 = arith.extf %a : f8E4M3FN to f32
    %4 = arith.extf %b : f8E5M2 to f32
    %5 = arith.mulf %3, %4 {forge.unit_sums} : f32
    %6 = arith.addf %s, %5 : f32
    linalg.yield %6 : f32
  } -> tensor<128x128xf32>
  return %2 : tensor<128x128xf32>
}
// Signed integers are exact by either way.
// WGMMA-LABEL: func.func @signed
// WGMMA-NOT: bf16
// WGMMA: linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<64x1024xi8>, tensor<64x1024xi8>) outs(%{{.*}} : tensor<64x64xi32>)
// WGMMA: return
func.func @signed(%x: tensor<64x1024xi8>, %w: tensor<1024x64xi8>) -> tensor<64x64xi32> {
  %c = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<64x64xi32>
  %1 = linalg.fill ins(%c : i32) outs(%0 : tensor<64x64xi32>) -> tensor<64x64xi32>
  %2 = linalg.matmul ins(%x, %w : tensor<64x1024xi8>, tensor<1024x64xi8>) outs(%1 : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %2 : tensor<64x64xi32>
}

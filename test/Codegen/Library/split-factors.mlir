// RUN: forge-opt %s --forge-split-factors | FileCheck %s
// RUN: forge-opt %s --forge-split-factors=library=never | FileCheck %s
// What the library takes is left to it where it is preferred, and other chips have no products by warpgroups.
// RUN: forge-opt %s --forge-split-factors=library=prefer | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %s --forge-split-factors=chip=sm_80 | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %s --forge-split-factors=chip=gfx942 | FileCheck %s --check-prefix=NONE
// RUN: not forge-opt %s --forge-split-factors=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not forge-opt %s --forge-split-factors=library=always 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not forge-opt %s --forge-split-factors=worth=nan 2>&1 | FileCheck %s --check-prefix=WORTH
// NONE-NOT: bf16
// CHIP: error: unknown chip 'sm_1'
// LIBRARY: error: expected prefer, cost or never as library, but got 'always'
// WORTH: error: expected worth of 0 or more, but got nan

#id = affine_map<(d0, d1) -> (d0, d1)>

// The pieces of a factor: the first of a number that is not infinite is not, either.
// CHECK-LABEL: func.func @product
// CHECK: %[[P:.*]]:3 = linalg.generic {{.*}} ins(%arg0 : tensor<2048x1024xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: bf16, %{{.*}}: bf16, %{{.*}}: bf16):
// CHECK: %[[LOW:.*]] = arith.minimumf %[[X]], %{{.*}} : f32
// CHECK: %[[HIGH:.*]] = arith.maximumf %[[LOW]], %{{.*}} : f32
// CHECK: %[[P0:.*]] = arith.truncf %[[HIGH]] : f32 to bf16
// CHECK: %[[W0:.*]] = arith.extf %[[P0]]
// CHECK: %[[R0:.*]] = arith.subf %[[X]], %[[W0]]
// CHECK: %[[P1:.*]] = arith.truncf %[[R0]]
// CHECK: %[[W1:.*]] = arith.extf %[[P1]]
// CHECK: %[[R1:.*]] = arith.subf %[[R0]], %[[W1]]
// CHECK: %[[ORD:.*]] = arith.cmpf ord, %[[R1]], %[[R1]]
// CHECK: %[[S:.*]] = arith.select %[[ORD]], %[[R1]], %{{.*}}
// CHECK: %[[P2:.*]] = arith.truncf %[[S]]
// CHECK: linalg.yield %[[P0]], %[[P1]], %[[P2]]
// CHECK: %[[Q:.*]]:3 = linalg.generic {{.*}} ins(%arg1 : tensor<1024x2048xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[P]]#0, %[[P]]#1, %[[P]]#2, %[[Q]]#0, %[[Q]]#1, %[[Q]]#2 :
// CHECK-COUNT-2: arith.addf
// CHECK-COUNT-2: arith.addf
// CHECK: arith.mulf {{.*}} {forge.pieces}
// CHECK: arith.addf
func.func @product(%x: tensor<2048x1024xf32>, %w: tensor<1024x2048xf32>) -> tensor<2048x2048xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2048x2048xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<2048x1024xf32>, tensor<1024x2048xf32>) outs(%1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %2 : tensor<2048x2048xf32>
}

// In a function of several blocks pieces are made behind their factor. Of what was tried nothing is left.
// CHECK-LABEL: func.func @blocks
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<2048x1024xbf16>, tensor<2048x1024xbf16>, tensor<2048x1024xbf16>)
// CHECK: cf.br
// CHECK-NOT: expand_shape
// CHECK: linalg.generic {{.*}}"reduction"]}
func.func @blocks(%x: tensor<2048x1024xf32>, %w: tensor<1024x2048xf32>) -> tensor<2048x2048xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x1024xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2048x1024xf32>) outs(%e : tensor<2048x1024xf32>) {
  ^bb0(%a: f32, %u: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<2048x1024xf32>
  cf.br ^bb1
^bb1:
  %0 = tensor.empty() : tensor<2048x2048xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %2 = linalg.matmul ins(%y, %w : tensor<2048x1024xf32>, tensor<1024x2048xf32>) outs(%1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %2 : tensor<2048x2048xf32>
}

// CHECK-LABEL: func.func @huge
// CHECK-NOT: bf16
// CHECK: return
func.func @huge(%x: tensor<4294967296x64xf32>, %w: tensor<64x4294967296xf32>) -> tensor<4294967296x4294967296xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<4294967296x4294967296xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<4294967296x64xf32>, tensor<64x4294967296xf32>) outs(%1 : tensor<4294967296x4294967296xf32>) -> tensor<4294967296x4294967296xf32>
  return %2 : tensor<4294967296x4294967296xf32>
}

// Too small: making the pieces would take longer.
// CHECK-LABEL: func.func @small
// CHECK-NOT: bf16
// CHECK: return
func.func @small(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<128x128xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<128x128xf32>) -> tensor<128x128xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %2 : tensor<128x128xf32>
}

// Tensor maps want rows of multiples of 16 bytes.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: bf16
// CHECK: return
func.func @odd(%x: tensor<2048x1023xf32>, %w: tensor<1023x2048xf32>) -> tensor<2048x2048xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<2048x2048xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %2 = linalg.matmul ins(%x, %w : tensor<2048x1023xf32>, tensor<1023x2048xf32>) outs(%1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  return %2 : tensor<2048x2048xf32>
}

// Two contractions read the pieces of one factor, reshaped for one of them; what computes it elementwise makes them.
// CHECK-LABEL: func.func @shared
// CHECK: %[[Y:.*]]:3 = linalg.generic {{.*}} ins(%arg0 : tensor<2048x1024xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: math.absf
// CHECK: linalg.yield %{{.*}}, %{{.*}}, %{{.*}} : bf16, bf16, bf16
// CHECK-NOT: ins(%arg0
// CHECK: linalg.generic {{.*}} ins(%[[Y]]#0, %[[Y]]#1, %[[Y]]#2,
// CHECK-COUNT-3: tensor.expand_shape %[[Y]]#
// CHECK: linalg.generic {{.*}}tensor<16x128x1024xbf16>, tensor<16x128x1024xbf16>, tensor<16x128x1024xbf16>
// CHECK-NOT: linalg.matmul
// CHECK: return
func.func @shared(%x: tensor<2048x1024xf32>, %w: tensor<1024x2048xf32>, %v: tensor<16x1024x512xf32>) -> (tensor<2048x2048xf32>, tensor<16x128x512xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x1024xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2048x1024xf32>) outs(%e : tensor<2048x1024xf32>) {
  ^bb0(%a: f32, %u: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<2048x1024xf32>
  %0 = tensor.empty() : tensor<2048x2048xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %2 = linalg.matmul ins(%y, %w : tensor<2048x1024xf32>, tensor<1024x2048xf32>) outs(%1 : tensor<2048x2048xf32>) -> tensor<2048x2048xf32>
  %z = tensor.expand_shape %y [[0, 1], [2]] output_shape [16, 128, 1024] : tensor<2048x1024xf32> into tensor<16x128x1024xf32>
  %3 = tensor.empty() : tensor<16x128x512xf32>
  %4 = linalg.fill ins(%c : f32) outs(%3 : tensor<16x128x512xf32>) -> tensor<16x128x512xf32>
  %5 = linalg.batch_matmul ins(%z, %v : tensor<16x128x1024xf32>, tensor<16x1024x512xf32>) outs(%4 : tensor<16x128x512xf32>) -> tensor<16x128x512xf32>
  return %2, %5 : tensor<2048x2048xf32>, tensor<16x128x512xf32>
}

// The matrix does not change in the loop.
// CHECK-LABEL: func.func @loop
// CHECK: linalg.generic {{.*}} ins(%arg1 : tensor<1024x1024xf32>)
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2048x1024xf32>) outs({{.*}}tensor<2048x1024xbf16>
// CHECK: linalg.generic {{.*}}"reduction"]}
func.func @loop(%x: tensor<2048x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<2048x1024xf32> {
  %c = arith.constant 0.0 : f32
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %r = scf.for %i = %zero to %four step %one iter_args(%y = %x) -> (tensor<2048x1024xf32>) {
    %0 = tensor.empty() : tensor<2048x1024xf32>
    %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    %2 = linalg.matmul ins(%y, %w : tensor<2048x1024xf32>, tensor<1024x1024xf32>) outs(%1 : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    scf.yield %2 : tensor<2048x1024xf32>
  }
  return %r : tensor<2048x1024xf32>
}

// Few tiles of many terms: the terms in parts.
// CHECK-LABEL: func.func @parts
// CHECK: linalg.generic {{.*}}"parallel", "parallel", "parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<[[PARTS:8|16]]x512x512xf32>)
// CHECK: linalg.generic {{.*}}["reduction", "parallel", "parallel"]} ins(%{{.*}} : tensor<[[PARTS]]x512x512xf32>) outs(%{{.*}} : tensor<512x512xf32>)
func.func @parts(%x: tensor<65536x512xf32>, %w: tensor<65536x512xf32>) -> tensor<512x512xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<512x512xf32>
  %1 = linalg.fill ins(%c : f32) outs(%0 : tensor<512x512xf32>) -> tensor<512x512xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<65536x512xf32>, tensor<65536x512xf32>) outs(%1 : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  } -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}

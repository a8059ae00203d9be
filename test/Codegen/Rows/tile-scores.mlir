// RUN: forge-opt --forge-pipeline="target=cpu to=fuse" %s | forge-opt --pass-pipeline="builtin.module(func.func(forge-tile-scores{tile-bytes=65536}))" | FileCheck %s

// Masks, softmax and both products are one loop over heads and tiles of 64 rows; no matrix of scores is outside, and
// the reshapes that merged the batch dimensions are gone.
// CHECK-LABEL: func.func @causal
// CHECK-NOT: tensor<{{.*}}256x256xf32>
// CHECK: scf.forall (%{{.*}}, %[[I:.*]]) = (0, 0) to (6, 256) step (1, 64)
// CHECK-NOT: tensor<{{.*}}256x256xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x64x256xf32>)
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x1x64x16xf32>)
// CHECK: scf.forall.in_parallel
// CHECK: #forge.schedule<strategy = scores, tile = [1, 1, 64, 0]>
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @causal(%q: tensor<1x6x256x16xf32>, %k: tensor<1x6x256x16xf32>, %v: tensor<1x6x256x16xf32>) -> tensor<1x6x256x16xf32> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x6x256x16xf32>, tensor<1x6x256x16xf32>, tensor<1x6x256x16xf32>) -> tensor<1x6x256x16xf32>
  return %0 : tensor<1x6x256x16xf32>
}

// Few rows: the matrix is as small as its factors.
// CHECK-LABEL: func.func @few_rows
// CHECK-NOT: strategy = scores
func.func @few_rows(%q: tensor<1x6x8x16xf32>, %k: tensor<1x6x4096x16xf32>, %v: tensor<1x6x4096x16xf32>) -> tensor<1x6x8x16xf32> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x6x8x16xf32>, tensor<1x6x4096x16xf32>, tensor<1x6x4096x16xf32>) -> tensor<1x6x8x16xf32>
  return %0 : tensor<1x6x8x16xf32>
}

// Sizes that are not known.
// CHECK-LABEL: func.func @dynamic
// CHECK-NOT: strategy = scores
func.func @dynamic(%q: tensor<1x6x?x16xf32>, %k: tensor<1x6x?x16xf32>, %v: tensor<1x6x?x16xf32>) -> tensor<1x6x?x16xf32> {
  %0 = transformer.attention %q, %k, %v : (tensor<1x6x?x16xf32>, tensor<1x6x?x16xf32>, tensor<1x6x?x16xf32>) -> tensor<1x6x?x16xf32>
  return %0 : tensor<1x6x?x16xf32>
}

// No reduction between the products: rows need not be complete.
// CHECK-LABEL: func.func @mlp
// CHECK-NOT: strategy = scores
func.func @mlp(%x: tensor<4x256x64xf32>, %u: tensor<4x64x256xf32>, %d: tensor<4x256x64xf32>) -> tensor<4x256x64xf32> {
  %h = stablehlo.dot_general %x, %u, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x256x64xf32>, tensor<4x64x256xf32>) -> tensor<4x256x256xf32>
  %a = stablehlo.tanh %h : tensor<4x256x256xf32>
  %y = stablehlo.dot_general %a, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<4x256x256xf32>, tensor<4x256x64xf32>) -> tensor<4x256x64xf32>
  return %y : tensor<4x256x64xf32>
}

// What reads the weights afterwards needs them in memory: an output, or a gradient.
// CHECK-LABEL: func.func @weights_returned
// CHECK-NOT: strategy = scores
func.func @weights_returned(%q: tensor<6x256x16xf32>, %v: tensor<6x256x16xf32>) -> (tensor<6x256x16xf32>, tensor<6x256x256xf32>) {
  %s = stablehlo.dot_general %q, %q, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<6x256x16xf32>, tensor<6x256x16xf32>) -> tensor<6x256x256xf32>
  %w = transformer.softmax %s {dimension = 2 : i64} : tensor<6x256x256xf32>
  %y = stablehlo.dot_general %w, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x256x256xf32>, tensor<6x256x16xf32>) -> tensor<6x256x16xf32>
  return %y, %w : tensor<6x256x16xf32>, tensor<6x256x256xf32>
}

// No sequences, and no rows: nothing to divide into tiles.
// CHECK-LABEL: func.func @empty
// CHECK-NOT: strategy = scores
func.func @empty(%q: tensor<0x2x256x16xf32>, %r: tensor<1x2x0x16xf32>, %k: tensor<1x2x256x16xf32>) -> (tensor<0x2x256x16xf32>, tensor<1x2x0x16xf32>) {
  %0 = transformer.attention %q, %q, %q : (tensor<0x2x256x16xf32>, tensor<0x2x256x16xf32>, tensor<0x2x256x16xf32>) -> tensor<0x2x256x16xf32>
  %1 = transformer.attention %r, %k, %k : (tensor<1x2x0x16xf32>, tensor<1x2x256x16xf32>, tensor<1x2x256x16xf32>) -> tensor<1x2x0x16xf32>
  return %0, %1 : tensor<0x2x256x16xf32>, tensor<1x2x0x16xf32>
}

// Attention of two sizes in one function: neither matrix of scores is in memory.
// CHECK-LABEL: func.func @two_sizes
// CHECK-NOT: tensor<{{.*}}256x256xf32>
// CHECK-NOT: tensor<{{.*}}512x512xf32>
// CHECK: scf.forall {{.*}} to (4, 256)
// CHECK-NOT: tensor<{{.*}}256x256xf32>
// CHECK-NOT: tensor<{{.*}}512x512xf32>
// CHECK: scf.forall {{.*}} to (4, 512)
// CHECK-NOT: tensor<{{.*}}512x512xf32>
// CHECK: return
func.func @two_sizes(%q: tensor<1x4x256x16xf32>, %k: tensor<1x4x256x16xf32>, %r: tensor<1x4x512x32xf32>, %l: tensor<1x4x512x32xf32>) -> (tensor<1x4x256x16xf32>, tensor<1x4x512x32xf32>) {
  %0 = transformer.attention %q, %k, %k {causal} : (tensor<1x4x256x16xf32>, tensor<1x4x256x16xf32>, tensor<1x4x256x16xf32>) -> tensor<1x4x256x16xf32>
  %1 = transformer.attention %r, %l, %l : (tensor<1x4x512x32xf32>, tensor<1x4x512x32xf32>, tensor<1x4x512x32xf32>) -> tensor<1x4x512x32xf32>
  return %0, %1 : tensor<1x4x256x16xf32>, tensor<1x4x512x32xf32>
}

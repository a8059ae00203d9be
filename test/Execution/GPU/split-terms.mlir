// Long sums with one or two tiles: parts of the terms on many multiprocessors, then the sum of the parts with what follows.
// RUN: forge compile %s --function gradient --target sim:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge verify %s --function gradient --target sim:sm_90a
// RUN: forge verify %s --function follow --target sim:sm_90a
// RUN: forge verify %s --function single --target sim:sm_90a
// RUN: forge compile %s --function single --target sim:sm_90a --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge compile %s --function single --target sim:gfx942 --to kernels -o - | FileCheck %s --check-prefix=TILES
// RUN: forge verify %s --function single --target sim:gfx942
// RUN: forge verify %s --function single --target sim:sm_80
// RUN: forge verify %s --function batch --target sim:sm_90a

// CHECK: func.func private @contraction({{.*}} -> tensor<[[PARTS:[0-9]+]]x64x64xf32> {{.*}}strategy = wgmma
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]} ins(%{{.*}} : tensor<[[PARTS]]x64x64xf32>)
func.func @gradient(%x: tensor<8x1024x64xbf16>, %d: tensor<8x1024x64xbf16>) -> tensor<64x64xbf16> {
  %0 = stablehlo.dot_general %x, %d, contracting_dims = [0, 1] x [0, 1] : (tensor<8x1024x64xbf16>, tensor<8x1024x64xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

func.func @follow(%x: tensor<64x8192xf16>, %w: tensor<8192x64xf16>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x8192xf16>, tensor<8192x64xf16>) -> tensor<64x64xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x64xf32>
  %3 = stablehlo.tanh %2 : tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}

// f32 factors, by f32 instructions.
// TILES: func.func private @contraction({{.*}} -> tensor<[[PARTS:[0-9]+]]x64x64xf32> {{.*}}strategy = tiles
// TILES: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]} ins(%{{.*}} : tensor<[[PARTS]]x64x64xf32>)
func.func @single(%x: tensor<2048x64xf32>, %d: tensor<2048x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// Of a batch.
func.func @batch(%x: tensor<4x16x2048xf32>, %d: tensor<4x2048x16xf32>) -> tensor<4x16x16xf32> {
  %0 = stablehlo.dot_general %x, %d, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x16x2048xf32>, tensor<4x2048x16xf32>) -> tensor<4x16x16xf32>
  return %0 : tensor<4x16x16xf32>
}

// A thread computes several neighbouring elements where all operands that differ between them have them side by side, and reads several
// neighbouring steps of a reduction at once.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s
// RUN: forge verify %s --function depthwise --target sim:sm_90a
// RUN: forge verify %s --function depthwise --target sim:gfx942
// RUN: forge verify %s --function pool --target sim:sm_90a
// RUN: forge verify %s --function states --target sim:sm_90a
// RUN: forge verify %s --function states --target sim:gfx942
// RUN: forge verify %s --function shared_states --target sim:sm_90a

// Eight features at a time: 16 bytes of image and kernel each time.
// CHECK: gpu.func @convolution
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<2x66x66x64xbf16>, vector<8xbf16>
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<3x3x64xbf16>, vector<8xbf16>
// CHECK-COUNT-8: arith.mulf
// CHECK: vector.store {{.*}} vector<8xf32>
func.func @depthwise(%x: tensor<2x66x66x64xbf16>, %k: tensor<3x3x1x64xbf16>) -> tensor<2x64x64x64xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 64 : i64} : (tensor<2x66x66x64xbf16>, tensor<3x3x1x64xbf16>) -> tensor<2x64x64x64xf32>
  return %0 : tensor<2x64x64x64xf32>
}

// -----

// CHECK: gpu.func @reduce
// CHECK: vector.load {{.*}} : memref<2x66x66x64xbf16>, vector<8xbf16>
// CHECK: vector.store {{.*}} : memref<2x64x64x64xbf16>, vector<8xbf16>
func.func @pool(%x: tensor<2x66x66x64xbf16>) -> tensor<2x64x64x64xbf16> {
  %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 1, 3, 3, 1>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %m = stablehlo.maximum %p, %q : tensor<bf16>
    stablehlo.return %m : tensor<bf16>
  }) : (tensor<2x66x66x64xbf16>, tensor<bf16>) -> tensor<2x64x64x64xbf16>
  return %0 : tensor<2x64x64x64xbf16>
}

// -----

// Windows along the line: neighbours overlap.
// CHECK: gpu.func @reduce
// CHECK-NOT: vector.load
// CHECK: gpu.return
func.func @line(%x: tensor<64x8194xbf16>) -> tensor<64x8192xbf16> {
  %low = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %low) <{window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %m = stablehlo.maximum %p, %q : tensor<bf16>
    stablehlo.return %m : tensor<bf16>
  }) : (tensor<64x8194xbf16>, tensor<bf16>) -> tensor<64x8192xbf16>
  return %0 : tensor<64x8192xbf16>
}

// -----

// Steps of a reduction along memory, too: four at a time, added in their order.
// CHECK: gpu.func @reduce
// CHECK: scf.for
// CHECK: scf.for {{.*}} step %c4
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<8x64x12xf32>, vector<4xf32>
// CHECK-COUNT-4: arith.addf
// CHECK: gpu.return
func.func @states(%x: tensor<8x64x12xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x64x12xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Where threads share the outer loop.
// CHECK: gpu.func @reduce
// CHECK: vector.load {{.*}} : memref<64x40x12xf32>, vector<4xf32>
// CHECK: gpu.return
func.func @shared_states(%x: tensor<64x40x12xf32>) -> tensor<40xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<64x40x12xf32>, tensor<f32>) -> tensor<40xf32>
  return %0 : tensor<40xf32>
}

// -----

// Three at a time are no vector.
// CHECK: gpu.func @reduce
// CHECK-NOT: vector.load
// CHECK: gpu.return
func.func @odd_states(%x: tensor<8x64x15xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x64x15xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

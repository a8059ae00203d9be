// A thread computes several results whose windows overlap, and reads what they share once; the epilogue is computed from results in registers.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s
// RUN: forge verify %s --function depthwise --target sim:sm_90a
// RUN: forge verify %s --function depthwise --target sim:gfx942
// RUN: forge verify %s --function strided --target sim:sm_90a
// RUN: forge verify %s --function prime --target sim:sm_90a
// RUN: forge verify %s --function features_first --target sim:sm_90a
// RUN: forge verify %s --function features_first --target sim:gfx942
// RUN: forge verify %s --function weights --target sim:sm_90a
// RUN: forge verify %s --function weights --target sim:gfx1100

// Eight positions of eight features: of each row of the kernel, fourteen columns of the image and seven of the kernel. Fewer positions in all
// would be too few threads for a chip, but two rows of the kernel are a loop as seven are, and verified in a third of the time.
// CHECK: gpu.func @contraction
// CHECK: scf.for
// CHECK-COUNT-21: vector.load {{.*}}, vector<8xbf16>
// CHECK-NOT: vector.load
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: vector.load {{.*}}vector<8xbf16>
// CHECK-COUNT-8: vector.store {{.*}} vector<8xbf16>
// CHECK-NOT: vector.store
// CHECK: gpu.return
func.func @depthwise(%x: tensor<8x33x38x128xbf16>, %k: tensor<2x7x1x128xbf16>, %bias: tensor<128xbf16>) -> tensor<8x32x32x128xbf16> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 128 : i64} : (tensor<8x33x38x128xbf16>, tensor<2x7x1x128xbf16>) -> tensor<8x32x32x128xbf16>
  %1 = stablehlo.broadcast_in_dim %bias, dims = [3] : (tensor<128xbf16>) -> tensor<8x32x32x128xbf16>
  %2 = stablehlo.add %0, %1 : tensor<8x32x32x128xbf16>
  return %2 : tensor<8x32x32x128xbf16>
}

// -----

// Windows two apart share less: eight positions read seventeen columns.
// CHECK: gpu.func @convolution
// CHECK-COUNT-17: vector.load {{.*}}memref<16x17x65x256xbf16>, vector<8xbf16>
// CHECK-NOT: vector.load {{.*}}memref<16x17x65x256xbf16>
// CHECK: gpu.return
func.func @strided(%x: tensor<16x17x65x256xbf16>, %k: tensor<3x3x1x256xbf16>) -> tensor<16x8x32x256xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 256 : i64} : (tensor<16x17x65x256xbf16>, tensor<3x3x1x256xbf16>) -> tensor<16x8x32x256xf32>
  return %0 : tensor<16x8x32x256xf32>
}

// -----

// Eleven positions are twice six: the second tile begins at the sixth one, which only the first tile stores.
// CHECK: gpu.func @convolution
// CHECK: %[[BEFORE:.*]] = arith.cmpi ule, %[[FIRST:.*]], %c5
// CHECK: arith.minui %[[FIRST]], %c5
// CHECK-COUNT-8: vector.load {{.*}}memref<32x13x13x256xbf16>, vector<8xbf16>
// CHECK-NOT: vector.load {{.*}}memref<32x13x13x256xbf16>
// CHECK: scf.if %[[BEFORE]] {
// CHECK-NEXT: vector.from_elements
// CHECK-NEXT: vector.store {{.*}} vector<8xf32>
// CHECK-NEXT: }
// CHECK-COUNT-5: vector.store {{.*}} vector<8xf32>
// CHECK-NOT: vector.store
// CHECK: gpu.return
func.func @prime(%x: tensor<32x13x13x256xbf16>, %k: tensor<3x3x1x256xbf16>) -> tensor<32x11x11x256xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 256 : i64} : (tensor<32x13x13x256xbf16>, tensor<3x3x1x256xbf16>) -> tensor<32x11x11x256xf32>
  return %0 : tensor<32x11x11x256xf32>
}

// -----

// Features in front of the places: neighbouring threads have neighbouring columns, which they read side by side,
// and the positions of a thread are rows. Eight of them read ten rows of the image and three of the kernel for each of its five columns.
// CHECK: gpu.func @convolution
// CHECK: scf.for %{{.*}} = %c0 to %c5
// CHECK-COUNT-10: memref.load %{{.*}} : memref<4x32x34x36xbf16>
// CHECK-NOT: memref.load %{{.*}} : memref<4x32x34x36xbf16>
// CHECK: scf.yield
// CHECK-NOT: scf.for
// CHECK: gpu.return
func.func @features_first(%x: tensor<4x32x34x36xbf16>, %k: tensor<32x1x3x5xbf16>) -> tensor<4x32x32x32xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<4x32x34x36xbf16>, tensor<32x1x3x5xbf16>) -> tensor<4x32x32x32xf32>
  return %0 : tensor<4x32x32x32xf32>
}

// -----

// The gradient of a depthwise convolution's weights: windows of a kernel's columns move along those of the images. Partial sums, then their sum.
// CHECK: gpu.func @convolution(%{{.*}}: memref<16x32x34x128xbf16>, %{{.*}}: memref<16x15x2x32x128xbf16>, %{{.*}}: memref<16x15x3x3x128xf32>)
// CHECK-COUNT-66: vector.load {{.*}}, vector<4xbf16>
// CHECK-NOT: vector.load
// CHECK-COUNT-3: vector.store {{.*}} vector<4xf32>
// CHECK: gpu.func @reduce
// CHECK: gpu.return
func.func @weights(%x: tensor<16x32x34x128xbf16>, %dy: tensor<16x30x32x128xbf16>) -> tensor<3x3x1x128xbf16> {
  %0 = stablehlo.convolution(%x, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {} {batch_group_count = 128 : i64, feature_group_count = 1 : i64} : (tensor<16x32x34x128xbf16>, tensor<16x30x32x128xbf16>) -> tensor<3x3x1x128xbf16>
  return %0 : tensor<3x3x1x128xbf16>
}

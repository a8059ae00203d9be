// Threads that share sums of columns have columns side by side, also where another operand has a number for each step of the
// sum. Each has 32 steps or more.
// RUN: forge compile %s --function centred --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=CENTRED
// RUN: forge verify %s --function centred --target sim:sm_90a
// CENTRED: %[[THREAD:.*]] = gpu.thread_id x
// CENTRED: %[[PART:.*]] = arith.divui %[[THREAD]], %c16 : index
// CENTRED: %[[COLUMN:.*]] = arith.remui %[[THREAD]], %c16 : index
// CENTRED: scf.for %[[ROW:.*]] = %[[PART]] to %c512 step %c16
// CENTRED: memref.load %{{.*}}[%[[ROW]], %{{.*}}] : memref<512x8192xf32>
func.func @centred(%x: tensor<512x8192xf32>, %mean: tensor<512xf32>) -> tensor<8192xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<512xf32>) -> tensor<512x8192xf32>
  %1 = stablehlo.subtract %x, %0 : tensor<512x8192xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x8192xf32>, tensor<f32>) -> tensor<8192xf32>
  return %2 : tensor<8192xf32>
}

// Every element of a table of 64 KB is read by 64 rows: that the states of a row are side by side along the sum does not count
// for more than the columns of the table.
// RUN: forge compile %s --function states --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=STATES
// RUN: forge verify %s --function states --target sim:sm_90a
// STATES: %[[THREAD:.*]] = gpu.thread_id x
// STATES: %[[PART:.*]] = arith.divui %[[THREAD]], %c64 : index
// STATES: scf.for %{{.*}} = %[[PART]] to %c128 step %c4
func.func @states(%state: tensor<64x128xf32>, %table: tensor<128x128xf32>) -> tensor<64x128xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %state, dims = [0, 1] : (tensor<64x128xf32>) -> tensor<64x128x128xf32>
  %1 = stablehlo.broadcast_in_dim %table, dims = [1, 2] : (tensor<128x128xf32>) -> tensor<64x128x128xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x128x128xf32>
  %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x128x128xf32>, tensor<f32>) -> tensor<64x128xf32>
  return %3 : tensor<64x128xf32>
}

// The sums are in another order than what is added up: threads side by side read neighbours, and write their sums apart. A number
// for each sum, which is read once, does not change that.
// RUN: forge compile %s --function turned --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TURNED
// RUN: forge verify %s --function turned --target sim:sm_90a
// RUN: forge verify %s --function turned --target sim:gfx942
// TURNED: %[[THREAD:.*]] = gpu.thread_id x
// TURNED: %[[ELEMENT:.*]] = arith.remui %[[THREAD]], %c64
// TURNED: %[[NUMBER:.*]] = arith.minui
// TURNED: %[[NARROW:.*]] = arith.index_cast %[[NUMBER]]
// TURNED: %[[SIDE:.*]] = arith.remui %[[NARROW]], %c96_i32
// TURNED: %[[INNER:.*]] = arith.index_cast %[[SIDE]]
// TURNED: memref.load %{{.*}}[%{{.*}}, %{{.*}}, %[[INNER]]] : memref<128x64x96xbf16>
func.func @turned(%x: tensor<128x64x96xbf16>, %mean: tensor<96x64xf32>) -> tensor<96x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<128x64x96xbf16>) -> tensor<128x64x96xf32>
  %1 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<128x64x96xf32>) -> tensor<96x64x128xf32>
  %2 = stablehlo.broadcast_in_dim %mean, dims = [0, 1] : (tensor<96x64xf32>) -> tensor<96x64x128xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<96x64x128xf32>
  %4 = stablehlo.multiply %3, %3 : tensor<96x64x128xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<96x64x128xf32>, tensor<f32>) -> tensor<96x64xf32>
  return %5 : tensor<96x64xf32>
}

// Elements of which ten are side by side, then ten of the next group, are neighbours all the same, and a number for each group is
// read once.
// RUN: forge compile %s --function groups --target sim:sm_90a --to gpu -o - | FileCheck %s --check-prefix=GROUPS
// Two of them are a word, and a thread's.
// GROUPS: %[[THREAD:.*]] = gpu.thread_id x
// GROUPS: %[[PART:.*]] = arith.divui %[[THREAD]], %c16 : index
// GROUPS: scf.for %{{.*}} = %[[PART]] to %c512 step %c16
// GROUPS: vector.load {{.*}} : memref<16x512x32x10xbf16>, vector<2xbf16>
// RUN: forge verify %s --function groups --target sim:sm_90a
// RUN: forge verify %s --function groups --target sim:gfx942
func.func @groups(%x: tensor<16x512x32x10xbf16>, %mean: tensor<16x32xf32>) -> tensor<16x32x10xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.convert %x : (tensor<16x512x32x10xbf16>) -> tensor<16x512x32x10xf32>
  %1 = stablehlo.broadcast_in_dim %mean, dims = [0, 2] : (tensor<16x32xf32>) -> tensor<16x512x32x10xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<16x512x32x10xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x512x32x10xf32>, tensor<f32>) -> tensor<16x32x10xf32>
  return %3 : tensor<16x32x10xf32>
}

// Rows that are parts of others, or that a body chooses, are read by vectors where memory has them so.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s
// RUN: forge verify %s --function every_second --target sim:sm_90a
// RUN: forge verify %s --function every_second --target sim:gfx942
// RUN: forge verify %s --function from_three --target sim:sm_90a
// RUN: forge verify %s --function interleaved --target sim:sm_90a
// RUN: forge verify %s --function interleaved --target sim:gfx942
// RUN: forge verify %s --function chosen --target sim:sm_90a
// RUN: forge verify %s --function chosen --target sim:gfx942

// CHECK: gpu.func @elementwise
// CHECK-NOT: memref.load
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<32x64x16xf32, strided<[2048, 16, 1]>>, vector<4xf32>
// CHECK: vector.load {{.*}} : memref<32x64x16xf32, strided<[2048, 16, 1], offset: 1024>>, vector<4xf32>
// CHECK-NOT: memref.load
// CHECK: gpu.return
func.func @every_second(%x: tensor<64x64x16xf32>) -> tensor<32x64x16xf32> {
  %even = stablehlo.slice %x [0:64:2, 0:64, 0:16] : (tensor<64x64x16xf32>) -> tensor<32x64x16xf32>
  %odd = stablehlo.slice %x [1:64:2, 0:64, 0:16] : (tensor<64x64x16xf32>) -> tensor<32x64x16xf32>
  %0 = stablehlo.multiply %even, %odd : tensor<32x64x16xf32>
  return %0 : tensor<32x64x16xf32>
}

// -----

// Three elements behind a boundary.
// CHECK: gpu.func @elementwise
// CHECK: memref.load {{.*}} strided<[32, 1], offset: 3>
// CHECK: gpu.return
func.func @from_three(%x: tensor<64x32xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %part = stablehlo.slice %x [0:64, 3:19] : (tensor<64x32xf32>) -> tensor<64x16xf32>
  %0 = stablehlo.multiply %part, %y : tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

// Rows of one or of the other: each body's loads are vectors.
// CHECK: gpu.func
// CHECK-NOT: memref.load
// CHECK-COUNT-2: vector.load {{.*}} : memref<32x16xf32>, vector<4xf32>
// CHECK-NOT: memref.load
// CHECK: gpu.return
func.func @interleaved(%x: tensor<32x16xf32>, %y: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %even = stablehlo.pad %x, %zero, low = [0, 0], high = [1, 0], interior = [1, 0] : (tensor<32x16xf32>, tensor<f32>) -> tensor<64x16xf32>
  %odd = stablehlo.pad %y, %zero, low = [1, 0], high = [0, 0], interior = [1, 0] : (tensor<32x16xf32>, tensor<f32>) -> tensor<64x16xf32>
  %0 = stablehlo.add %even, %odd : tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// -----

// Rows of a table by number.
// CHECK: gpu.func
// CHECK: vector.load {{.*}} : memref<50x24xf32>, vector<4xf32>
// CHECK: gpu.return
func.func @chosen(%table: tensor<50x24xf32>, %ids: tensor<40x1xi32>, %y: tensor<40x24xf32>) -> tensor<40x24xf32> {
  %rows = "stablehlo.gather"(%table, %ids) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 24>} : (tensor<50x24xf32>, tensor<40x1xi32>) -> tensor<40x24xf32>
  %0 = stablehlo.multiply %rows, %y : tensor<40x24xf32>
  return %0 : tensor<40x24xf32>
}

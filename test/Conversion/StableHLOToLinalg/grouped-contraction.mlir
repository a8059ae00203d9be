// RUN: forge-opt %s --convert-stablehlo-to-linalg --canonicalize --cse --split-input-file | FileCheck %s
// RUN: forge-opt %s '--convert-stablehlo-to-linalg=chunked-sorts' --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=DEVICE

// On the host one tile after the other, with the group's matrix where it is; on devices all tiles.
// CHECK-LABEL: func.func @looked_up
// CHECK-NOT: tensor<512x256x128xf32>
// CHECK: scf.for
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 0, 0] [1, 256, 128] [1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<128x128xf32>, tensor<256x128xf32>)
// DEVICE-LABEL: func.func @looked_up
// DEVICE-NOT: tensor<512x256x128xf32>
// DEVICE: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<7x128x128xf32>, tensor<7x256x128xf32>)
func.func @looked_up(%w: tensor<4x256x128xf32>, %x: tensor<512x128xf32>, %e: tensor<512xi32>) -> tensor<512x256xf32> {
  %of_rows = "stablehlo.gather"(%w, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256, 128>}> : (tensor<4x256x128xf32>, tensor<512xi32>) -> tensor<512x256x128xf32>
  %y = stablehlo.dot_general %of_rows, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<512x256x128xf32>, tensor<512x128xf32>) -> tensor<512x256xf32>
  return %y : tensor<512x256xf32>
}

// -----

// Few rows: each reads a matrix anyway.
// CHECK-LABEL: func.func @few
// CHECK-NOT: scf.for
// CHECK: tensor<6x1024x4096xf32>
// DEVICE-LABEL: func.func @few
// DEVICE: tensor<6x1024x4096xf32>
func.func @few(%w: tensor<4x1024x4096xf32>, %x: tensor<6x4096xf32>, %e: tensor<6xi32>) -> tensor<6x1024xf32> {
  %of_rows = "stablehlo.gather"(%w, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1024, 4096>}> : (tensor<4x1024x4096xf32>, tensor<6xi32>) -> tensor<6x1024x4096xf32>
  %y = stablehlo.dot_general %of_rows, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<6x1024x4096xf32>, tensor<6x4096xf32>) -> tensor<6x1024xf32>
  return %y : tensor<6x1024xf32>
}

// -----

// Rows of a table, not matrices: each element is read once.
// DEVICE-LABEL: func.func @vectors
// DEVICE-NOT: tensor<{{[0-9]+}}x128x64xf32>
// DEVICE: return
func.func @vectors(%w: tensor<1000x64xf32>, %x: tensor<1048576x64xf32>, %e: tensor<1048576xi32>) -> tensor<1048576xf32> {
  %of_rows = "stablehlo.gather"(%w, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<1000x64xf32>, tensor<1048576xi32>) -> tensor<1048576x64xf32>
  %y = stablehlo.dot_general %of_rows, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<1048576x64xf32>, tensor<1048576x64xf32>) -> tensor<1048576xf32>
  return %y : tensor<1048576xf32>
}

// -----

// Slices of half a matrix, which may begin anywhere, are no lookup.
// DEVICE-LABEL: func.func @halves
// DEVICE: tensor<512x256x64xf32>
func.func @halves(%w: tensor<4x256x128xf32>, %x: tensor<512x64xf32>, %e: tensor<512x2xi32>) -> tensor<512x256xf32> {
  %of_rows = "stablehlo.gather"(%w, %e) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0, 2], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 256, 64>}> : (tensor<4x256x128xf32>, tensor<512x2xi32>) -> tensor<512x256x64xf32>
  %y = stablehlo.dot_general %of_rows, %x, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<512x256x64xf32>, tensor<512x64xf32>) -> tensor<512x256xf32>
  return %y : tensor<512x256xf32>
}

// -----

// Sizes that may be negative: a row may be in two groups, and is then in the sums of both.
// DEVICE-LABEL: func.func @sizes
// DEVICE: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x1024x64xf32>, tensor<4x64x256xf32>)
func.func @sizes(%x: tensor<1024x64xf32>, %w: tensor<4x64x256xf32>, %sizes: tensor<4xi32>) -> tensor<1024x256xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ends = "stablehlo.reduce_window"(%sizes, %zero) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %first = stablehlo.constant dense<0> : tensor<1xi32>
  %but_last = stablehlo.slice %ends [0:3] : (tensor<4xi32>) -> tensor<3xi32>
  %starts = stablehlo.concatenate %first, %but_last, dim = 0 : (tensor<1xi32>, tensor<3xi32>) -> tensor<4xi32>
  %i = stablehlo.iota dim = 1 : tensor<4x1024x64xi32>
  %begin = stablehlo.broadcast_in_dim %starts, dims = [0] : (tensor<4xi32>) -> tensor<4x1024x64xi32>
  %end = stablehlo.broadcast_in_dim %ends, dims = [0] : (tensor<4xi32>) -> tensor<4x1024x64xi32>
  %after = stablehlo.compare LE, %begin, %i : (tensor<4x1024x64xi32>, tensor<4x1024x64xi32>) -> tensor<4x1024x64xi1>
  %before = stablehlo.compare LT, %i, %end : (tensor<4x1024x64xi32>, tensor<4x1024x64xi32>) -> tensor<4x1024x64xi1>
  %in = stablehlo.and %after, %before : tensor<4x1024x64xi1>
  %spread = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<1024x64xf32>) -> tensor<4x1024x64xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x1024x64xf32>
  %rows = stablehlo.select %in, %spread, %zeros : tensor<4x1024x64xi1>, tensor<4x1024x64xf32>
  %y = stablehlo.dot_general %rows, %w, contracting_dims = [0, 2] x [0, 1] : (tensor<4x1024x64xf32>, tensor<4x64x256xf32>) -> tensor<1024x256xf32>
  return %y : tensor<1024x256xf32>
}

// -----

// chlo.ragged_dot says of sizes that they are not negative: here what is left of it.
// DEVICE-LABEL: func.func @disjoint
// DEVICE: linalg.batch_matmul ins(%{{.*}}, %{{.*}} : tensor<{{[0-9]+}}x128x64xf32>, tensor<{{[0-9]+}}x64x256xf32>)
func.func @disjoint(%x: tensor<1024x64xf32>, %w: tensor<4x64x256xf32>, %starts: tensor<4xi64>, %ends: tensor<4xi64>) -> tensor<1024x256xf32> {
  %i = stablehlo.iota dim = 1 : tensor<4x1024x64xi64>
  %begin = stablehlo.broadcast_in_dim %starts, dims = [0] : (tensor<4xi64>) -> tensor<4x1024x64xi64>
  %end = stablehlo.broadcast_in_dim %ends, dims = [0] : (tensor<4xi64>) -> tensor<4x1024x64xi64>
  %after = stablehlo.compare LE, %begin, %i : (tensor<4x1024x64xi64>, tensor<4x1024x64xi64>) -> tensor<4x1024x64xi1>
  %before = stablehlo.compare LT, %i, %end : (tensor<4x1024x64xi64>, tensor<4x1024x64xi64>) -> tensor<4x1024x64xi1>
  %in = stablehlo.and %after, %before : tensor<4x1024x64xi1>
  %spread = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<1024x64xf32>) -> tensor<4x1024x64xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<4x1024x64xf32>
  %rows = stablehlo.select %in, %spread, %zeros {forge.disjoint} : tensor<4x1024x64xi1>, tensor<4x1024x64xf32>
  %y = stablehlo.dot_general %rows, %w, contracting_dims = [0, 2] x [0, 1] : (tensor<4x1024x64xf32>, tensor<4x64x256xf32>) -> tensor<1024x256xf32>
  return %y : tensor<1024x256xf32>
}

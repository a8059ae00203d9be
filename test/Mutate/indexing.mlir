// Mistakes in indices.
// RUN: rm -rf %t && split-file %s %t
// RUN: forge mutate %t/tensors.mlir --print --phase import --mutator change-permutation | FileCheck %s --check-prefix=PERMUTATION
// RUN: forge mutate %t/tensors.mlir --print --phase import --mutator transpose-operand | FileCheck %s --check-prefix=TRANSPOSE
// RUN: forge mutate %t/tensors.mlir --print --phase import --mutator shift-slice | FileCheck %s --check-prefix=SLICE
// RUN: forge mutate %t/buffers.mlir --print --from bufferize --phase bufferize --mutator exchange-division | FileCheck %s --check-prefix=DIVISION
// RUN: forge mutate %t/buffers.mlir --print --from bufferize --phase bufferize --mutator shift-index | FileCheck %s --check-prefix=LOAD
// RUN: forge mutate %t/tensors.mlir --print --phase import --mutator shift-index | FileCheck %s --check-prefix=INDEX

//--- tensors.mlir
func.func @main(%x: tensor<2x4x4xf32>, %c: tensor<8x4xf32>, %i: tensor<i32>) -> (tensor<4x4x2xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<8xi32>, tensor<8x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x4x4xf32>) -> tensor<4x4x2xf32>
  %1 = stablehlo.slice %c [2:5, 0:4] : (tensor<8x4xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.dynamic_slice %c, %i, %i, sizes = [1, 4] : (tensor<8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %3 = stablehlo.iota dim = 0 : tensor<8xi32>
  %4 = tensor.empty() : tensor<4x4xf32>
  %5 = tensor.extract_slice %x[0, 0, 0] [1, 4, 4] [1, 1, 1] : tensor<2x4x4xf32> to tensor<4x4xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%5 : tensor<4x4xf32>) outs(%4 : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %7 = tensor.insert_slice %6 into %c[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  return %0, %1, %2, %3, %7 : tensor<4x4x2xf32>, tensor<3x4xf32>, tensor<1x4xf32>, tensor<8xi32>, tensor<8x4xf32>
}
// PERMUTATION: stablehlo.transpose %arg0, dims = [2, 1, 0]

// TRANSPOSE: affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>

// SLICE: shift-slice at stablehlo.slice
// SLICE: stablehlo.slice %arg1 [1:4, 0:4]
// SLICE: shift-slice at tensor.extract_slice
// SLICE: tensor.extract_slice %arg0[1, 0, 0]
// SLICE: shift-slice at tensor.insert_slice
// SLICE: tensor.insert_slice %{{.*}} into %arg1[1, 0]

// INDEX: shift-index at stablehlo.dynamic_slice
// INDEX: %[[N:.*]] = stablehlo.add %arg2
// INDEX: stablehlo.dynamic_slice %arg1, %[[N]], %arg2
// INDEX: shift-index at stablehlo.iota
// INDEX: %[[I:.*]] = stablehlo.iota
// INDEX: stablehlo.add %[[I]]
//--- buffers.mlir
func.func @main(%m: memref<8xf32>, %k: index) -> (f32, index) {
  %0 = memref.load %m[%k] : memref<8xf32>
  %1 = arith.divui %k, %k : index
  return %0, %1 : f32, index
}
// LOAD: shift-index at memref.load
// LOAD: %[[K:.*]] = arith.addi %arg1
// LOAD: memref.load %arg0[%[[K]]]

// DIVISION: arith.remui %arg1, %arg1

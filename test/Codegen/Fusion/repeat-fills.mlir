// RUN: forge-opt %s --forge-repeat-fills --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s

// Two products that start from the same zeros would share them by a copy.
// CHECK-LABEL: func @two_products
// CHECK: linalg.fill
// CHECK-NOT: memref.copy
// CHECK: linalg.fill
// CHECK-NOT: memref.copy
// CHECK: return
func.func @two_products(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Nor is padding copied: each image is put into zeros of its own, and no others are written.
// CHECK-LABEL: func @two_images
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @two_images(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<10x10xf32>, tensor<10x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<10x10xf32>) -> tensor<10x10xf32>
  %0 = tensor.insert_slice %a into %f[1, 1] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<10x10xf32>
  %1 = tensor.insert_slice %b into %f[1, 1] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<10x10xf32>
  return %0, %1 : tensor<10x10xf32>, tensor<10x10xf32>
}

// What is only read stays shared.
// CHECK-LABEL: func @read
// CHECK: %[[ZEROS:.*]] = memref.alloc
// CHECK: linalg.fill {{.*}} outs(%[[ZEROS]]
// CHECK: linalg.matmul ins(%{{.*}}, %[[ZEROS]]
func.func @read(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %f : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Of a reshape of an empty tensor, too.
// CHECK-LABEL: func @reshaped
// CHECK-COUNT-2: linalg.fill
func.func @reshaped(%a: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x1x8xf32>
  %c = tensor.collapse_shape %e [[0, 1], [2]] : tensor<8x1x8xf32> into tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%a, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

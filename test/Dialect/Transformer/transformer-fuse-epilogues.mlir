// RUN: forge-opt --transformer-fuse-epilogues %s | FileCheck %s

// CHECK-LABEL: func.func @all
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x8xf32>, %[[W:.*]]: tensor<8x2xf32>, %[[B:.*]]: tensor<2xf32>, %[[R:.*]]: tensor<2x4x2xf32>)
// CHECK: transformer.matmul %[[X]], %[[W]] bias %[[B]] residual %[[R]] {activation = #transformer.activation<silu>}
// CHECK-NEXT: return
func.func @all(%x: tensor<2x4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>, %r: tensor<2x4x2xf32>) -> tensor<2x4x2xf32> {
  %0 = transformer.matmul %x, %w : (tensor<2x4x8xf32>, tensor<8x2xf32>) -> tensor<2x4x2xf32>
  %empty = tensor.empty() : tensor<2x4x2xf32>
  %rows = linalg.broadcast ins(%b : tensor<2xf32>) outs(%empty : tensor<2x4x2xf32>) dimensions = [0, 1]
  %1 = transformer.add %rows, %0 : tensor<2x4x2xf32>
  %2 = transformer.activation silu %1 : tensor<2x4x2xf32>
  %3 = transformer.add %2, %r : tensor<2x4x2xf32>
  return %3 : tensor<2x4x2xf32>
}

// The sum before the activation is no residual: the residual comes after it.
// CHECK-LABEL: func.func @sum_then_activation
// CHECK: transformer.matmul %{{.*}} residual %{{.*}} :
// CHECK-NEXT: transformer.activation relu
func.func @sum_then_activation(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %r: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %1 = transformer.add %0, %r : tensor<4x2xf32>
  %2 = transformer.activation relu %1 : tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// A product that is needed for itself stays.
// CHECK-LABEL: func.func @used_twice
// CHECK: transformer.matmul %{{.*}}, %{{.*}} :
// CHECK: transformer.activation relu
func.func @used_twice(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %1 = transformer.activation relu %0 : tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// A product of two products: one of them takes the other.
// CHECK-LABEL: func.func @two_products
// CHECK: %[[A:.*]] = transformer.matmul
// CHECK: transformer.matmul %{{.*}} residual
// CHECK-NEXT: return
func.func @two_products(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %v: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %0 = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %1 = transformer.matmul %x, %v : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %2 = transformer.add %0, %1 : tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// A column repeated along the rows is a residual, not a bias.
// CHECK-LABEL: func.func @columns
// CHECK: linalg.broadcast
// CHECK: transformer.matmul %{{.*}} residual
func.func @columns(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = transformer.matmul %x, %w : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %empty = tensor.empty() : tensor<4x4xf32>
  %columns = linalg.broadcast ins(%b : tensor<4xf32>) outs(%empty : tensor<4x4xf32>) dimensions = [1]
  %1 = transformer.add %0, %columns : tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// A rounding to another type than that of the factors is not the product's own.
// CHECK-LABEL: func.func @other_rounding
// CHECK: transformer.matmul %{{.*}} -> tensor<4x2xf32>
// CHECK-NEXT: arith.truncf
func.func @other_rounding(%x: tensor<4x8xbf16>, %w: tensor<8x2xbf16>) -> tensor<4x2xf16> {
  %0 = transformer.matmul %x, %w : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  %1 = arith.truncf %0 : tensor<4x2xf32> to tensor<4x2xf16>
  return %1 : tensor<4x2xf16>
}

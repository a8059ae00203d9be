// RUN: forge-opt %s --forge-switches-to-ifs | FileCheck %s

// CHECK-LABEL: @cases
// CHECK-SAME: %[[I:.*]]: index, %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<4xf32>
func.func @cases(%i: index, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: scf.index_switch
  // CHECK: %[[IS0:.*]] = arith.cmpi eq, %[[I]], %{{.*}} : index
  // CHECK: %[[R:.*]] = scf.if %[[IS0]] -> (tensor<4xf32>) {
  // CHECK-NEXT: scf.yield %[[A]]
  // CHECK-NEXT: } else {
  // CHECK: %[[FIVE:.*]] = arith.constant 5 : index
  // CHECK: %[[IS5:.*]] = arith.cmpi eq, %[[I]], %[[FIVE]] : index
  // CHECK: %[[INNER:.*]] = scf.if %[[IS5]] -> (tensor<4xf32>) {
  // CHECK-NEXT: scf.yield %[[B]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: scf.yield %[[C]]
  // CHECK: scf.yield %[[INNER]]
  // CHECK: return %[[R]]
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield %a : tensor<4xf32>
  }
  case 5 {
    scf.yield %b : tensor<4xf32>
  }
  default {
    scf.yield %c : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @only_default
// CHECK-SAME: %[[A:[^:]*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[A]]
func.func @only_default(%i: index, %a: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.index_switch %i -> tensor<4xf32>
  default {
    scf.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Scalars have no buffers.
// CHECK-LABEL: @scalar
// CHECK: scf.index_switch
func.func @scalar(%i: index, %a: i32, %b: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 0 {
    scf.yield %a : i32
  }
  default {
    scf.yield %b : i32
  }
  return %r : i32
}

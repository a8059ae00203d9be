// RUN: forge-opt %s --forge-separate-empties | FileCheck %s

// CHECK-LABEL: func.func @two_carried
// CHECK: %[[A:.*]] = tensor.empty()
// CHECK: %[[B:.*]] = tensor.empty()
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
func.func @two_carried(%n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty() : tensor<4xf32>
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %empty, %b = %empty) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %a, %b : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @one_use
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT: tensor.empty
func.func @one_use() -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  return %empty : tensor<4xf32>
}

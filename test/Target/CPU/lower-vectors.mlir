// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-lower-vectors))' | FileCheck %s

// CHECK-LABEL: @mask
// CHECK: arith.cmpi sgt
// CHECK-NOT: vector.create_mask
func.func @mask(%n: index, %a: memref<?xf32>, %i: index) -> vector<16xf32> {
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %m = vector.create_mask %n : vector<16xi1>
  %v = vector.maskedload %a[%i], %m, %zero : memref<?xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  return %v : vector<16xf32>
}

// CHECK-LABEL: @transpose
// CHECK-NOT: vector.transpose
func.func @transpose(%v: vector<4x4xf32>) -> vector<4x4xf32> {
  %t = vector.transpose %v, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
  return %t : vector<4x4xf32>
}

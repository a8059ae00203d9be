// Made-up inputs, every phase executed, each compared with the reference under the printed tolerance.
// RUN: forge verify %s --target cpu --each-stage | FileCheck %s
// RUN: forge verify %s --target cpu --seed 3 | FileCheck %s --check-prefix=WHOLE
// RUN: forge verify %s --target cpu --verbose | FileCheck %s --check-prefix=DETAILS
// RUN: not forge verify %s --function absent 2>&1 | FileCheck %s --check-prefix=ABSENT

// CHECK: simplify: result 0 agrees: off by at most {{[0-9.e-]+}}, {{[0-9.e-]+}} of what is allowed ({{[0-9]+}} ms)
// CHECK-NEXT: simplify: result 1 agrees: equal ({{[0-9]+}} ms)
// CHECK: linalg: result 0 agrees
// CHECK: fuse: result 0 agrees
// CHECK: loops: result 0 agrees
// CHECK: bufferize: result 0 agrees
// CHECK: lower: result 0 agrees
// CHECK: whole: result 0 agrees
// CHECK-NOT: {{differ|tolerance}}

// DETAILS: whole: result 0 agrees: off by at most
// DETAILS-NEXT: whole: result 1 agrees: equal
// DETAILS-NEXT: {{^}}  result 0: max_abs {{.*}}, max_rel {{.*}}, max_ulp {{.*}}; tolerance {{.*}} to {{.*}}, mostly {{.*}} (6 standard deviations by 21 executions in f32, sums of up to 32 terms)
// DETAILS-NEXT: {{^}}  result 1: max_abs 0, max_rel 0, max_ulp 0; exact

// WHOLE-NOT: simplify
// WHOLE: whole: result 0 agrees
// ABSENT: no function 'absent'
func.func @main(%x: tensor<8x32xf32>, %w: tensor<32x16xf32>, %n: tensor<4xi32>) -> (tensor<8x16xf32>, tensor<4xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<8x16xf32>
  %4 = stablehlo.exponential %3 : tensor<8x16xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %7 = stablehlo.divide %4, %6 : tensor<8x16xf32>
  %8 = stablehlo.multiply %n, %n : tensor<4xi32>
  return %7, %8 : tensor<8x16xf32>, tensor<4xi32>
}

// What ptxas says of a kernel.
// REQUIRES: ptxas
// RUN: env FORGE_PTXAS=%ptxas forge compile %s --target cuda:sm_80 --to cubin -o %t.cubin --stats %t.json
// RUN: FileCheck %s < %t.json
// CHECK: "registers": {{[1-9]}}
// CHECK-NEXT: "shared_bytes": {{[1-9]}}
// CHECK-NEXT: "stack_bytes": 0,
// CHECK-NEXT: "spill_bytes": 0
func.func @main(%x: tensor<4x8192xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8192xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

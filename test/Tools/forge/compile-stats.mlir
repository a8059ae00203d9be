// What kernels take on a device, without a device.
// RUN: forge compile %s --target hip:gfx942 --to hsaco -o %t.hsaco --stats %t.json
// RUN: FileCheck %s < %t.json
// RUN: forge compile %s --target cuda:sm_80 --to ptx -o %t.ptx --stats %t.ptx.json
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx.json
// CHECK: "target": "hip:gfx942",
// CHECK: "phases": [
// CHECK: "name": "lower"
// CHECK: "kernels": [
// CHECK: "strategy": "rows",
// CHECK: "registers": {{[1-9]}}
// CHECK-NEXT: "scalar_registers": {{[1-9]}}
// CHECK-NEXT: "shared_bytes": {{[1-9]}}
// CHECK-NEXT: "stack_bytes": 0,
// CHECK-NEXT: "spill_bytes": 0
// No assembler has seen it: nothing is known.
// PTX: "kernels": [
// PTX-NOT: "registers"
func.func @main(%x: tensor<4x8192xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x8192xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

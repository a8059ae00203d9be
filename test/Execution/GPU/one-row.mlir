// Norms and softmax of a single row are one kernel, as those of several rows are.
// RUN: forge compile %s --function rms_norm --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function rms_norm --target sim:sm_90a
// RUN: forge verify %s --function rms_norm --target sim:gfx942
// RUN: forge verify %s --function rms_norm --target cpu
// RUN: forge verify %s --function rms_norm --target sim:sm_90a --distribution huge
// RUN: forge compile %s --function layer_norm --target sim:gfx942 --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function layer_norm --target sim:sm_90a
// RUN: forge verify %s --function layer_norm --target sim:gfx942
// RUN: forge compile %s --function softmax --target sim:sm_90a --to gpu -o - | FileCheck %s
// RUN: forge verify %s --function softmax --target sim:sm_90a
// RUN: forge verify %s --function softmax --target sim:gfx942

// CHECK: gpu.launch_func
// CHECK-NOT: gpu.launch_func

func.func @rms_norm(%x: tensor<1x1x4096xbf16>, %s: tensor<4096xbf16>) -> tensor<1x1x4096xbf16> {
  %0 = transformer.rms_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x1x4096xbf16>, tensor<4096xbf16>) -> tensor<1x1x4096xbf16>
  return %0 : tensor<1x1x4096xbf16>
}
func.func @layer_norm(%x: tensor<1x1000xf32>, %s: tensor<1000xf32>) -> tensor<1x1000xf32> {
  %0 = transformer.layer_norm %x scale %s {epsilon = 1.0e-05 : f32} : (tensor<1x1000xf32>, tensor<1000xf32>) -> tensor<1x1000xf32>
  return %0 : tensor<1x1000xf32>
}
func.func @softmax(%x: tensor<777xf32>) -> tensor<777xf32> {
  %0 = transformer.softmax %x {dimension = 0 : i64} : tensor<777xf32>
  return %0 : tensor<777xf32>
}

// The products with q, k and v of a step of 24 sequences, with rotary positions and the appends to the caches in their kernels, are one
// launch: each block belongs to one of them, tensor maps are arguments of it, and what makes them moves along.
// RUN: forge explain %s --target sim:sm_90a --tier optimized --save-plan %t.plan | FileCheck %s --check-prefix=KERNELS
// RUN: forge compile %s --target sim:sm_90a --tier optimized --to gpu -o - | FileCheck %s --check-prefix=ONE
// RUN: forge verify %s --target sim:sm_90a --tier optimized
// RUN: env FORGE_SIM_SEED=3 forge verify %s --target sim:sm_90a --tier optimized
// RUN: forge verify %s --target cpu
// On the device: each part waits for itself, and the launch is a dependent one of what is in front.
// RUN: forge compile %s --target cuda:sm_90a --tier optimized --to ptx -o - | FileCheck %s --check-prefix=PTX

// KERNELS-COUNT-3: launch: wgmma
// ONE: func.func @main
// ONE: gpu.launch_func {{.*}}rows
// ONE: gpu.launch_func @kernels::@contraction{{[_0-9]*}}_and_contraction{{[_0-9]*}}_and_contraction{{[_0-9]*}} {{.*}} dynamic_shared_memory_size {{.*}}forge.by_value
// ONE-NOT: gpu.launch_func
// PTX: .entry contraction{{[_0-9a-z]*}}_and_contraction
// PTX: griddepcontrol.launch_dependents
// PTX: griddepcontrol.wait

func.func @main(%h: tensor<24x512xbf16>, %g: tensor<512xbf16>, %wq: tensor<512x512xbf16>, %wk: tensor<256x512xbf16>, %wv: tensor<256x512xbf16>,
                %c: tensor<24x64xf32>, %s: tensor<24x64xf32>, %keys: tensor<24x2x8x128xbf16> {tf.aliasing_output = 1 : i32},
                %values: tensor<24x2x8x128xbf16> {tf.aliasing_output = 2 : i32}, %at: tensor<24xi32>)
    -> (tensor<24x4x128xbf16>, tensor<24x2x8x128xbf16>, tensor<24x2x8x128xbf16>) {
  %x = transformer.rms_norm %h scale %g {epsilon = 1.0e-5 : f32} : (tensor<24x512xbf16>, tensor<512xbf16>) -> tensor<24x512xbf16>
  %q = transformer.matmul %x, %wq {transpose_rhs} : (tensor<24x512xbf16>, tensor<512x512xbf16>) -> tensor<24x512xbf16>
  %k = transformer.matmul %x, %wk {transpose_rhs} : (tensor<24x512xbf16>, tensor<256x512xbf16>) -> tensor<24x256xbf16>
  %v = transformer.matmul %x, %wv {transpose_rhs} : (tensor<24x512xbf16>, tensor<256x512xbf16>) -> tensor<24x256xbf16>
  %q1 = stablehlo.reshape %q : (tensor<24x512xbf16>) -> tensor<24x4x128xbf16>
  %q2 = func.call @rotated4(%q1, %c, %s) : (tensor<24x4x128xbf16>, tensor<24x64xf32>, tensor<24x64xf32>) -> tensor<24x4x128xbf16>
  %k1 = stablehlo.reshape %k : (tensor<24x256xbf16>) -> tensor<24x2x128xbf16>
  %k2 = func.call @rotated2(%k1, %c, %s) : (tensor<24x2x128xbf16>, tensor<24x64xf32>, tensor<24x64xf32>) -> tensor<24x2x128xbf16>
  %k3 = stablehlo.reshape %k2 : (tensor<24x2x128xbf16>) -> tensor<24x2x1x128xbf16>
  %v1 = stablehlo.reshape %v : (tensor<24x256xbf16>) -> tensor<24x2x1x128xbf16>
  %k4 = transformer.kv_append %k3 into %keys at %at : (tensor<24x2x1x128xbf16>, tensor<24x2x8x128xbf16>, tensor<24xi32>) -> tensor<24x2x8x128xbf16>
  %v2 = transformer.kv_append %v1 into %values at %at : (tensor<24x2x1x128xbf16>, tensor<24x2x8x128xbf16>, tensor<24xi32>) -> tensor<24x2x8x128xbf16>
  return %q2, %k4, %v2 : tensor<24x4x128xbf16>, tensor<24x2x8x128xbf16>, tensor<24x2x8x128xbf16>
}
func.func private @rotated4(%x: tensor<24x4x128xbf16>, %c: tensor<24x64xf32>, %s: tensor<24x64xf32>) -> tensor<24x4x128xbf16> {
  %0 = stablehlo.slice %x [0:24, 0:4, 0:64] : (tensor<24x4x128xbf16>) -> tensor<24x4x64xbf16>
  %1 = stablehlo.slice %x [0:24, 0:4, 64:128] : (tensor<24x4x128xbf16>) -> tensor<24x4x64xbf16>
  %2 = stablehlo.convert %0 : (tensor<24x4x64xbf16>) -> tensor<24x4x64xf32>
  %3 = stablehlo.convert %1 : (tensor<24x4x64xbf16>) -> tensor<24x4x64xf32>
  %4 = stablehlo.broadcast_in_dim %c, dims = [0, 2] : (tensor<24x64xf32>) -> tensor<24x4x64xf32>
  %5 = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<24x64xf32>) -> tensor<24x4x64xf32>
  %6 = stablehlo.multiply %2, %4 : tensor<24x4x64xf32>
  %7 = stablehlo.multiply %3, %5 : tensor<24x4x64xf32>
  %8 = stablehlo.subtract %6, %7 : tensor<24x4x64xf32>
  %9 = stablehlo.multiply %3, %4 : tensor<24x4x64xf32>
  %10 = stablehlo.multiply %2, %5 : tensor<24x4x64xf32>
  %11 = stablehlo.add %9, %10 : tensor<24x4x64xf32>
  %12 = stablehlo.concatenate %8, %11, dim = 2 : (tensor<24x4x64xf32>, tensor<24x4x64xf32>) -> tensor<24x4x128xf32>
  %13 = stablehlo.convert %12 : (tensor<24x4x128xf32>) -> tensor<24x4x128xbf16>
  return %13 : tensor<24x4x128xbf16>
}
func.func private @rotated2(%x: tensor<24x2x128xbf16>, %c: tensor<24x64xf32>, %s: tensor<24x64xf32>) -> tensor<24x2x128xbf16> {
  %0 = stablehlo.slice %x [0:24, 0:2, 0:64] : (tensor<24x2x128xbf16>) -> tensor<24x2x64xbf16>
  %1 = stablehlo.slice %x [0:24, 0:2, 64:128] : (tensor<24x2x128xbf16>) -> tensor<24x2x64xbf16>
  %2 = stablehlo.convert %0 : (tensor<24x2x64xbf16>) -> tensor<24x2x64xf32>
  %3 = stablehlo.convert %1 : (tensor<24x2x64xbf16>) -> tensor<24x2x64xf32>
  %4 = stablehlo.broadcast_in_dim %c, dims = [0, 2] : (tensor<24x64xf32>) -> tensor<24x2x64xf32>
  %5 = stablehlo.broadcast_in_dim %s, dims = [0, 2] : (tensor<24x64xf32>) -> tensor<24x2x64xf32>
  %6 = stablehlo.multiply %2, %4 : tensor<24x2x64xf32>
  %7 = stablehlo.multiply %3, %5 : tensor<24x2x64xf32>
  %8 = stablehlo.subtract %6, %7 : tensor<24x2x64xf32>
  %9 = stablehlo.multiply %3, %4 : tensor<24x2x64xf32>
  %10 = stablehlo.multiply %2, %5 : tensor<24x2x64xf32>
  %11 = stablehlo.add %9, %10 : tensor<24x2x64xf32>
  %12 = stablehlo.concatenate %8, %11, dim = 2 : (tensor<24x2x64xf32>, tensor<24x2x64xf32>) -> tensor<24x2x128xf32>
  %13 = stablehlo.convert %12 : (tensor<24x2x128xf32>) -> tensor<24x2x128xbf16>
  return %13 : tensor<24x2x128xbf16>
}

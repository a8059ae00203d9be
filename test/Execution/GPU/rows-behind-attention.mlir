// Norms, and 8-bit floats, of what the heads give together: attention puts its result in the order of the rows, and one kernel does
// what follows.
// RUN: forge verify %s --function norm --target sim:sm_90a --each-stage | FileCheck %s --check-prefix=AGREES
// RUN: forge verify %s --function floats --target sim:sm_90a | FileCheck %s --check-prefix=AGREES
// RUN: forge verify %s --function two_orders --target sim:sm_90a | FileCheck %s --check-prefix=AGREES
// RUN: forge verify %s --function norm --target sim:gfx942 | FileCheck %s --check-prefix=AGREES
// RUN: forge explain %s --function norm --target cuda:sm_90a | grep ' launch' | FileCheck %s --check-prefix=NORM
// RUN: forge explain %s --function floats --target cuda:sm_90a | grep ' launch' | FileCheck %s --check-prefix=FLOATS
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a to=kernels" | FileCheck %s
// AGREES: agree
// AGREES-NOT: differ

// NORM: attention, 1 launch: flash
// NORM-NEXT: rows, 1 launch: rows
// NORM-NOT: launch
// CHECK-LABEL: func.func @norm
// CHECK: call @attention{{.*}} -> tensor<256x2x2x64xbf16>
func.func @norm(%q: tensor<1x4x256x64xbf16>, %k: tensor<1x2x256x64xbf16>, %v: tensor<1x2x256x64xbf16>, %g: tensor<256xbf16>) -> tensor<1x256x256xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x4x256x64xbf16>, tensor<1x2x256x64xbf16>, tensor<1x2x256x64xbf16>) -> tensor<1x4x256x64xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<1x4x256x64xbf16>) -> tensor<1x256x4x64xbf16>
  %2 = stablehlo.reshape %1 : (tensor<1x256x4x64xbf16>) -> tensor<1x256x256xbf16>
  %3 = transformer.rms_norm %2 scale %g {epsilon = 1.0e-5 : f32} : (tensor<1x256x256xbf16>, tensor<256xbf16>) -> tensor<1x256x256xbf16>
  return %3 : tensor<1x256x256xbf16>
}

// FLOATS: attention, 1 launch: flash
// FLOATS-NEXT: rows, 1 launch: rows
// FLOATS-NEXT: contraction, 1 launch: wgmma
// FLOATS-NOT: launch
func.func @floats(%q: tensor<1x4x256x64xbf16>, %k: tensor<1x2x256x64xbf16>, %v: tensor<1x2x256x64xbf16>, %w: tensor<256x256xf8E4M3FN>, %s: tensor<256xf32>) -> tensor<1x256x256xbf16> {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x4x256x64xbf16>, tensor<1x2x256x64xbf16>, tensor<1x2x256x64xbf16>) -> tensor<1x4x256x64xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<1x4x256x64xbf16>) -> tensor<1x256x4x64xbf16>
  %2 = stablehlo.reshape %1 : (tensor<1x256x4x64xbf16>) -> tensor<1x256x256xbf16>
  %3, %4 = transformer.quantize_rows %2 : (tensor<1x256x256xbf16>) -> (tensor<1x256x256xf8E4M3FN>, tensor<1x256xf32>)
  %5 = transformer.linear %3, %w scale %s input_scale %4 : (tensor<1x256x256xf8E4M3FN>, tensor<256x256xf8E4M3FN>, tensor<256xf32>, tensor<1x256xf32>) -> tensor<1x256x256xbf16>
  return %5 : tensor<1x256x256xbf16>
}

// Rows of tokens and rows of heads go through it in two orders: it stays as it is.
// CHECK-LABEL: func.func @two_orders
// CHECK: call @attention{{.*}} -> tensor<2x2x256x64xbf16>
func.func @two_orders(%q: tensor<1x4x256x64xbf16>, %k: tensor<1x2x256x64xbf16>, %v: tensor<1x2x256x64xbf16>, %g: tensor<256xbf16>, %h: tensor<64xbf16>)
    -> (tensor<1x256x256xbf16>, tensor<1x4x256x64xbf16>) {
  %0 = transformer.attention %q, %k, %v {causal} : (tensor<1x4x256x64xbf16>, tensor<1x2x256x64xbf16>, tensor<1x2x256x64xbf16>) -> tensor<1x4x256x64xbf16>
  %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<1x4x256x64xbf16>) -> tensor<1x256x4x64xbf16>
  %2 = stablehlo.reshape %1 : (tensor<1x256x4x64xbf16>) -> tensor<1x256x256xbf16>
  %3 = transformer.rms_norm %2 scale %g {epsilon = 1.0e-5 : f32} : (tensor<1x256x256xbf16>, tensor<256xbf16>) -> tensor<1x256x256xbf16>
  %4 = transformer.rms_norm %0 scale %h {epsilon = 1.0e-5 : f32} : (tensor<1x4x256x64xbf16>, tensor<64xbf16>) -> tensor<1x4x256x64xbf16>
  return %3, %4 : tensor<1x256x256xbf16>, tensor<1x4x256x64xbf16>
}

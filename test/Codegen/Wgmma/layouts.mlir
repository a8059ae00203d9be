// Operands as tensor maps of as many dimensions as they have, at their strides: batches, rows and terms of several dimensions in any
// order, slices of larger tensors, and results whose rows are apart. No operand is copied.
// RUN: forge-opt %s --split-input-file --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s

// The batch between rows and terms; what transposes the result stores it.
// CHECK-LABEL: func.func @experts
// CHECK-NOT: gpu.launch_func
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [256, 4, 64], strides: [256, 64, 1]
// CHECK: memref.reinterpret_cast %arg1 to offset: [0], sizes: [4, 64, 128], strides: [8192, 128, 1]
// CHECK: call @forge_rt_device_tensor_map_bf16
// CHECK: gpu.launch_func @kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @experts(%x: tensor<256x4x64xbf16>, %w: tensor<4x64x128xbf16>) -> tensor<256x4x128xbf16> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<256x4x64xbf16>, tensor<4x64x128xbf16>) -> tensor<4x256x128xbf16>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x256x128xbf16>) -> tensor<256x4x128xbf16>
  return %1 : tensor<256x4x128xbf16>
}

// -----

// Half of each row, from element 128 on.
// CHECK-LABEL: func.func @slice
// CHECK: memref.reinterpret_cast %arg1 to offset: [128], sizes: [16, 256, 128], strides: [65536, 256, 1]
// CHECK: call @forge_rt_device_tensor_map_bf16
// CHECK: gpu.launch_func @kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @slice(%p: tensor<16x128x256xbf16>, %kv: tensor<1x16x256x256xbf16>) -> tensor<16x128x128xbf16> {
  %v = stablehlo.slice %kv [0:1, 0:16, 0:256, 128:256] : (tensor<1x16x256x256xbf16>) -> tensor<1x16x256x128xbf16>
  %r = stablehlo.reshape %v : (tensor<1x16x256x128xbf16>) -> tensor<16x256x128xbf16>
  %0 = stablehlo.dot_general %p, %r, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<16x128x256xbf16>, tensor<16x256x128xbf16>) -> tensor<16x128x128xbf16>
  return %0 : tensor<16x128x128xbf16>
}

// -----

// Grouped heads inside: five dimensions of the queries, rows of two.
// CHECK-LABEL: func.func @heads
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [2, 128, 4, 3, 64], strides: [98304, 768, 192, 64, 1]
// CHECK: memref.reinterpret_cast %arg1 to offset: [0], sizes: [2, 256, 4, 64], strides: [65536, 256, 64, 1]
// CHECK: gpu.launch_func @kernels::@contraction
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @heads(%q: tensor<2x128x4x3x64xbf16>, %k: tensor<2x256x4x64xbf16>) -> tensor<2x4x128x3x256xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<2x128x4x3x64xbf16>, tensor<2x256x4x64xbf16>) -> tensor<2x4x128x3x256xf32>
  return %0 : tensor<2x4x128x3x256xf32>
}

// -----

// A slice at a place that the host knows: where it begins is a value.
// CHECK-LABEL: func.func @place
// CHECK: %[[FROM:.*]] = arith.muli %{{.*}}, %c16384
// CHECK: memref.reinterpret_cast %arg1 to offset: [%[[FROM]]], sizes: [128, 128], strides: [128, 1]
func.func @place(%x: tensor<128x128xbf16>, %w: tensor<8x128x128xbf16>) -> tensor<128x128xbf16> {
  %from = stablehlo.constant dense<0> : tensor<i32>
  %y:2 = stablehlo.while(%i = %from, %a = %x) : tensor<i32>, tensor<128x128xbf16>
    cond {
      %to = stablehlo.constant dense<8> : tensor<i32>
      %more = stablehlo.compare LT, %i, %to : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %s = stablehlo.dynamic_slice %w, %i, %zero, %zero, sizes = [1, 128, 128] : (tensor<8x128x128xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x128x128xbf16>
      %r = stablehlo.reshape %s : (tensor<1x128x128xbf16>) -> tensor<128x128xbf16>
      %0 = stablehlo.dot_general %a, %r, contracting_dims = [1] x [0] : (tensor<128x128xbf16>, tensor<128x128xbf16>) -> tensor<128x128xbf16>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %0 : tensor<i32>, tensor<128x128xbf16>
    }
  return %y#1 : tensor<128x128xbf16>
}

// Which products become kernels together with what follows them, and what the library is asked for.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=production to=gpu" | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=hybrid to=gpu" | FileCheck %s --check-prefix=HYBRID
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=gpu" | FileCheck %s --check-prefix=OPTIMIZED

// Operands of the call: lhs, rhs, bias, residual, out; dimensions of batch, rows, columns; lhs and rhs transposed; bias,
// residual; activation; least.

// HYBRID-NOT: call @forge_rt_device_product
// HYBRID-LABEL: func.func @large
// HYBRID: call @forge_rt_device_product_bf16_bf16({{.*}}, %c1048576_i64)
// HYBRID: gpu.launch_func @kernels::
// OPTIMIZED-NOT: forge_rt_device_product

// CHECK-LABEL: func.func @all(
// CHECK: %[[LAST:.*]] = memref.cast %arg3
// CHECK: call @forge_rt_device_product_bf16_bf16(%{{.*}}, %{{.*}}, %{{.*}}, %[[LAST]], %{{.*}}, %c1_i64, %c1_i64, %c0_i64, %c0_i64)
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @all(%x: tensor<8x32xbf16>, %w: tensor<16x32xbf16>, %b: tensor<16xbf16>, %r: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  %0 = transformer.matmul %x, %w bias %b residual %r {transpose_rhs} : (tensor<8x32xbf16>, tensor<16x32xbf16>, tensor<16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK: call @forge_rt_device_product_f16_f16({{.*}}, %c1_i64{{.*}}, %c0_i64{{.*}}, %c2_i64{{.*}}, %c0_i64{{.*}})
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @gelu_tanh(%x: tensor<8x32xf16>, %w: tensor<32x16xf16>, %b: tensor<16xf16>) -> tensor<8x16xf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<gelu_tanh>} : (tensor<8x32xf16>, tensor<32x16xf16>, tensor<16xf16>) -> tensor<8x16xf16>
  return %0 : tensor<8x16xf16>
}

// CHECK-LABEL: func.func @relu(
// CHECK: call @forge_rt_device_product_f32_f32({{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c1_i64{{.*}}, %c0_i64{{.*}})
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @relu(%x: tensor<8x32xf32>, %w: tensor<32x16xf32>) -> tensor<8x16xf32> {
  %0 = transformer.matmul %x, %w {activation = #transformer.activation<relu>} : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// The library's GELU errs by more than f32 rounds, and knows no other activation: they stay in kernels of their own.
// CHECK-LABEL: func.func @not_taken(
// CHECK-COUNT-2: call @forge_rt_device_product_{{f32_f32|bf16_f32}}({{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}})
func.func @not_taken(%x: tensor<8x32xf32>, %w: tensor<32x16xf32>, %y: tensor<8x32xbf16>, %v: tensor<32x16xbf16>) -> (tensor<8x16xf32>, tensor<8x16xbf16>, tensor<8x16xbf16>) {
  %0 = transformer.matmul %x, %w {activation = #transformer.activation<gelu_tanh>} : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = transformer.matmul %y, %v {activation = #transformer.activation<silu>} : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
  %2 = transformer.matmul %y, %v {activation = #transformer.activation<gelu>} : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
  return %0, %1, %2 : tensor<8x16xf32>, tensor<8x16xbf16>, tensor<8x16xbf16>
}

// A residual behind an activation is not one the library adds.
// CHECK-LABEL: func.func @residual_behind_relu(
// CHECK: call @forge_rt_device_product_bf16_f32({{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}})
func.func @residual_behind_relu(%x: tensor<8x32xbf16>, %w: tensor<32x16xbf16>, %r: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  %0 = transformer.matmul %x, %w residual %r {activation = #transformer.activation<relu>} : (tensor<8x32xbf16>, tensor<32x16xbf16>, tensor<8x16xbf16>) -> tensor<8x16xbf16>
  return %0 : tensor<8x16xbf16>
}

// What the library does not compute starts from its rounded sums, where the program rounds them first.
// CHECK-LABEL: func.func @rounds_first(
// CHECK: call @forge_rt_device_product_bf16_bf16({{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}})
// CHECK: gpu.launch_func
// CHECK: gpu.launch_func {{.*}}@elementwise{{.*}} args(%{{[a-z0-9_]*}} : memref<8x16xbf16>
func.func @rounds_first(%x: tensor<8x32xbf16>, %w: tensor<32x16xbf16>, %b: tensor<16xbf16>) -> tensor<8x16xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xbf16>) -> tensor<8x16xbf16>
  %2 = stablehlo.add %0, %1 : tensor<8x16xbf16>
  %3 = stablehlo.multiply %2, %2 : tensor<8x16xbf16>
  return %3 : tensor<8x16xbf16>
}

// Sums that something else needs too are rounded by a kernel of its own.
// CHECK-LABEL: func.func @sums_used_twice(
// CHECK: call @forge_rt_device_product_bf16_f32
func.func @sums_used_twice(%x: tensor<8x32xbf16>, %w: tensor<32x16xbf16>) -> (tensor<8x16xf32>, tensor<8x16xbf16>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xf32>
  %1 = stablehlo.convert %0 : (tensor<8x16xf32>) -> tensor<8x16xbf16>
  return %0, %1 : tensor<8x16xf32>, tensor<8x16xbf16>
}

func.func @large(%x: tensor<128x128xbf16>, %w: tensor<128x64xbf16>) -> tensor<128x64xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<128x128xbf16>, tensor<128x64xbf16>) -> tensor<128x64xbf16>
  return %0 : tensor<128x64xbf16>
}

// A rounding made of its own, of open sizes: they are those of what the product starts with, not asked of its result.
// CHECK-LABEL: func.func @rounds_first_dynamic(
// CHECK: call @forge_rt_device_product_bf16_bf16
func.func @rounds_first_dynamic(%x: tensor<?x?xbf16>, %w: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  %0 = transformer.matmul %x, %w : (tensor<?x?xbf16>, tensor<?x?xbf16>) -> tensor<?x?xbf16>
  %1 = transformer.activation silu %0 : tensor<?x?xbf16>
  %2 = stablehlo.multiply %1, %y : tensor<?x?xbf16>
  return %2 : tensor<?x?xbf16>
}

// A row's product loses its unit dimension before what follows it: the library computes both. The bias of one row is a residual.
// CHECK-LABEL: func.func @one_row(
// CHECK: call @forge_rt_device_product_bf16_bf16({{.*}}, %c0_i64, %c1_i64, %c1_i64, %c0_i64)
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @one_row(%x: tensor<1x32xbf16>, %w: tensor<16x32xbf16>, %b: tensor<16xbf16>) -> tensor<1x16xbf16> {
  %0 = transformer.matmul %x, %w bias %b {activation = #transformer.activation<relu>, transpose_rhs} : (tensor<1x32xbf16>, tensor<16x32xbf16>, tensor<16xbf16>) -> tensor<1x16xbf16>
  return %0 : tensor<1x16xbf16>
}

// Few rows: any elementwise operation joins, and in tier hybrid the library is not asked, however large the matrix is.
// CHECK-LABEL: func.func @few_rows(
// HYBRID-LABEL: func.func @few_rows(
// HYBRID-NOT: forge_rt_device_product
// HYBRID-COUNT-1: gpu.launch_func
// HYBRID-NOT: gpu.launch_func
// OPTIMIZED-LABEL: func.func @few_rows(
// OPTIMIZED-COUNT-1: gpu.launch_func
// OPTIMIZED-NOT: gpu.launch_func
func.func @few_rows(%x: tensor<4x512xbf16>, %w: tensor<2048x512xbf16>, %b: tensor<2048xbf16>) -> tensor<4x2048xbf16> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<4x512xbf16>, tensor<2048x512xbf16>) -> tensor<4x2048xbf16>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2048xbf16>) -> tensor<4x2048xbf16>
  %2 = stablehlo.add %0, %1 : tensor<4x2048xbf16>
  %3 = stablehlo.logistic %2 : tensor<4x2048xbf16>
  %4 = stablehlo.multiply %2, %3 : tensor<4x2048xbf16>
  return %4 : tensor<4x2048xbf16>
}

// A short product in f32 and what follows, which the library does not compute, are one kernel of strategy tiles.
// CHECK-LABEL: func.func @short_single(
// CHECK: call @forge_rt_device_product_f32_f32
// HYBRID-LABEL: func.func @short_single(
// HYBRID-NOT: forge_rt_device_product
// HYBRID: gpu.launch_func @kernels::{{.*}} {forge.description = "tiles;
// HYBRID-NOT: gpu.launch_func
// OPTIMIZED-LABEL: func.func @short_single(
// OPTIMIZED-COUNT-1: gpu.launch_func
// OPTIMIZED-NOT: gpu.launch_func
func.func @short_single(%x: tensor<64x32x64xf32>, %w: tensor<64x64x64xf32>) -> tensor<64x32x64xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<64x32x64xf32>, tensor<64x64x64xf32>) -> tensor<64x32x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x32x64xf32>
  return %1 : tensor<64x32x64xf32>
}

// What is put into a larger tensor stays with the kernel that puts it there.
// HYBRID-LABEL: func.func @placed_single(
// HYBRID-COUNT-2: gpu.launch_func
// HYBRID-NOT: gpu.launch_func
// OPTIMIZED-LABEL: func.func @placed_single(
func.func @placed_single(%x: tensor<64x32x64xf32>, %w: tensor<64x64x64xf32>, %all: tensor<8x64x32x64xf32>, %at: tensor<i32>) -> tensor<8x64x32x64xf32> {
  %0 = stablehlo.dot_general %x, %w, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<64x32x64xf32>, tensor<64x64x64xf32>) -> tensor<64x32x64xf32>
  %1 = stablehlo.tanh %0 : tensor<64x32x64xf32>
  %2 = stablehlo.reshape %1 : (tensor<64x32x64xf32>) -> tensor<1x64x32x64xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %3 = stablehlo.dynamic_update_slice %all, %2, %at, %zero, %zero, %zero : (tensor<8x64x32x64xf32>, tensor<1x64x32x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x64x32x64xf32>
  return %3 : tensor<8x64x32x64xf32>
}

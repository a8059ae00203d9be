// Which kernels are products for the vendor's library, and how they are called.
// RUN: split-file %s %t
// RUN: forge-opt %t/plan.mlir --forge-schedule-kernels=library=prefer | FileCheck %s --check-prefix=PLAN
// RUN: forge-opt %t/plan.mlir --forge-schedule-kernels=library=cost | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %t/plan.mlir --forge-schedule-kernels | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %t/call.mlir --forge-call-library | FileCheck %s --check-prefix=CALL
// RUN: not forge-opt %t/wrong.mlir --forge-call-library 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not forge-opt %t/no-fallback.mlir --forge-call-library 2>&1 | FileCheck %s --check-prefix=FALLBACK
// RUN: not forge-opt %t/no-field.mlir --forge-schedule-kernels 2>&1 | FileCheck %s --check-prefix=FIELD
// RUN: not forge-opt %t/wrong-tensor.mlir --forge-schedule-kernels 2>&1 | FileCheck %s --check-prefix=WRONG

// PLAN: @plain{{.*}}forge.fallback_schedule = #forge.schedule<strategy = {{generic|rows}}{{.*}}forge.schedule = #forge.schedule<strategy = library, min_macs = 0,
// PLAN: @starts_from_ones{{.*}}strategy = {{generic|rows}}
// PLAN: @accumulates_in_bf16{{.*}}strategy = {{generic|rows}}
// PLAN: @columns_before_the_batch{{.*}}strategy = library,
// PLAN: @part_of_a_factor{{.*}}strategy = library,
// PLAN: @batch_in_two_places{{.*}}strategy = {{generic|rows}}
// PLAN: @batch_innermost{{.*}}strategy = {{generic|rows}}
// PLAN: @heads_mixed{{.*}}strategy = library,
// PLAN: @few_heads_mixed{{.*}}strategy = {{generic|rows|tiles}}
// NONE-NOT: strategy = library
// CALL: func.func private @forge_rt_device_product_bf16_f32(memref<*xbf16>, memref<*xbf16>, memref<*xf32>, memref<*xf32>, memref<*xf32>, i64, i64, i64, i64) -> i32
// CALL: @product{{.*}}forge.schedule = #forge.schedule<strategy = generic,
// CALL: func.func @host(%[[A:.*]]: memref<2x4x3xbf16>, %[[B:.*]]: memref<2x3x8xbf16>, %[[C:.*]]: memref<2x4x8xf32>)
// CALL: %[[A1:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [2, 4, 3], strides: [12, 3, 1]
// CALL: %[[B1:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [2, 3, 8], strides: [24, 8, 1]
// CALL: %[[C1:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [2, 4, 8], strides: [32, 8, 1]
// CALL: %[[A2:.*]] = memref.cast %[[A1]]
// CALL: %[[B2:.*]] = memref.cast %[[B1]]
// CALL: %[[DONE:.*]] = call @forge_rt_device_product_bf16_f32(%[[A2]], %[[B2]], %{{.*}}, %{{.*}}, %{{.*}}, %c0_i64, %c0_i64{{.*}}, %c0_i64{{.*}}, %c77_i64) {forge.device_call}
// CALL: %[[LEFT:.*]] = arith.cmpi eq, %[[DONE]], %c0_i32
// CALL: scf.if %[[LEFT]] {
// CALL-NEXT: func.call @product(%[[A]], %[[B]], %[[C]])
// CALL-NEXT: }
// The matrices of a batch with their rows side by side, the right ones half of a tensor: strides and where they begin are the host's.
// CALL-LABEL: func.func @interleaved_host
// CALL: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3, 4, 5], strides: [5, 15, 1]
// CALL: memref.reinterpret_cast %{{.*}} to offset: [8], sizes: [3, 5, 8], strides: [80, 16, 1]
// CALL: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [3, 4, 8], strides: [8, 24, 1]
// WRONG: error: expected a product of two matrices, perhaps with bias, residual and activation, and nothing else for strategy 'library'
// FALLBACK: error: expected forge.fallback_schedule with a schedule of strategy 'library'
// FIELD: error: strategy 'library' has no field 'threads', expected min_macs, library

//--- plan.mlir
func.func private @plain(%a: tensor<4x3xf32>, %b: tensor<8x3xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<4x3xf32>, tensor<8x3xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func private @starts_from_ones(%a: tensor<4x3xf32>, %b: tensor<3x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {forge.kernel} {
  %one = arith.constant 1.0 : f32
  %0 = linalg.fill ins(%one : f32) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x3xf32>, tensor<3x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func private @accumulates_in_bf16(%a: tensor<4x3xbf16>, %b: tensor<3x8xbf16>, %c: tensor<4x8xbf16>) -> tensor<4x8xbf16> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : bf16
  %0 = linalg.fill ins(%zero : bf16) outs(%c : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  %1 = linalg.matmul ins(%a, %b : tensor<4x3xbf16>, tensor<3x8xbf16>) outs(%0 : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %1 : tensor<4x8xbf16>
}
func.func private @columns_before_the_batch(%a: tensor<2x4x3xf32>, %b: tensor<8x2x3xf32>, %c: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, b, k)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x4x3xf32>, tensor<8x2x3xf32>) outs(%0 : tensor<2x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}
func.func private @part_of_a_factor(%a: tensor<2x4x3xf32>, %b: tensor<3x16xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %left = tensor.extract_slice %a[1, 0, 0] [1, 4, 3] [1, 1, 1] : tensor<2x4x3xf32> to tensor<4x3xf32>
  %right = tensor.extract_slice %b[0, 8] [3, 8] [1, 1] : tensor<3x16xf32> to tensor<3x8xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%left, %right : tensor<4x3xf32>, tensor<3x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func private @batch_in_two_places(%a: tensor<2x4x5x3xf32>, %b: tensor<2x5x3x8xf32>, %c: tensor<2x5x4x8xf32>) -> tensor<2x5x4x8xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<2x5x4x8xf32>) -> tensor<2x5x4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, h, m, n, k) -> (b, m, h, k)>, affine_map<(b, h, m, n, k) -> (b, h, k, n)>, affine_map<(b, h, m, n, k) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<2x4x5x3xf32>, tensor<2x5x3x8xf32>) outs(%0 : tensor<2x5x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x4x8xf32>
  return %1 : tensor<2x5x4x8xf32>
}
func.func private @batch_innermost(%a: tensor<4x3x2xf32>, %b: tensor<2x3x8xf32>, %c: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k, b)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x3x2xf32>, tensor<2x3x8xf32>) outs(%0 : tensor<2x4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}
// Columns that memory does not join, of one matrix [h, g]: a batch, if its matrices have enough multiplications.
func.func private @heads_mixed(%a: tensor<2x8x16384xf32>, %w: tensor<8x8xf32>, %c: tensor<2x8x16384xf32>) -> tensor<2x8x16384xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<2x8x16384xf32>) -> tensor<2x8x16384xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, g, n, h) -> (b, h, n)>, affine_map<(b, g, n, h) -> (h, g)>, affine_map<(b, g, n, h) -> (b, g, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %w : tensor<2x8x16384xf32>, tensor<8x8xf32>) outs(%0 : tensor<2x8x16384xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16384xf32>
  return %1 : tensor<2x8x16384xf32>
}
func.func private @few_heads_mixed(%a: tensor<2x8x16383xf32>, %w: tensor<8x8xf32>, %c: tensor<2x8x16383xf32>) -> tensor<2x8x16383xf32> attributes {forge.kernel} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<2x8x16383xf32>) -> tensor<2x8x16383xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(b, g, n, h) -> (b, h, n)>, affine_map<(b, g, n, h) -> (h, g)>, affine_map<(b, g, n, h) -> (b, g, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %w : tensor<2x8x16383xf32>, tensor<8x8xf32>) outs(%0 : tensor<2x8x16383xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x8x16383xf32>
  return %1 : tensor<2x8x16383xf32>
}

//--- call.mlir
func.func private @interleaved(%a: memref<4x3x5xf32>, %b: memref<3x5x16xf32>, %c: memref<4x3x8xf32>) attributes {forge.kernel, forge.fallback_schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>, forge.schedule = #forge.schedule<strategy = library, min_macs = 0>} {
  %zero = arith.constant 0.0 : f32
  %part = memref.subview %b[0, 0, 8] [3, 5, 8] [1, 1, 1] : memref<3x5x16xf32> to memref<3x5x8xf32, strided<[80, 16, 1], offset: 8>>
  linalg.fill ins(%zero : f32) outs(%c : memref<4x3x8xf32>)
  linalg.generic {indexing_maps = [affine_map<(t, e, n, k) -> (t, e, k)>, affine_map<(t, e, n, k) -> (e, k, n)>, affine_map<(t, e, n, k) -> (t, e, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %part : memref<4x3x5xf32>, memref<3x5x8xf32, strided<[80, 16, 1], offset: 8>>) outs(%c : memref<4x3x8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.mulf %x, %y : f32
    %3 = arith.addf %z, %2 : f32
    linalg.yield %3 : f32
  }
  return
}
func.func private @product(%a: memref<2x4x3xbf16>, %b: memref<2x3x8xbf16>, %c: memref<2x4x8xf32>) attributes {forge.kernel, forge.fallback_schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>, forge.schedule = #forge.schedule<strategy = library, min_macs = 77>} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<2x4x8xf32>)
  linalg.batch_matmul ins(%a, %b : memref<2x4x3xbf16>, memref<2x3x8xbf16>) outs(%c : memref<2x4x8xf32>)
  return
}
func.func @host(%a: memref<2x4x3xbf16>, %b: memref<2x3x8xbf16>, %c: memref<2x4x8xf32>) {
  call @product(%a, %b, %c) : (memref<2x4x3xbf16>, memref<2x3x8xbf16>, memref<2x4x8xf32>) -> ()
  return
}
func.func @interleaved_host(%a: memref<4x3x5xf32>, %b: memref<3x5x16xf32>, %c: memref<4x3x8xf32>) {
  call @interleaved(%a, %b, %c) : (memref<4x3x5xf32>, memref<3x5x16xf32>, memref<4x3x8xf32>) -> ()
  return
}

//--- wrong.mlir
func.func private @two(%a: memref<4x4xf32>, %c: memref<4x4xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = library, min_macs = 0>} {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

//--- wrong-tensor.mlir
func.func private @sum(%a: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = library, min_macs = 0>} {
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- no-fallback.mlir
func.func private @product(%a: memref<4x3xf32>, %b: memref<3x8xf32>, %c: memref<4x8xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = library, min_macs = 0>} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x8xf32>)
  linalg.matmul ins(%a, %b : memref<4x3xf32>, memref<3x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

//--- no-field.mlir
func.func private @product(%a: tensor<4x3xf32>, %b: tensor<3x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = library, threads = 1>} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x3xf32>, tensor<3x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// Which kernels are products for the vendor's library, and how they are called.
// RUN: split-file %s %t
// RUN: forge-opt %t/plan.mlir --forge-schedule-kernels=library-least=0 | FileCheck %s --check-prefix=PLAN
// RUN: forge-opt %t/plan.mlir --forge-schedule-kernels=library-least=97 | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %t/plan.mlir --forge-schedule-kernels | FileCheck %s --check-prefix=NONE
// RUN: forge-opt %t/call.mlir --forge-call-library | FileCheck %s --check-prefix=CALL
// RUN: not forge-opt %t/wrong.mlir --forge-call-library 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not forge-opt %t/no-fallback.mlir --forge-call-library 2>&1 | FileCheck %s --check-prefix=FALLBACK
// RUN: not forge-opt %t/no-least.mlir --forge-schedule-kernels 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: not forge-opt %t/wrong-tensor.mlir --forge-schedule-kernels 2>&1 | FileCheck %s --check-prefix=WRONG

// PLAN: @plain{{.*}}forge.fallback_schedule = {strategy = "{{generic|rows}}"{{.*}}forge.schedule = {strategy = "library", threads = 1 : i64, tier = "production", tile = array<i64: 0>}
// PLAN: @starts_from_ones{{.*}}strategy = "{{generic|rows}}"
// PLAN: @accumulates_in_bf16{{.*}}strategy = "{{generic|rows}}"
// PLAN: @columns_before_the_batch{{.*}}strategy = "{{generic|rows}}"
// NONE-NOT: "library"
// CALL: func.func private @forge_rt_device_product_bf16_f32(memref<*xbf16>, memref<*xbf16>, memref<*xf32>, memref<*xf32>, memref<*xf32>, i64, i64, i64, i64, i64, i64, i64, i64, i64) -> i32
// CALL: @product{{.*}}forge.schedule = {strategy = "generic"
// CALL: func.func @host(%[[A:.*]]: memref<2x4x3xbf16>, %[[B:.*]]: memref<2x3x8xbf16>, %[[C:.*]]: memref<2x4x8xf32>)
// CALL: %[[A1:.*]] = memref.cast %[[A]]
// CALL: %[[B1:.*]] = memref.cast %[[B]]
// CALL: %[[C1:.*]] = memref.cast %[[C]]
// CALL: %[[DONE:.*]] = call @forge_rt_device_product_bf16_f32(%[[A1]], %[[B1]], %[[C1]], %{{.*}}, %{{.*}}, %c1_i64, %c1_i64{{.*}}, %c1_i64{{.*}}, %c0_i64, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c0_i64{{.*}}, %c77_i64) {forge.device_call}
// CALL: %[[LEFT:.*]] = arith.cmpi eq, %[[DONE]], %c0_i32
// CALL: scf.if %[[LEFT]] {
// CALL-NEXT: func.call @product(%[[A]], %[[B]], %[[C]])
// CALL-NEXT: }
// WRONG: error: expected a product of two matrices, perhaps with bias, residual and activation, and nothing else for strategy 'library'
// FALLBACK: error: expected forge.fallback_schedule beside a schedule of strategy 'library'
// LEAST: error: expected one number in 'tile' for strategy 'library', the fewest multiplications, but got 0

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

//--- call.mlir
func.func private @product(%a: memref<2x4x3xbf16>, %b: memref<2x3x8xbf16>, %c: memref<2x4x8xf32>) attributes {forge.kernel, forge.fallback_schedule = {strategy = "generic", tier = "correctness", tile = array<i64: 1>, threads = 64 : i64}, forge.schedule = {strategy = "library", tier = "production", tile = array<i64: 77>, threads = 1 : i64}} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<2x4x8xf32>)
  linalg.batch_matmul ins(%a, %b : memref<2x4x3xbf16>, memref<2x3x8xbf16>) outs(%c : memref<2x4x8xf32>)
  return
}
func.func @host(%a: memref<2x4x3xbf16>, %b: memref<2x3x8xbf16>, %c: memref<2x4x8xf32>) {
  call @product(%a, %b, %c) : (memref<2x4x3xbf16>, memref<2x3x8xbf16>, memref<2x4x8xf32>) -> ()
  return
}

//--- wrong.mlir
func.func private @two(%a: memref<4x4xf32>, %c: memref<4x4xf32>) attributes {forge.kernel, forge.schedule = {strategy = "library", tier = "production", tile = array<i64: 0>, threads = 1 : i64}} {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

//--- wrong-tensor.mlir
func.func private @sum(%a: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> attributes {forge.kernel, forge.schedule = {strategy = "library", tier = "production", tile = array<i64: 0>, threads = 1 : i64}} {
  %0 = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- no-fallback.mlir
func.func private @product(%a: memref<4x3xf32>, %b: memref<3x8xf32>, %c: memref<4x8xf32>) attributes {forge.kernel, forge.schedule = {strategy = "library", tier = "production", tile = array<i64: 0>, threads = 1 : i64}} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<4x8xf32>)
  linalg.matmul ins(%a, %b : memref<4x3xf32>, memref<3x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

//--- no-least.mlir
func.func private @product(%a: tensor<4x3xf32>, %b: tensor<3x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {forge.kernel, forge.schedule = {strategy = "library", tier = "production", tile = array<i64>, threads = 1 : i64}} {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%c : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x3xf32>, tensor<3x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

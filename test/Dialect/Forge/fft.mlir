// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s --emit-bytecode | forge-opt | FileCheck %s
// RUN: forge-opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s --check-prefix=BUFFERS
// RUN: forge-opt %s --one-shot-bufferize="bufferize-function-boundaries" --forge-lower-fft | FileCheck %s --check-prefix=CALLS

// CHECK-LABEL: @example
// CHECK: %{{.*}} = forge.fft rfft 1 ins(%arg0 : tensor<4x16xf32>) outs(%{{.*}} : tensor<4x9x2xf32>) -> tensor<4x9x2xf32>
// CHECK: %{{.*}} = forge.fft ifft 3 ins(%arg1 : tensor<?x2x3x4x2xf64>) outs(%arg2 : tensor<?x2x3x4x2xf64>) -> tensor<?x2x3x4x2xf64>
// The output is only written: no copy of it, nor of the input.
// BUFFERS-LABEL: @example
// BUFFERS: %[[Y:.*]] = memref.alloc() {{.*}} : memref<4x9x2xf32>
// BUFFERS-NOT: memref.copy
// BUFFERS: forge.fft rfft 1 ins(%arg0 : {{.*}}) outs(%[[Y]] : memref<4x9x2xf32>)
// BUFFERS: forge.fft ifft 3 ins(%arg1 : {{.*}}) outs(%arg2 : {{.*}})
// CALLS: func.func private @forge_rt_fft_f64(i64, i64, memref<*xf64>, memref<*xf64>)
// CALLS: func.func private @forge_rt_fft_f32(i64, i64, memref<*xf32>, memref<*xf32>)
// CALLS-LABEL: @example
// CALLS-DAG: %[[TWO:.*]] = arith.constant 2 : i64
// CALLS-DAG: %[[X:.*]] = memref.cast %arg0
// CALLS: call @forge_rt_fft_f32(%{{.*}}, %{{.*}}, %[[X]], %{{.*}})
// CALLS: call @forge_rt_fft_f64
func.func @example(%x: tensor<4x16xf32>, %u: tensor<?x2x3x4x2xf64>, %v: tensor<?x2x3x4x2xf64>) -> (tensor<4x9x2xf32>, tensor<?x2x3x4x2xf64>) {
  %y = tensor.empty() : tensor<4x9x2xf32>
  %r = forge.fft rfft 1 ins(%x : tensor<4x16xf32>) outs(%y : tensor<4x9x2xf32>) -> tensor<4x9x2xf32>
  %w = forge.fft ifft 3 ins(%u : tensor<?x2x3x4x2xf64>) outs(%v : tensor<?x2x3x4x2xf64>) -> tensor<?x2x3x4x2xf64>
  return %r, %w : tensor<4x9x2xf32>, tensor<?x2x3x4x2xf64>
}

// A buffer that is read later is not overwritten.
// BUFFERS-LABEL: @again
// BUFFERS: %[[OTHER:.*]] = memref.alloc()
// BUFFERS: forge.fft fft 1 ins(%arg0 : {{.*}}) outs(%[[OTHER]] : {{.*}})
func.func @again(%x: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<8x2xf32>) {
  %r = forge.fft fft 1 ins(%x : tensor<8x2xf32>) outs(%x : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %x, %r : tensor<8x2xf32>, tensor<8x2xf32>
}

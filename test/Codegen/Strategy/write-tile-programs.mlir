// Kernels whose strategies write tile programs become those, which keep the schedule; others stay. A program that takes tiles of work from a
// counter has it as a last argument, which calls pass: memory of the host's function, cleared where that begins.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=blocks" | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=bufferize" | forge-opt --forge-pipeline="target=cuda:sm_90a tier=optimized from=bufferize to=gpu" | FileCheck %s --check-prefix=GPU
// A kernel that phase `blocks` has not seen is written where it is lowered.
// RUN: forge-opt %s --forge-pipeline="target=cuda:sm_90a tier=optimized to=bufferize" | forge-opt --forge-lower-kernels=chip=sm_90a | FileCheck %s --check-prefix=GPU
// RUN: not forge-opt %s --forge-write-tile-programs=chip=sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: unknown chip 'sm_1'

// CHECK: memref.global "private" constant @forge_no_work : memref<2xi32> = dense<0>
// CHECK: func.func private @attention({{.*}}: memref<2xi32>) attributes {forge.kernel, forge.reference = @attention_linalg, forge.schedule = #forge.schedule<strategy = flash
// CHECK-SAME: tile.grid = array<i64: 132>
// CHECK: tile.work
// What the program computes, for `forge verify`: the kernel as it was.
// CHECK: func.func private @attention_linalg({{.*}}: memref<2xi32>) {
// CHECK-NOT: tile.
// CHECK: linalg.generic
// CHECK: func.func private @{{.*}}strategy = rows
// CHECK-NOT: tile.
// CHECK: linalg.generic
// CHECK: func.func @main
// CHECK: %[[COUNTER:.*]] = memref.alloc() : memref<2xi32>
// CHECK: %[[ZEROS:.*]] = memref.get_global @forge_no_work
// CHECK: memref.copy %[[ZEROS]], %[[COUNTER]]
// CHECK: call @attention({{.*}}, %[[COUNTER]])

// GPU: gpu.launch_func {{.*}}@kernels::@attention
// GPU-SAME: memref<2xi32>
func.func @main(%q: tensor<4x32x1024x128xbf16>, %k: tensor<4x32x1024x128xbf16>, %v: tensor<4x32x1024x128xbf16>) -> (tensor<4x32x1024x128xbf16>, tensor<4x32x1024x128xbf16>) {
  %0 = transformer.attention %q, %k, %v {causal, scale = 0.125 : f32} : (tensor<4x32x1024x128xbf16>, tensor<4x32x1024x128xbf16>, tensor<4x32x1024x128xbf16>) -> tensor<4x32x1024x128xbf16>
  %1 = stablehlo.tanh %q : tensor<4x32x1024x128xbf16>
  return %0, %1 : tensor<4x32x1024x128xbf16>, tensor<4x32x1024x128xbf16>
}

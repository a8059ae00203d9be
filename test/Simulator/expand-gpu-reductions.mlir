// RUN: forge-opt %s --forge-expand-gpu-reductions=warp-size=64 | FileCheck %s

// CHECK-LABEL: @sum
// CHECK-COUNT-6: gpu.shuffle {{ *}}xor
// CHECK-NOT: gpu.shuffle
// CHECK-NOT: gpu.subgroup_reduce
gpu.module @kernels {
  gpu.func @sum(%a: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %a[%t] : memref<64xf32>
    %s = gpu.subgroup_reduce add %v : (f32) -> f32
    memref.store %s, %a[%t] : memref<64xf32>
    gpu.return
  }
}

// RUN: forge compile %s --target sim:sm_90a --to gpu -o - --stats %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t.json
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:sm_90a --distribution huge
// RUN: forge verify %s --target sim:gfx942
// RUN: forge verify %s --target sim:gfx1100
// RUN: forge verify %s --target cpu

// The products with three matrices are one launch, parts with sums of one type in the same shared memory, although the program
// reverses the first result between them; so are the kernels that reverse, with blocks of 256 and of 64 threads, which do not meet.
// The statistics have what was fused as one kernel, with the work of its parts.
// CHECK: gpu.func @[[QKV:contraction[a-z_0-9]*_and_contraction[a-z_0-9]*_and_contraction[a-z_0-9]*]]({{.*}} workgroup({{.*}}forge.parts = [
// CHECK: func.func @main(
// CHECK: gpu.launch_func @kernels::@[[QKV]] blocks
// CHECK-SAME: forge.description = "gemv; {{.*}} | gemv; {{.*}} | gemv; {{.*}}"
// CHECK: gpu.launch_func @kernels::@elementwise_and_elementwise_1 blocks in ({{.*}}) threads in (%c256,
// CHECK-NOT: gpu.launch_func
// CHECK: return
// STATS: "name": "contraction{{[a-z_0-9]*}}_and_contraction{{[a-z_0-9]*}}_and_contraction
// STATS-NEXT: "strategy": "gemv"
// STATS-NEXT: "schedule": "gemv; {{.*}} | gemv; {{.*}} | gemv; {{.*}}"
// STATS-NEXT: "flops": 3145728
// STATS: "launches": 1
// STATS: "launches": 2
func.func @main(%x: tensor<1x1024xf32>, %wq: tensor<1024x1024xf32>, %wk: tensor<256x1024xf32>, %wv: tensor<256x1024xf32>)
    -> (tensor<1x1024xf32>, tensor<1x256xf32>, tensor<1x256xf32>) {
  %q = stablehlo.dot_general %x, %wq, contracting_dims = [1] x [1] : (tensor<1x1024xf32>, tensor<1024x1024xf32>) -> tensor<1x1024xf32>
  %rq = stablehlo.reverse %q, dims = [1] : tensor<1x1024xf32>
  %k = stablehlo.dot_general %x, %wk, contracting_dims = [1] x [1] : (tensor<1x1024xf32>, tensor<256x1024xf32>) -> tensor<1x256xf32>
  %rk = stablehlo.reverse %k, dims = [1] : tensor<1x256xf32>
  %v = stablehlo.dot_general %x, %wv, contracting_dims = [1] x [1] : (tensor<1x1024xf32>, tensor<256x1024xf32>) -> tensor<1x256xf32>
  return %rq, %rk, %v : tensor<1x1024xf32>, tensor<1x256xf32>, tensor<1x256xf32>
}

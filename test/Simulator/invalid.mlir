// RUN: %exits 1 forge-sim %s --kernel few --block 32 --arg f32[32]=0 --chip sm_80 --grid 0 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: %exits 1 forge-sim %s --kernel few --block 64 --arg f32[32]=0 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: %exits 1 forge-sim %s --kernel few --block 32 --arg f32[32]=0 --chip gfx942 --shared 65537 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: %exits 1 forge-sim %s --kernel few --block 32 --grid 3 --cluster 2 --arg f32[32]=0 2>&1 | FileCheck %s --check-prefix=CLUSTER
// RUN: %exits 1 forge-sim %s --kernel few --chip sm_1 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: %exits 1 forge-sim %s --kernel none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 forge-sim %s --kernel few 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: %exits 1 forge-sim %S/Inputs/unmodelled.mlir 2>&1 | FileCheck %s --check-prefix=MODEL
// RUN: %exits 1 forge-sim %S/Inputs/packed-conversion.mlir 2>&1 | FileCheck %s --check-prefix=PACKED
// RUN: %exits 1 forge-sim %S/Inputs/relu-conversion.mlir 2>&1 | FileCheck %s --check-prefix=RELU
// RUN: %exits 1 forge-sim %S/Inputs/allocates.mlir 2>&1 | FileCheck %s --check-prefix=ALLOC
// RUN: %exits 1 forge-sim %S/Inputs/dynamic-argument.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: %exits 1 forge-sim %s --kernel few --arg i32=1e30 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %exits 1 forge-sim %s --kernel few --arg f32[4611686018427387905]=0 2>&1 | FileCheck %s --check-prefix=COUNT

// NUMBER: error: expected a number, but got '1e30'
// COUNT: error: expected TYPE[COUNT]=FILL, but got 'f32[4611686018427387905]=0'

// GRID: error: kernel 'few': invalid launch: expected at least one block, but got a grid of 0x1x1
// BLOCK: error: kernel 'few': invalid launch: expected blocks of 32x1x1 threads, but got 64x1x1
// SHARED: error: kernel 'few': invalid launch: expected at most 65536 bytes of shared memory, but got 65537
// CLUSTER: error: kernel 'few': invalid launch: expected a grid that is a multiple of clusters of 2x1x1, but got 3x1x1
// CHIP: error: unknown chip 'sm_1'
// NONE: error: no kernel 'none' in the file
// ARGUMENTS: error: expected 1 arguments, but got 0
// MODEL: error: {{.*}}unmodelled.mlir":4:{{.*}}: the simulator has no model of 'nvvm.read.ptx.sreg.clock'
// PACKED: error: {{.*}}packed-conversion.mlir":6:{{.*}}cannot simulate a conversion but one with satfinite to two elements of f8E4M3FN or f8E5M2
// RELU: error: {{.*}}relu-conversion.mlir":5:{{.*}}cannot simulate a conversion with relu
// ALLOC: error: {{.*}}allocates.mlir":3:{{.*}}expected no allocation of memory in a kernel
// DYNAMIC: error: {{.*}}expected kernel arguments of static shape and identity layout, but got 'memref<?xf32>'
gpu.module @kernels {
  gpu.func @few(%a: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

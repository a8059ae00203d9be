// RUN: forge-opt %s --split-input-file --forge-chain-launches | FileCheck %s
// RUN: forge-opt %s --split-input-file --forge-chain-launches=cluster=2 | FileCheck %s --check-prefix=PAIR

// Two blocks of 64 threads, which meet, and then three of 32: one cluster of four, whose blocks meet between them. Threads of the
// smaller blocks have a barrier of their own.
// CHECK-LABEL: gpu.module @kernels
// CHECK-NOT: gpu.func @norm(
// CHECK: gpu.func @norm_then_rope(%[[X:.*]]: memref<64xf32>, %[[S:.*]]: memref<64xf32>, %[[S2:.*]]: memref<64xf32>, %[[R:.*]]: memref<64xf32>)
// CHECK-SAME: workgroup(%[[B:.*]] : memref<64xf32, #gpu.address_space<workgroup>>) kernel
// CHECK-SAME: forge.parts = ["norm", "rope"]
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>, known_cluster_size = array<i32: 4, 1, 1>
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[HAS:.*]] = arith.cmpi ult, %[[BLOCK]], %[[TWO]]
// CHECK: scf.if %[[HAS]] {
// CHECK: memref.load %[[X]]
// CHECK: gpu.barrier
// CHECK: memref.store %{{.*}}, %[[S]]
// CHECK: }
// CHECK-NEXT: nvvm.cluster.arrive {aligned}
// CHECK-NEXT: nvvm.cluster.wait {aligned}
// CHECK: scf.if
// CHECK: %[[THREADS:.*]] = arith.constant 32 : index
// CHECK: arith.cmpi ult, %{{.*}}, %[[THREADS]]
// CHECK: scf.if
// CHECK: memref.load %[[S2]]
// CHECK-NOT: gpu.barrier
// CHECK: nvvm.barrier id = %{{.*}} number_of_threads = %{{.*}}
// CHECK: memref.store %{{.*}}, %[[R]]
// CHECK: gpu.return
// CHECK-LABEL: func.func @main
// CHECK: %[[BLOCKS:.*]] = arith.constant 4 : index
// CHECK: gpu.launch_func @kernels::@norm_then_rope blocks in (%[[BLOCKS]],
// CHECK-NEXT: return
// Three blocks are more than a cluster of two.
// PAIR-LABEL: func.func @main
// PAIR: gpu.launch_func @kernels::@norm blocks
// PAIR: gpu.launch_func @kernels::@rope blocks
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @norm(%x: memref<64xf32>, %s: memref<64xf32>) workgroup(%b: memref<64xf32, #gpu.address_space<workgroup>>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      memref.store %v, %s[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @rope(%s: memref<64xf32>, %r: memref<64xf32>) workgroup(%b: memref<64xf32, #gpu.address_space<workgroup>>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = generic>, known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %s[%t] : memref<64xf32>
      memref.store %v, %b[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      memref.store %v, %r[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<64xf32>, %r: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@norm blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %s : memref<64xf32>)
    gpu.launch_func @kernels::@rope blocks in (%c3, %c1, %c1) threads in (%c32, %c1, %c1) args(%s : memref<64xf32>, %r : memref<64xf32>)
    return
  }
}

// -----

// A launch of another strategy between, or a copy, ends a chain.
// CHECK-LABEL: func.func @apart
// CHECK: gpu.launch_func @others::@rows blocks
// CHECK: gpu.launch_func @others::@product blocks
// CHECK: gpu.launch_func @others::@rows blocks
// CHECK: memref.copy
// CHECK: gpu.launch_func @others::@rows blocks
module attributes {gpu.container_module} {
  gpu.module @others {
    gpu.func @rows(%x: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = rows>, known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %x[%t] : memref<64xf32>
      gpu.return
    }
    gpu.func @product(%x: memref<64xf32>) kernel
        attributes {forge.schedule = #forge.schedule<strategy = gemv>, known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<64xf32>
      memref.store %v, %x[%t] : memref<64xf32>
      gpu.return
    }
  }
  func.func @apart(%x: memref<64xf32>, %y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @others::@rows blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>)
    gpu.launch_func @others::@product blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>)
    gpu.launch_func @others::@rows blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>)
    memref.copy %x, %y : memref<64xf32> to memref<64xf32>
    gpu.launch_func @others::@rows blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : memref<64xf32>)
    return
  }
}

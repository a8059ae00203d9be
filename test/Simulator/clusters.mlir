// RUN: forge-sim %s --kernel next_block --grid 4 --block 32 --arg i32[4]=0 --print 0 | FileCheck %s --check-prefix=OK
// RUN: forge-sim %s --kernel next_block --grid 4 --block 32 --cluster 4 --arg i32[4]=0 --print 0 --seed 7 | FileCheck %s --check-prefix=OK
// RUN: forge-sim %s --kernel first_exits --grid 4 --block 1 --arg i32[4]=0 --print 0 | FileCheck %s --check-prefix=EXITS
// RUN: forge-sim %s --kernel first_exits --grid 4 --block 1 --arg i32[4]=0 --print 0 --seed 5 | FileCheck %s --check-prefix=EXITS
// RUN: forge-sim %s --kernel all_exit --grid 4 --block 1 --arg i32[4]=0 --print 0 --seed 5 | FileCheck %s --check-prefix=EXITS
// RUN: %exits 1 forge-sim %s --kernel without_wait --grid 4 --block 32 --arg i32[4]=0 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: %exits 1 forge-sim %s --kernel outside --grid 4 --block 32 --arg i32[4]=0 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: %exits 1 forge-sim %s --kernel next_block --grid 4 --block 32 --cluster 2 --arg i32[4]=0 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %exits 1 forge-sim %s --kernel next_block --grid 6 --block 32 --arg i32[6]=0 2>&1 | FileCheck %s --check-prefix=GRID

// A kernel that demands clusters of 4 gets them; every block stores its number in the shared memory of the next.
// SIZE: invalid launch: expected clusters of 4x1x1, but got 2x1x1
// GRID: invalid launch: expected a grid that is a multiple of clusters of 4x1x1, but got 6x1x1
gpu.module @kernels {
  // The cluster's barrier does not wait for threads that have exited, whether they arrived or not.
  // EXITS: 0 1 2 3
  gpu.func @first_exits(%a: memref<4xi32>) kernel attributes {known_cluster_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %number = arith.index_cast %block : index to i32
    %is_first = arith.cmpi eq, %block, %c0 : index
    scf.if %is_first {
      memref.store %number, %a[%block] : memref<4xi32>
    } else {
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      memref.store %number, %a[%block] : memref<4xi32>
    }
    gpu.return
  }
  gpu.func @all_exit(%a: memref<4xi32>) kernel attributes {known_cluster_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %number = arith.index_cast %block : index to i32
    %is_first = arith.cmpi eq, %block, %c0 : index
    nvvm.cluster.arrive {aligned}
    memref.store %number, %a[%block] : memref<4xi32>
    scf.if %is_first {
    } else {
      nvvm.cluster.wait {aligned}
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
    }
    gpu.return
  }
  // OK: 3 0 1 2
  gpu.func @next_block(%a: memref<4xi32>) workgroup(%s: memref<1xi32, #gpu.address_space<workgroup>>) kernel attributes {known_cluster_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : i32
    %i3 = arith.constant 3 : i32
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %first = arith.cmpi eq, %t, %c0 : index
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %first {
      %number = arith.index_cast %block : index to i32
      %sum = arith.addi %number, %i1 : i32
      %next = arith.andi %sum, %i3 : i32
      %address = memref.extract_aligned_pointer_as_index %s : memref<1xi32, #gpu.address_space<workgroup>> -> index
      %bits = arith.index_cast %address : index to i64
      %own = llvm.inttoptr %bits : i64 to !llvm.ptr<3>
      %there = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
      llvm.store %number, %there : i32, !llvm.ptr<7>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %v = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    scf.if %first {
      memref.store %v, %a[%block] : memref<4xi32>
    }
    gpu.return
  }

  // The second barrier is missing: what the other block stores may come later.
  // RACE: error: kernel 'without_wait':
  gpu.func @without_wait(%a: memref<4xi32>) workgroup(%s: memref<1xi32, #gpu.address_space<workgroup>>) kernel attributes {known_cluster_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %i1 = arith.constant 1 : i32
    %i3 = arith.constant 3 : i32
    %t = gpu.thread_id x
    %block = gpu.block_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %i1, %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %first {
      %number = arith.index_cast %block : index to i32
      %sum = arith.addi %number, %i1 : i32
      %next = arith.andi %sum, %i3 : i32
      %address = memref.extract_aligned_pointer_as_index %s : memref<1xi32, #gpu.address_space<workgroup>> -> index
      %bits = arith.index_cast %address : index to i64
      %own = llvm.inttoptr %bits : i64 to !llvm.ptr<3>
      %there = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
      llvm.store %number, %there : i32, !llvm.ptr<7>
    }
    // RACE-SAME: data race
    %v = memref.load %s[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    scf.if %first {
      memref.store %v, %a[%block] : memref<4xi32>
    }
    gpu.return
  }

  // OUTSIDE: expected a block of a cluster of 4, but got 4
  gpu.func @outside(%a: memref<4xi32>) workgroup(%s: memref<1xi32, #gpu.address_space<workgroup>>) kernel attributes {known_cluster_size = array<i32: 4, 1, 1>} {
    %i4 = arith.constant 4 : i32
    %address = memref.extract_aligned_pointer_as_index %s : memref<1xi32, #gpu.address_space<workgroup>> -> index
    %bits = arith.index_cast %address : index to i64
    %own = llvm.inttoptr %bits : i64 to !llvm.ptr<3>
    %there = nvvm.mapa %own, %i4 : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %i4, %there : i32, !llvm.ptr<7>
    gpu.return
  }
}

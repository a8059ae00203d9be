// Work that blocks share out: the role that copies takes numbers and hands them to the others; one thread takes every number that is its
// block's modulo the grid.
// RUN: forge-opt --forge-lower-kernels=chip=sm_90a --canonicalize --cse %s | FileCheck %s
// RUN: forge-opt --forge-lower-kernels="chip=sm_90a naive-tiles" --canonicalize --cse %s | FileCheck %s --check-prefix=NAIVE
// RUN: not forge-opt --forge-lower-kernels=chip=sm_80 %s 2>&1 | FileCheck %s --check-prefix=CHIP

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64]>

// Two slots: a full and an empty barrier each, at which four warps arrive.
// CHECK-LABEL: gpu.func @work(
// CHECK-SAME: %{{.*}}: memref<128xi32>, %[[COUNTER:.*]]: memref<2xi32>
// CHECK-COUNT-4: nvvm.mbarrier.init
// CHECK: %[[OWN:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: scf.while (%[[SLOT:.*]] = %c0_i32, %[[PARITY:.*]] = %c1_i32, %[[NEXT:.*]] = %[[OWN]])
// CHECK:   nvvm.mbarrier.try_wait.parity
// CHECK:   memref.store %[[NEXT]]
// CHECK:   nvvm.mbarrier.arrive
// CHECK:   %[[IS:.*]] = arith.cmpi slt, %[[NEXT]], %c9_i32
// CHECK:   scf.condition(%[[IS]])
// CHECK:   %[[TAKEN:.*]] = llvm.atomicrmw add %{{.*}}, %c1_i32 syncscope("device") monotonic
// CHECK:   arith.addi %[[TAKEN]], %c4_i32
// The last block to end clears both numbers.
// CHECK: %[[ENDED:.*]] = llvm.atomicrmw add
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %{{.*}}, %c4_i32
// CHECK: scf.if %[[LAST]] {
// CHECK-COUNT-2: llvm.atomicrmw xchg
// CHECK: } else {
// CHECK:   scf.while (%{{.*}} = %c0_i32, %{{.*}} = %c0_i32)
// CHECK:     nvvm.mbarrier.try_wait.parity
// CHECK:     %[[NUMBER:.*]] = memref.load
// CHECK:     nvvm.mbarrier.arrive
// CHECK:     arith.cmpi slt, %[[NUMBER]], %c9_i32

// NAIVE-LABEL: gpu.func @work(
// NAIVE: %[[BLOCK:.*]] = gpu.block_id x
// NAIVE: %[[FIRST:.*]] = arith.index_cast %[[BLOCK]] : index to i32
// NAIVE: scf.for %{{.*}} = %[[FIRST]] to %c9_i32 step %c4_i32
// NAIVE-NOT: atomic

// CHIP: error: 'tile.work' op expected a chip with mbarriers, but got sm_80
func.func private @work(%out: memref<128xi32>, %counter: memref<2xi32>)
    attributes {forge.kernel, tile.grid = array<i64: 4>} {
  %c0 = arith.constant 0 : index
  %n = arith.constant 9 : i32
  tile.role @copy warps = 4 {
    tile.work %t below %n from %counter : memref<2xi32> {
    }
  }
  tile.role @math warps = 4 {
    tile.work %t below %n from %counter : memref<2xi32> {
      %x = tensor.splat %t : tensor<128xi32, #t>
      tile.store %x, %out[%c0] : tensor<128xi32, #t>, memref<128xi32>
    }
  }
  return
}
func.func @main(%out: memref<128xi32>, %counter: memref<2xi32>) {
  call @work(%out, %counter) : (memref<128xi32>, memref<2xi32>) -> ()
  return
}

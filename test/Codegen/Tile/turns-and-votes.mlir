// Warpgroups that take turns, and warps that vote.
// RUN: forge-opt --split-input-file --forge-lower-kernels=chip=sm_90a --canonicalize --cse %s | FileCheck %s

// Each of two warpgroups has a barrier, behind those of the roles. The last one gives the first its turn; a turn is 128 threads
// that wait and 128 that arrive.

#t = #tile.layout<reg = [], lane = [x1, x2, x4, x8, x16], warp = [x32, x64, x128]>

// CHECK-LABEL: gpu.func @turns(
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : i32
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
// CHECK: scf.if
// CHECK: } else {
// CHECK:   %[[GROUP:.*]] = arith.divui %{{.*}}, %c4_i32 : i32
// CHECK:   %[[LAST:.*]] = arith.cmpi eq, %[[GROUP]], %c1_i32 : i32
// CHECK:   scf.if %[[LAST]] {
// CHECK-NEXT: nvvm.barrier.arrive id = %[[C3]] number_of_threads = %[[THREADS]]
// CHECK:   scf.for
// CHECK:     %[[OWN:.*]] = arith.addi %[[GROUP]], %[[C3]] : i32
// CHECK:     nvvm.barrier id = %[[OWN]] number_of_threads = %[[THREADS]]
// CHECK:     %[[NEXT:.*]] = arith.select %{{.*}}, %c0_i32, %{{.*}} : i32
// CHECK:     %[[OTHER:.*]] = arith.addi %[[NEXT]], %[[C3]] : i32
// CHECK:     nvvm.barrier.arrive id = %[[OTHER]] number_of_threads = %[[THREADS]]
func.func private @turns(%y: memref<256xf32>, %n: index) attributes {forge.kernel, tile.grid = array<i64: 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  tile.role @idle warps = 4 {
  }
  tile.role @math warps = 8 {
    %x = arith.constant dense<1.0> : tensor<256xf32, #t>
    scf.for %i = %c0 to %n step %c1 {
      tile.turn
      tile.store %x, %y[%c0] : tensor<256xf32, #t>, memref<256xf32>
      tile.pass
    }
  }
  return
}
func.func @main(%y: memref<256xf32>, %n: index) {
  call @turns(%y, %n) : (memref<256xf32>, index) -> ()
  return
}

// -----

// A thread's conditions, then those of its warp; a branch for all lanes.

#t = #tile.layout<reg = [x1], lane = [x2, x4, x8, x16, x32], warp = [x64]>

// CHECK-LABEL: gpu.func @votes(
// CHECK: %[[FIRST:.*]] = arith.cmpf ogt
// CHECK: %[[SECOND:.*]] = arith.cmpf ogt
// CHECK: %[[ANY:.*]] = arith.ori %[[FIRST]], %[[SECOND]] : i1
// CHECK: %[[VOTE:.*]] = nvvm.vote.sync any %c-1_i32, %[[ANY]] -> i1
// CHECK: %[[R:.*]]:2 = scf.if %[[VOTE]] -> (f32, f32) {
// CHECK:   arith.addf
// CHECK:   scf.yield
// CHECK: } else {
// CHECK-NEXT: scf.yield
func.func private @votes(%in: memref<128xf32>, %out: memref<128xf32>)
    attributes {forge.kernel, tile.grid = array<i64: 1>, tile.warps = 2} {
  %c0 = arith.constant 0 : index
  %x = tile.load %in[%c0] : memref<128xf32> -> tensor<128xf32, #t>
  %zero = arith.constant dense<0.0> : tensor<128xf32, #t>
  %c = arith.cmpf ogt, %x, %zero : tensor<128xf32, #t>
  %y = tile.when %c else (%x : tensor<128xf32, #t>) : tensor<128xi1, #t> {
    %twice = arith.addf %x, %x : tensor<128xf32, #t>
    tile.yield %twice : tensor<128xf32, #t>
  }
  tile.store %y, %out[%c0] : tensor<128xf32, #t>, memref<128xf32>
  return
}
func.func @main(%in: memref<128xf32>, %out: memref<128xf32>) {
  call @votes(%in, %out) : (memref<128xf32>, memref<128xf32>) -> ()
  return
}

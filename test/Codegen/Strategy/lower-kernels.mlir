// RUN: forge-opt %s --split-input-file --forge-lower-kernels --canonicalize --cse --verify-diagnostics | FileCheck %s

// A thread for each element; the reduction runs inside, from the fill's value, four terms at a time, and is stored once.
// CHECK-LABEL: gpu.func @reduce(
// CHECK-SAME: %[[X:.*]]: memref<100x16xf32>, %[[O:.*]]: memref<100xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK: vector.load %[[X]]{{.*}} vector<4xf32>
// CHECK: memref.store %[[SUM]], %[[O]]
// CHECK-NOT: memref.store
// CHECK-LABEL: func.func @main
// CHECK: gpu.launch_func @kernels::@reduce blocks in (%c2, %c1, %c1) threads in (%c64, %c1, %c1) args(%{{.*}} : memref<100x16xf32>, %{{.*}} : memref<100xf32>)
func.func private @reduce(%x: memref<100x16xf32>, %o: memref<100xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%o : memref<100xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<100x16xf32>) outs(%o : memref<100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @main(%x: memref<100x16xf32>, %o: memref<100xf32>) {
  call @reduce(%x, %o) : (memref<100x16xf32>, memref<100xf32>) -> ()
  return
}

// -----

// Sizes of run time: a pointer and the sizes; the host computes the number of blocks.
// CHECK-LABEL: gpu.func @dynamic(
// CHECK-SAME: %{{.*}}: memref<f32>, %[[N:.*]]: index, %{{.*}}: memref<f32>, %{{.*}}: index) kernel
// CHECK: memref.reinterpret_cast {{.*}} sizes: [%[[N]], 4], strides: [4, 1]
// CHECK: scf.for
// CHECK-LABEL: func.func @main
// CHECK: arith.ceildivui
// CHECK: arith.minui
// CHECK: gpu.launch_func @kernels::@dynamic
func.func private @dynamic(%x: memref<?x4xf32>, %o: memref<?x4xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 256, reduce_threads = 1>} {
  linalg.exp ins(%x : memref<?x4xf32>) outs(%o : memref<?x4xf32>)
  return
}
func.func @main(%x: memref<?x4xf32>, %o: memref<?x4xf32>) {
  call @dynamic(%x, %o) : (memref<?x4xf32>, memref<?x4xf32>) -> ()
  return
}

// -----

// A scan is one thread's.
// CHECK-LABEL: gpu.func @scan(
// CHECK-NOT: gpu.thread_id
// CHECK: scf.for
// CHECK-LABEL: func.func @main
// CHECK: blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
func.func private @scan(%x: memref<8xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 1, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %zero) -> f32 {
    %e = memref.load %x[%i] : memref<8xf32>
    %t = arith.addf %s, %e : f32
    memref.store %t, %x[%i] : memref<8xf32>
    scf.yield %t : f32
  }
  return
}
func.func @main(%x: memref<8xf32>) {
  call @scan(%x) : (memref<8xf32>) -> ()
  return
}

// -----

// expected-error @below {{expected a kernel function with forge.schedule}}
func.func private @unscheduled(%x: memref<8xf32>) attributes {forge.kernel} {
  linalg.exp ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

// -----

// Nothing to compute: nothing is launched.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: return
func.func private @nothing(%x: memref<0x8xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 32, reduce_threads = 1>} {
  return
}
func.func @main(%x: memref<0x8xf32>) {
  call @nothing(%x) : (memref<0x8xf32>) -> ()
  return
}

// -----

// A schedule that was not checked on tensors is checked here: this one covers half of each row.
#m = affine_map<(d0, d1) -> (d0, d1)>
// expected-error @below {{expected accesses for a whole row of 64 elements, but got 32}}
func.func private @half(%x: memref<8x64xf32>, %o: memref<8x64xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = rows, vector = 1, loads = 1, rows = 1, blocks = 1, threads = 32>} {
  linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : memref<8x64xf32>) outs(%o : memref<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

// expected-error @below {{expected one of the strategies 'library' 'attention' 'flash' 'flash_backward' 'gemv' 'wgmma' 'tiles' 'rows' 'generic', but got 'magic'}}
func.func private @magic(%x: memref<8xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = magic, threads = 32>} {
  linalg.exp ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

// -----

// What is left out is chosen on tensors.
// expected-error @below {{expected field 'reduce_threads' of strategy 'generic': behind phase 'kernels' schedules are complete}}
func.func private @incomplete(%x: memref<8xf32>)
    attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 32>} {
  linalg.exp ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
  return
}

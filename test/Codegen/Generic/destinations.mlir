// RUN: forge-opt %s --forge-lower-kernels=chip=sm_90a --split-input-file | FileCheck %s

// Rows added where an index says: a block owns 16 rows of 64 columns, 128 rows apart. It counts the updates that go there, adds up the
// counts, lists the updates, sorts them, and does them in registers.
// CHECK-LABEL: gpu.func @rows
// CHECK-SAME: memref<64xi32, #gpu.address_space<workgroup>>
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: scf.for %{{.*}} = %{{.*}} to %c1280{{.*}} step %c1280
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c5000{{.*}} step %c4096
// CHECK: scf.for {{.*}} = %[[T]] to {{.*}} step %c64{{.*}} iter_args
// CHECK: memref.load %arg0
// CHECK-NOT: memref.load %arg1
// CHECK-COUNT-13: gpu.barrier
// CHECK-NOT: memref.load %arg1
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK: arith.cmpi slt
// CHECK: gpu.barrier
// CHECK: %[[OLD:.*]] = memref.load %arg2
// Rows of eight updates are loaded before the first is added; then come those that are left.
// CHECK: %[[EIGHT:.*]] = scf.for {{.*}} step %c8{{.*}} iter_args(%[[SUM:.*]] = %[[OLD]]) -> (f32)
// CHECK: %[[FIRST:.*]] = memref.load %arg1
// CHECK-COUNT-7: memref.load %arg1
// CHECK: arith.addf %[[SUM]], %[[FIRST]]
// CHECK-COUNT-7: arith.addf
// CHECK-NEXT: scf.yield
// CHECK: %[[NEW:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[EIGHT]]) -> (f32)
// CHECK: memref.load %arg1
// CHECK: scf.yield
// CHECK: memref.store %[[NEW]], %arg2
// CHECK: gpu.barrier
// CHECK: gpu.launch_func @kernels::@rows blocks in (%c1280{{.*}}) threads in (%c64
func.func private @rows(%at: memref<5000xi32>, %updates: memref<5000x600xf32>, %x: memref<2048x600xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 5000 : index
  %last = arith.constant 2047 : index
  %columns = arith.constant 600 : index
  scf.for %u = %c0 to %n step %c1 {
    %number = memref.load %at[%u] : memref<5000xi32>
    %row = arith.index_cast %number : i32 to index
    %inside = arith.cmpi ule, %row, %last : index
    scf.if %inside {
      scf.for %i = %c0 to %columns step %c1 {
        %old = memref.load %x[%row, %i] : memref<2048x600xf32>
        %update = memref.load %updates[%u, %i] : memref<5000x600xf32>
        %sum = arith.addf %old, %update : f32
        memref.store %sum, %x[%row, %i] : memref<2048x600xf32>
      }
    }
  }
  return
}
func.func @main(%at: memref<5000xi32>, %updates: memref<5000x600xf32>, %x: memref<2048x600xf32>) {
  call @rows(%at, %updates, %x) : (memref<5000xi32>, memref<5000x600xf32>, memref<2048x600xf32>) -> ()
  return
}

// -----

// A window of elements three apart: each is an update by itself. A branch on a window's counter: the columns are tiles by
// themselves, of which a block does those that are set.
// CHECK-LABEL: gpu.func @scattered_window
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c600{{.*}} step %c4096
// CHECK-LABEL: gpu.func @masked_window
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c200{{.*}} step %c4096
// CHECK: %[[SET:.*]] = memref.load %arg1[%[[COLUMN:[0-9]+]]]
// CHECK: memref.store %{{.*}}, %arg2[%{{.*}}, %[[COLUMN]]]
func.func private @scattered_window(%at: memref<200xindex>, %x: memref<200xindex>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 200 : index
  scf.for %u = %c0 to %n step %c1 {
    %place = memref.load %at[%u] : memref<200xindex>
    scf.for %i = %c0 to %c3 step %c1 {
      %apart = arith.muli %i, %c3 : index
      %to = arith.addi %place, %apart : index
      memref.store %u, %x[%to] : memref<200xindex>
    }
  }
  return
}
func.func private @masked_window(%at: memref<200xindex>, %mask: memref<200xi1>, %x: memref<200x200xindex>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 200 : index
  scf.for %u = %c0 to %n step %c1 {
    %place = memref.load %at[%u] : memref<200xindex>
    scf.for %i = %c0 to %n step %c1 {
      %set = memref.load %mask[%i] : memref<200xi1>
      scf.if %set {
        memref.store %u, %x[%place, %i] : memref<200x200xindex>
      }
    }
  }
  return
}
func.func @main(%at: memref<200xindex>, %mask: memref<200xi1>, %x: memref<200xindex>, %y: memref<200x200xindex>) {
  call @scattered_window(%at, %x) : (memref<200xindex>, memref<200xindex>) -> ()
  call @masked_window(%at, %mask, %y) : (memref<200xindex>, memref<200xi1>, memref<200x200xindex>) -> ()
  return
}

// -----

// Not where a step depends on what others wrote: where it goes, or what it reads; nor where a search says where it goes.
// Few updates are left to slices.
// CHECK-LABEL: gpu.func @chased
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: gpu.func @two_places
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: gpu.func @searched
// CHECK-NOT: gpu.barrier
// CHECK-LABEL: gpu.func @few
// CHECK-NOT: gpu.barrier
// CHECK: gpu.launch_func @kernels::@chased blocks in (%c1{{[_,].*}}) threads in (%c1{{[_,]}}
// CHECK: gpu.launch_func @kernels::@two_places blocks in (%c1{{[_,].*}}) threads in (%c1{{[_,]}}
// CHECK: gpu.launch_func @kernels::@searched blocks in (%c1{{[_,].*}}) threads in (%c1{{[_,]}}
// CHECK: gpu.launch_func @kernels::@few blocks in (%c4{{.*}}) threads in (%c64
func.func private @chased(%x: memref<200xindex>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 200 : index
  scf.for %u = %c0 to %n step %c1 {
    %place = memref.load %x[%u] : memref<200xindex>
    memref.store %u, %x[%place] : memref<200xindex>
  }
  return
}
func.func private @two_places(%at: memref<200x2xindex>, %x: memref<200xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 200 : index
  scf.for %u = %c0 to %n step %c1 {
    %a = memref.load %at[%u, %c0] : memref<200x2xindex>
    %b = memref.load %at[%u, %c1] : memref<200x2xindex>
    %e = memref.load %x[%a] : memref<200xf32>
    memref.store %e, %x[%b] : memref<200xf32>
  }
  return
}
func.func private @searched(%keys: memref<200x9xindex>, %x: memref<9xindex>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %n = arith.constant 200 : index
  scf.for %u = %c0 to %n step %c1 {
    %place = scf.for %k = %c0 to %c9 step %c1 iter_args(%best = %c0) -> (index) {
      %key = memref.load %keys[%u, %k] : memref<200x9xindex>
      %more = arith.maxui %key, %best : index
      scf.yield %more : index
    }
    memref.store %u, %x[%place] : memref<9xindex>
  }
  return
}
func.func private @few(%at: memref<3xindex>, %x: memref<200x200xindex>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 200 : index
  scf.for %u = %c0 to %c3 step %c1 {
    %place = memref.load %at[%u] : memref<3xindex>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %u, %x[%place, %i] : memref<200x200xindex>
    }
  }
  return
}
func.func @main(%a: memref<200xindex>, %b: memref<200x2xindex>, %c: memref<200xf32>, %d: memref<200x9xindex>, %e: memref<200x200xindex>, %f: memref<3xindex>, %g: memref<9xindex>) {
  call @chased(%a) : (memref<200xindex>) -> ()
  call @two_places(%b, %c) : (memref<200x2xindex>, memref<200xf32>) -> ()
  call @searched(%d, %g) : (memref<200x9xindex>, memref<9xindex>) -> ()
  call @few(%f, %e) : (memref<3xindex>, memref<200x200xindex>) -> ()
  return
}

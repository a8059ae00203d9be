// RUN: forge-opt %s --forge-lower-kernels=chip=sm_90a --split-input-file | FileCheck %s

// Rows of a running sum: a thread for each.
// CHECK-LABEL: gpu.func @rows
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args
// CHECK: memref.load %{{.*}}[%[[ROW]], %[[I]]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[I]]]
// CHECK: gpu.launch_func @kernels::@rows blocks in (%c4{{.*}}) threads in (%c64
func.func private @rows(%x: memref<200x33xf32>, %y: memref<200x33xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 200 : index
  %length = arith.constant 33 : index
  %zero = arith.constant 0.0 : f32
  scf.for %row = %c0 to %rows step %c1 {
    %sum = scf.for %i = %c0 to %length step %c1 iter_args(%s = %zero) -> (f32) {
      %e = memref.load %x[%row, %i] : memref<200x33xf32>
      %next = arith.addf %s, %e : f32
      memref.store %next, %y[%row, %i] : memref<200x33xf32>
      scf.yield %next : f32
    }
  }
  return
}
func.func @main(%x: memref<200x33xf32>, %y: memref<200x33xf32>) {
  call @rows(%x, %y) : (memref<200x33xf32>, memref<200x33xf32>) -> ()
  return
}

// -----

// A row that depends on the one before: columns are independent, rows are not.
// CHECK-LABEL: gpu.func @columns
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: scf.for %[[ROW:.*]] = %c1
// CHECK: scf.if
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[ROW]], %[[COLUMN]]]
func.func private @columns(%x: memref<20x33xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %rows = arith.constant 20 : index
  %length = arith.constant 33 : index
  scf.for %row = %c1 to %rows step %c1 {
    scf.for %i = %c0 to %length step %c1 {
      %before = arith.subi %row, %c1 : index
      %e = memref.load %x[%before, %i] : memref<20x33xf32>
      %next = arith.addf %e, %e : f32
      memref.store %next, %x[%row, %i] : memref<20x33xf32>
    }
  }
  return
}
func.func @main(%x: memref<20x33xf32>) {
  call @columns(%x) : (memref<20x33xf32>) -> ()
  return
}

// -----

// A step goes where data says, and reads what another step may have written elsewhere; a scratch element is shared by
// all steps: one thread.
// CHECK-LABEL: gpu.func @data
// CHECK-NOT: gpu.thread_id
// CHECK-LABEL: gpu.func @scratch
// CHECK-NOT: gpu.thread_id
// CHECK: gpu.launch_func @kernels::@data blocks in (%c1{{.*}}) threads in (%c1
// CHECK: gpu.launch_func @kernels::@scratch blocks in (%c1{{.*}}) threads in (%c1
func.func private @data(%x: memref<20xf32>, %at: memref<30xindex>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 30 : index
  scf.for %i = %c0 to %n step %c1 {
    %place = memref.load %at[%i] : memref<30xindex>
    %e = memref.load %x[%c0] : memref<20xf32>
    %next = arith.addf %e, %e : f32
    memref.store %next, %x[%place] : memref<20xf32>
  }
  return
}
func.func private @scratch(%x: memref<20xf32>, %s: memref<1xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20 : index
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %s[%c0] : memref<1xf32>
    %f = memref.load %x[%i] : memref<20xf32>
    %next = arith.addf %e, %f : f32
    memref.store %next, %s[%c0] : memref<1xf32>
    memref.store %next, %x[%i] : memref<20xf32>
  }
  return
}
func.func @main(%x: memref<20xf32>, %at: memref<30xindex>, %s: memref<1xf32>) {
  call @data(%x, %at) : (memref<20xf32>, memref<30xindex>) -> ()
  call @scratch(%x, %s) : (memref<20xf32>, memref<1xf32>) -> ()
  return
}

// -----

// Chunks of one line, from one buffer to another and back: a block's threads share them and wait after each pass. There are fewer than threads.
// CHECK-LABEL: gpu.func @chunks
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: arith.cmpi ult, %[[T]], %c13
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK: arith.cmpi ult, %[[T]], %c13
// CHECK: scf.if
// CHECK: gpu.barrier
// CHECK: gpu.launch_func @kernels::@chunks blocks in (%c1{{.*}}) threads in (%c64
func.func private @chunks(%x: memref<100xf32>, %y: memref<100xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant 8 : index
  %count = arith.constant 13 : index
  %n = arith.constant 100 : index
  %last = arith.constant 99 : index
  scf.for %chunk = %c0 to %count step %c1 {
    %lower = arith.muli %chunk, %width : index
    %end = arith.addi %lower, %width : index
    %upper = arith.minsi %end, %n : index
    scf.for %i = %lower to %upper step %c1 {
      %from = arith.subi %last, %i : index
      %e = memref.load %x[%from] : memref<100xf32>
      memref.store %e, %y[%i] : memref<100xf32>
    }
  }
  scf.for %chunk = %c0 to %count step %c1 {
    %lower = arith.muli %chunk, %width : index
    %end = arith.addi %lower, %width : index
    %upper = arith.minsi %end, %n : index
    scf.for %i = %lower to %upper step %c1 {
      %from = arith.subi %last, %i : index
      %e = memref.load %y[%from] : memref<100xf32>
      memref.store %e, %x[%i] : memref<100xf32>
    }
  }
  return
}
func.func @main(%x: memref<100xf32>, %y: memref<100xf32>) {
  call @chunks(%x, %y) : (memref<100xf32>, memref<100xf32>) -> ()
  return
}

// -----

// A block for each step of an independent loop, whose temporary is in the block's memory; its threads share the loops that are marked so.
// CHECK-LABEL: gpu.func @tiles
// CHECK-SAME: workgroup(%[[MEMORY:.*]] : memref<128xf32, #gpu.address_space<workgroup>>)
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: scf.for %[[TILE:.*]] = %block_id_x
// CHECK: scf.for %[[I:.*]] = %[[T]] to %c128{{.*}} step %c64
// CHECK: memref.store %{{.*}}, %[[MEMORY]][%[[I]]]
// CHECK: gpu.barrier
// CHECK-NOT: scf.for
// CHECK: memref.load %[[MEMORY]]
// CHECK: gpu.barrier
func.func private @tiles(%x: memref<1280xf32>, %y: memref<640xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c127 = arith.constant 127 : index
  %c128 = arith.constant 128 : index
  %c10 = arith.constant 10 : index
  scf.for %tile = %c0 to %c10 step %c1 {
    %lower = arith.muli %tile, %c128 : index
    %memory = memref.alloc() : memref<128xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      %from = arith.addi %lower, %i : index
      %e = memref.load %x[%from] : memref<1280xf32>
      memref.store %e, %memory[%i] : memref<128xf32>
    } {forge.shared}
    %first = arith.muli %tile, %c64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %from = arith.subi %c127, %i : index
      %e = memref.load %memory[%from] : memref<128xf32>
      %to = arith.addi %first, %i : index
      memref.store %e, %y[%to] : memref<640xf32>
    } {forge.shared}
    memref.dealloc %memory : memref<128xf32>
  } {forge.independent}
  return
}
// Not where something is written outside of them: a thread has the temporary for itself.
// CHECK-LABEL: gpu.func @outside
// CHECK-NOT: workgroup(
// CHECK-NOT: gpu.barrier
// CHECK: gpu.launch_func @kernels::@tiles blocks in (%c10{{.*}}) threads in (%c64
func.func private @outside(%x: memref<1280xf32>, %y: memref<10xf32>) attributes {forge.kernel, forge.schedule = #forge.schedule<strategy = generic, threads = 64, reduce_threads = 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c10 = arith.constant 10 : index
  scf.for %tile = %c0 to %c10 step %c1 {
    %lower = arith.muli %tile, %c128 : index
    %memory = memref.alloc() : memref<128xf32>
    scf.for %i = %c0 to %c128 step %c1 {
      %from = arith.addi %lower, %i : index
      %e = memref.load %x[%from] : memref<1280xf32>
      memref.store %e, %memory[%i] : memref<128xf32>
    } {forge.shared}
    %e = memref.load %memory[%tile] : memref<128xf32>
    memref.store %e, %y[%tile] : memref<10xf32>
  } {forge.independent}
  return
}
func.func @main(%x: memref<1280xf32>, %y: memref<640xf32>, %z: memref<10xf32>) {
  call @tiles(%x, %y) : (memref<1280xf32>, memref<640xf32>) -> ()
  call @outside(%x, %z) : (memref<1280xf32>, memref<10xf32>) -> ()
  return
}

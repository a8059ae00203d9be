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

// Chunks of one line, from one buffer to another and back: a block's threads share them and wait after each pass.
// CHECK-LABEL: gpu.func @chunks
// CHECK: %[[T:.*]] = gpu.thread_id x
// CHECK: scf.for %{{.*}} = %[[T]] to %{{.*}} step %c64
// CHECK: gpu.barrier
// CHECK: scf.for %{{.*}} = %[[T]] to %{{.*}} step %c64
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

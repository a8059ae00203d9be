// Kernels that do not end, and loops that only seem so.
// RUN: %exits 1 forge-sim %s --kernel counts --block 64 --arg i32[1]=0 --arg i32=0 --step-limit 100000 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: forge-sim %s --kernel counts --block 64 --arg i32[1]=0 --arg i32=1 --step-limit 100000
// RUN: %exits 1 forge-sim %s --kernel counts --block 64 --arg i32[1]=0 --arg i32=1 --step-limit 98 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: forge-sim %s --kernel counts --block 64 --arg i32[1]=0 --arg i32=1 --step-limit 99
// RUN: %exits 1 forge-sim %s --kernel waits --block 64 --arg i32[1]=0 --arg i32=0 --step-limit 200000 2>&1 | FileCheck %s --check-prefix=WAITS
// RUN: forge-sim %s --kernel waits --block 64 --arg i32[1]=0 --arg i32=1 --step-limit 200000
// RUN: %exits 1 forge-sim %s --kernel two_entries --block 1 --arg i32=0 --step-limit 50 2>&1 | FileCheck %s --check-prefix=ENTRIES
// RUN: forge-sim %s --kernel two_entries --block 1 --arg i32=1 --step-limit 50
// RUN: env FORGE_SIM_STEPS=10 %exits 1 forge verify %S/Inputs/dot.mlir --target sim:sm_90a 2>&1 | FileCheck %s --check-prefix=DRIVER
// RUN: env FORGE_SIM_STEPS=1000 forge verify %S/Inputs/dot.mlir --target sim:sm_90a
// RUN: forge-opt --forge-pipeline="target=sim:sm_90a to=gpu" %S/Inputs/dot.mlir | FileCheck %s --check-prefix=LOOP

gpu.module @kernels {
  // COUNTS: error: kernel 'counts': endless kernel: a thread has not ended after 100000 steps of loops: loop by thread (0,0,0) of block (0,0,0) at {{.*}}endless.mlir:[[#@LINE+11]]:7
  // LIMIT: endless kernel: a thread has not ended after 98 steps of loops
  gpu.func @counts(%out: memref<1xi32>, %step: i32) kernel {
    %zero = arith.constant 0 : i32
    %end = arith.constant 99 : i32
    %n = scf.while (%i = %zero) : (i32) -> i32 {
      %more = arith.cmpi slt, %i, %end : i32
      scf.condition(%more) %i : i32
    } do {
    ^bb0(%i: i32):
      %next = arith.addi %i, %step : i32
      scf.yield %next : i32
    }
    %place = arith.constant 0 : index
    memref.atomic_rmw maxs %n, %out[%place] : (i32, memref<1xi32>) -> i32
    gpu.return
  }

  // The first thread waits for what the last one writes: threads take turns, however long a loop lasts.
  // WAITS: error: kernel 'waits': endless kernel: a thread has not ended after 200000 steps of loops: loop by thread (0,0,0) of block (0,0,0) at {{.*}}endless.mlir:[[#@LINE+13]]:9
  gpu.func @waits(%flag: memref<1xi32>, %value: i32) kernel {
    %zero = arith.constant 0 : index
    %none = arith.constant 0 : i32
    %first = arith.constant 0 : index
    %last = arith.constant 63 : index
    %t = gpu.thread_id x
    %isFirst = arith.cmpi eq, %t, %first : index
    %isLast = arith.cmpi eq, %t, %last : index
    scf.if %isFirst {
      %n = scf.while (%i = %none) : (i32) -> i32 {
        %seen = memref.atomic_rmw ori %none, %flag[%zero] : (i32, memref<1xi32>) -> i32
        %more = arith.cmpi eq, %seen, %none : i32
        scf.condition(%more) %i : i32
      } do {
      ^bb0(%i: i32):
        scf.yield %i : i32
      }
    }
    scf.if %isLast {
      %old = memref.atomic_rmw ori %value, %flag[%zero] : (i32, memref<1xi32>) -> i32
    }
    gpu.return
  }

  // A loop that is entered in two places.
  // ENTRIES: endless kernel: a thread has not ended after 50 steps of loops: loop by thread (0,0,0)
  gpu.func @two_entries(%step: i32) kernel {
    %zero = arith.constant 0 : i32
    %ten = arith.constant 10 : i32
    %first = arith.cmpi eq, %step, %ten : i32
    cf.cond_br %first, ^a(%zero : i32), ^b(%zero : i32)
  ^a(%x: i32):
    %next = arith.addi %x, %step : i32
    cf.br ^b(%next : i32)
  ^b(%y: i32):
    %more = arith.cmpi slt, %y, %ten : i32
    cf.cond_br %more, ^a(%y : i32), ^c
  ^c:
    gpu.return
  }
}

// As a driver.
// LOOP: gpu.func
// LOOP: scf.for
// DRIVER: failed: kernel {{.*}}endless kernel: a thread has not ended after 10 steps of loops: loop by thread (0,0,0) of block (0,0,0) at {{.*}}dot.mlir:2:8

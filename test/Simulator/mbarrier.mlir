// Producers and consumers that meet at an mbarrier.
// RUN: forge-sim %s --kernel hand_over --block 64 --arg f32[32]=iota --arg i32=1 --arg i32=32 --print 0 | FileCheck %s --check-prefix=OK
// RUN: forge-sim %s --kernel hand_over --block 64 --arg f32[32]=iota --arg i32=1 --arg i32=32 --print 0 --seed 5 | FileCheck %s --check-prefix=OK
// RUN: %exits 1 forge-sim %s --kernel hand_over --block 64 --arg f32[32]=iota --arg i32=1 --arg i32=33 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %exits 1 forge-sim %s --kernel hand_over --block 64 --arg f32[32]=iota --arg i32=0 --arg i32=32 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: forge-sim %s --kernel asks --block 64 --arg f32[32]=iota --arg i32=32 --print 0 | FileCheck %s --check-prefix=OK
// RUN: forge-sim %s --kernel asks --block 64 --arg f32[32]=iota --arg i32=32 --print 0 --seed 7 | FileCheck %s --check-prefix=OK
// RUN: %exits 1 forge-sim %s --kernel asks --block 64 --arg f32[32]=iota --arg i32=33 2>&1 | FileCheck %s --check-prefix=ASKS
// RUN: %exits 1 forge-sim %s --kernel asks_once --block 64 --arg f32[32]=iota 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: %exits 1 forge-sim %s --kernel no_barrier_after_init --block 64 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: %exits 1 forge-sim %s --kernel never_initialised --block 32 2>&1 | FileCheck %s --check-prefix=NONE

gpu.module @kernels {
  // Warp 0 writes and arrives; warp 1 waits, if it is told to, and reads in reverse.
  // OK: 31 30 29 28
  // NEVER: error: kernel 'hand_over': deadlock: 32 threads wait for an mbarrier that is never completed; 32 have ended: nvvm.mbarrier.try_wait.parity by thread (32,0,0)
  // RACE: error: kernel 'hand_over': {{read of uninitialised memory|data race}}: {{.*}} by thread
  gpu.func @hand_over(%a: memref<32xf32>, %waits: i32, %arrivals: i32)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>, %m: memref<1xi64, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c63 = arith.constant 63 : index
    %zero = arith.constant 0 : i32
    %ticks = arith.constant 100 : i32
    %i = memref.extract_aligned_pointer_as_index %m : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %i64 = arith.index_cast %i : index to i64
    %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %arrivals : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %producer = arith.cmpi ult, %t, %c32 : index
    scf.if %producer {
      %v = memref.load %a[%t] : memref<32xf32>
      memref.store %v, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    } else {
      %w = arith.cmpi ne, %waits, %zero : i32
      scf.if %w {
        nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
      }
      %r = arith.subi %c63, %t : index
      %j = arith.subi %t, %c32 : index
      %v = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %v, %a[%j] : memref<32xf32>
    }
    gpu.return
  }

  // Asks until the phase is over; the first warp does, which runs before the one it waits for.
  // ASKS: error: kernel 'asks': deadlock: 32 threads wait for a change that never comes; 32 have ended: nvvm.mbarrier.test.wait by thread (0,0,0)
  gpu.func @asks(%a: memref<32xf32>, %arrivals: i32)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>, %m: memref<1xi64, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c31 = arith.constant 31 : index
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    %i = memref.extract_aligned_pointer_as_index %m : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %i64 = arith.index_cast %i : index to i64
    %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %arrivals : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %producer = arith.cmpi uge, %t, %c32 : index
    scf.if %producer {
      %j = arith.subi %t, %c32 : index
      %v = memref.load %a[%j] : memref<32xf32>
      memref.store %v, %s[%j] : memref<32xf32, #gpu.address_space<workgroup>>
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    } else {
      scf.while : () -> () {
        %over = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %over, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %r = arith.subi %c31, %t : index
      %v = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %v, %a[%t] : memref<32xf32>
    }
    gpu.return
  }

  // Asks once and reads, whatever the answer: a phase that 33 arrivals end is never over.
  // ONCE: error: kernel 'asks_once': {{read of uninitialised memory|data race}}: {{.*}} by thread
  gpu.func @asks_once(%a: memref<32xf32>)
      workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>, %m: memref<1xi64, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c31 = arith.constant 31 : index
    %zero = arith.constant 0 : i32
    %arrivals = arith.constant 33 : i32
    %i = memref.extract_aligned_pointer_as_index %m : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %i64 = arith.index_cast %i : index to i64
    %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %arrivals : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %producer = arith.cmpi uge, %t, %c32 : index
    scf.if %producer {
      %j = arith.subi %t, %c32 : index
      %v = memref.load %a[%j] : memref<32xf32>
      memref.store %v, %s[%j] : memref<32xf32, #gpu.address_space<workgroup>>
      %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    } else {
      %over = nvvm.mbarrier.test.wait %bar, %zero : !llvm.ptr<3>, i32 -> i1
      %r = arith.subi %c31, %t : index
      %v = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %v, %a[%t] : memref<32xf32>
    }
    gpu.return
  }

  // INIT: error: kernel 'no_barrier_after_init': data race: no synchronisation after the initialisation of the mbarrier at offset 0: nvvm.mbarrier.arrive by thread (1,0,0) {{.*}}; and nvvm.mbarrier.init by thread (0,0,0)
  gpu.func @no_barrier_after_init() workgroup(%m: memref<1xi64, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %count = arith.constant 64 : i32
    %i = memref.extract_aligned_pointer_as_index %m : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %i64 = arith.index_cast %i : index to i64
    %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %bar, %count : !llvm.ptr<3>, i32
    }
    %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    gpu.return
  }

  // NONE: error: kernel 'never_initialised': invalid operation: nothing has initialised the mbarrier at offset 0: nvvm.mbarrier.arrive by thread (0,0,0)
  gpu.func @never_initialised() workgroup(%m: memref<1xi64, #gpu.address_space<workgroup>>) kernel {
    %i = memref.extract_aligned_pointer_as_index %m : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %i64 = arith.index_cast %i : index to i64
    %bar = llvm.inttoptr %i64 : i64 to !llvm.ptr<3>
    %state = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
    gpu.return
  }
}

// Barriers that not all threads come to, and warps whose lanes go different ways.
// RUN: %exits 1 forge-sim %s --kernel some_have_left --block 64 --arg index=48 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: forge-sim %s --kernel some_have_left --block 64 --arg index=64
// RUN: %exits 1 forge-sim %s --kernel different_barriers --block 64 --arg index=32 2>&1 | FileCheck %s --check-prefix=DIFFERENT
// RUN: forge-sim %s --kernel different_barriers --block 64 --arg index=64
// RUN: %exits 1 forge-sim %s --kernel shuffle_of_half --block 32 --arg index=16 2>&1 | FileCheck %s --check-prefix=WARP
// RUN: forge-sim %s --kernel shuffle_of_half --block 32 --arg index=32
// RUN: %exits 1 forge-sim %s --kernel lane_has_left --block 32 --arg index=16 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: forge-sim %s --kernel lane_has_left --block 32 --arg index=32
// RUN: %exits 1 forge-sim %s --kernel named --block 96 --arg i32=96 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: forge-sim %s --kernel named --block 96 --arg i32=64
// RUN: %exits 1 forge-sim %s --kernel partial_warp --block 24 2>&1 | FileCheck %s --check-prefix=PARTIAL
// RUN: forge-sim %s --kernel partial_warp --block 32
// RUN: %exits 1 forge-sim %s --kernel asserts --block 8 --arg index=5 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: forge-sim %s --kernel asserts --block 8 --arg index=8

gpu.module @kernels {
  // LEFT: error: kernel 'some_have_left': divergent barrier: 48 threads wait at a barrier that 16 have not come to before they ended: gpu.barrier by thread (0,0,0) of block (0,0,0) at {{.*}}barriers.mlir:[[#@LINE+5]]:7; and end of the kernel by thread (48,0,0)
  gpu.func @some_have_left(%n: index) kernel {
    %t = gpu.thread_id x
    %in = arith.cmpi ult, %t, %n : index
    scf.if %in {
      gpu.barrier
    }
    gpu.return
  }

  // DIFFERENT: error: kernel 'different_barriers': divergent barrier: threads of a block wait at different barriers: gpu.barrier by thread (32,0,0) {{.*}}barriers.mlir:[[#@LINE+7]]:7; and gpu.barrier by thread (0,0,0) {{.*}}barriers.mlir:[[#@LINE+5]]:7
  gpu.func @different_barriers(%n: index) kernel {
    %t = gpu.thread_id x
    %in = arith.cmpi ult, %t, %n : index
    scf.if %in {
      gpu.barrier
    } else {
      gpu.barrier
    }
    gpu.return
  }

  // WARP: error: kernel 'shuffle_of_half': deadlock: 32 threads wait for an operation of the warp, a barrier of the block; 0 have ended; lanes of a warp have gone different ways: gpu.shuffle by thread (0,0,0) {{.*}}barriers.mlir:[[#@LINE+7]]:20; and gpu.barrier by thread (16,0,0) {{.*}}barriers.mlir:[[#@LINE+10]]:5
  gpu.func @shuffle_of_half(%n: index) kernel {
    %t = gpu.thread_id x
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %in = arith.cmpi ult, %t, %n : index
    scf.if %in {
      %x, %valid = gpu.shuffle xor %one, %one, %width : i32
      scf.yield
    }
    gpu.barrier
    gpu.return
  }

  // GONE: error: kernel 'lane_has_left': invalid operation: lane 0 takes a value from lane 16, which does not take part: gpu.shuffle by thread (0,0,0)
  gpu.func @lane_has_left(%n: index) kernel {
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : i32
    %width = arith.constant 32 : i32
    %in = arith.cmpi ult, %t, %n : index
    scf.if %in {
      %x, %valid = gpu.shuffle xor %width, %c16, %width : i32
    }
    gpu.return
  }

  // Warps 0 and 1 meet at barrier 1; the third does not come.
  // NAMED: error: kernel 'named': deadlock: 64 threads wait for a barrier with a number; 32 have ended: nvvm.barrier by thread (0,0,0)
  gpu.func @named(%threads: i32) kernel {
    %t = gpu.thread_id x
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %in = arith.cmpi ult, %t, %c64 : index
    scf.if %in {
      nvvm.barrier id = %one number_of_threads = %threads
    }
    gpu.return
  }

  // PARTIAL: error: kernel 'partial_warp': invalid operation: lane 8 takes a value from lane 24, but the warp has 24 lanes
  gpu.func @partial_warp() kernel {
    %c16 = arith.constant 16 : i32
    %width = arith.constant 32 : i32
    %x, %valid = gpu.shuffle xor %width, %c16, %width : i32
    gpu.return
  }

  // ASSERT: error: kernel 'asserts': failed assertion: the condition does not hold: cf.assert 'thread in range' by thread (5,0,0)
  gpu.func @asserts(%n: index) kernel {
    %t = gpu.thread_id x
    %in = arith.cmpi ult, %t, %n : index
    cf.assert %in, "thread in range"
    gpu.return
  }
}

// cp.async: what is read before the wait is reported.
// RUN: %exits 1 forge-sim %s --kernel no_wait --block 32 --arg f32[32]=iota 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: %exits 1 forge-sim %s --kernel waits_for_too_few --block 32 --arg f32[32]=iota 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: %exits 1 forge-sim %s --kernel no_barrier --block 32 --arg f32[32]=iota 2>&1 | FileCheck %s --check-prefix=NOBARRIER
// RUN: forge-sim %s --kernel right --block 32 --arg f32[32]=iota --print 0 | FileCheck %s --check-prefix=RIGHT
// RUN: forge-sim %s --kernel right --block 32 --arg f32[32]=iota --print 0 --seed 3 | FileCheck %s --check-prefix=RIGHT

gpu.module @kernels {
  // NOWAIT: error: kernel 'no_wait': access before the end of an asynchronous copy: offset 0 of shared memory is the target of a copy that no thread has waited for: load by thread (31,0,0) {{.*}}; and nvvm.cp.async by thread (0,0,0)
  gpu.func @no_wait(%a: memref<32xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %r = arith.subi %c31, %t : index
    %0 = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<32xf32> to memref<32xf32, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %0
    gpu.barrier
    %w = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%t] : memref<32xf32>
    gpu.return
  }

  // Waits until one group is left, but the group is the one.
  // FEW: error: kernel 'waits_for_too_few': access before the end of an asynchronous copy
  gpu.func @waits_for_too_few(%a: memref<32xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %r = arith.subi %c31, %t : index
    %0 = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<32xf32> to memref<32xf32, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %0
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    gpu.barrier
    %w = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%t] : memref<32xf32>
    gpu.return
  }

  // The wait is for the thread's own copies; others see them after a barrier.
  // NOBARRIER: error: kernel 'no_barrier': {{data race|access before the end of an asynchronous copy}}
  gpu.func @no_barrier(%a: memref<32xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %r = arith.subi %c31, %t : index
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %s[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %0 = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<32xf32> to memref<32xf32, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %0
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    %w = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%t] : memref<32xf32>
    gpu.return
  }

  // RIGHT: 31 30 29
  gpu.func @right(%a: memref<32xf32>) workgroup(%s: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %r = arith.subi %c31, %t : index
    %0 = nvgpu.device_async_copy %a[%t], %s[%t], 1 : memref<32xf32> to memref<32xf32, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %0
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    gpu.barrier
    %w = memref.load %s[%r] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%t] : memref<32xf32>
    gpu.return
  }
}

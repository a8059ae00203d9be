// RUN: forge-opt %s --pass-pipeline="builtin.module(gpu.module(convert-scf-to-cf,forge-convert-to-nvvm))" | FileCheck %s

gpu.module @kernels {
  // Pointers and scalars; math that is an instruction becomes an intrinsic, no library call.
  // CHECK-LABEL: llvm.func @k(
  // CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: i64)
  // CHECK-SAME: nvvm.kernel
  // CHECK: nvvm.read.ptx.sreg.tid.x
  // CHECK: llvm.intr.sqrt
  // CHECK: llvm.intr.roundeven
  // CHECK: llvm.intr.fma
  // CHECK-NOT: __nv
  gpu.func @k(%x: memref<256xf32>, %n: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %t = gpu.thread_id x
    %in = arith.cmpi ult, %t, %n : index
    scf.if %in {
      %a = memref.load %x[%t] : memref<256xf32>
      %b = math.sqrt %a : f32
      %c = math.roundeven %b : f32
      %d = math.fma %b, %c, %a : f32
      memref.store %d, %x[%t] : memref<256xf32>
    }
    gpu.return
  }
}

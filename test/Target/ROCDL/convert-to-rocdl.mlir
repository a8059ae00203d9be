// RUN: forge-opt %s --pass-pipeline="builtin.module(gpu.module(convert-scf-to-cf,forge-convert-to-rocdl{chip=gfx942}))" | FileCheck %s

gpu.module @kernels {
  // Pointers and scalars; math that is an instruction becomes an intrinsic, no library call.
  // CHECK-LABEL: llvm.func @k(
  // CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 16 : i64}, %{{.*}}: i64)
  // A kernel of known block size is compiled for blocks of that many threads, and no fewer.
  // CHECK-SAME: rocdl.flat_work_group_size = "512,512"
  // CHECK-SAME: rocdl.kernel
  // CHECK-SAME: rocdl.reqd_work_group_size = array<i32: 128, 2, 2>
  // CHECK: rocdl.workitem.id.x
  // CHECK: llvm.intr.sqrt
  // CHECK: llvm.intr.roundeven
  // CHECK: llvm.intr.fma
  // CHECK-NOT: __ocml
  gpu.func @k(%x: memref<256xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 2, 2>} {
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

  // CHECK-LABEL: llvm.func @any_block(
  // CHECK-NOT: work_group_size
  // CHECK: llvm.return
  gpu.func @any_block() kernel {
    gpu.return
  }
}

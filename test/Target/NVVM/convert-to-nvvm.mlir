// RUN: forge-opt %s --pass-pipeline="builtin.module(gpu.module(convert-scf-to-cf,forge-convert-to-nvvm))" | FileCheck %s

gpu.module @kernels {
  // Pointers and scalars; math that is an instruction becomes an intrinsic, no library call.
  // CHECK-LABEL: llvm.func @k(
  // CHECK-SAME: %{{.*}}: !llvm.ptr {llvm.align = 16 : i64}, %{{.*}}: i64)
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

  // (x & mask) | bits is one instruction where both are constants, and only there.
  // CHECK-LABEL: llvm.func @masked_or(
  // CHECK: llvm.inline_asm {{.*}}"lop3.b32 $0, $1, $2, $3, 0xea;", "=r,r,r,r" %{{.*}}, %{{.*}}, %{{.*}} : (i32, i32, i32) -> i32
  // CHECK: llvm.or %{{.*}}, %{{.*}} : i32
  // CHECK-NOT: llvm.inline_asm
  gpu.func @masked_or(%x: memref<i32>, %n: i32) kernel {
    %c15 = arith.constant 15 : i32
    %exponent = arith.constant 1258291200 : i32
    %a = memref.load %x[] : memref<i32>
    %b = arith.andi %a, %c15 : i32
    %c = arith.ori %b, %exponent : i32
    %d = arith.andi %c, %n : i32
    %e = arith.ori %d, %exponent : i32
    memref.store %e, %x[] : memref<i32>
    gpu.return
  }

  // 2^x by the instruction; where nothing is subnormal, by the forms that do without: one instruction each.
  // CHECK-LABEL: llvm.func @approximate(
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx"(
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"(
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(
  // CHECK-NOT: llvm.fmul
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(
  // CHECK: llvm.fmul
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"(
  gpu.func @approximate(%x: memref<8xf32>, %a: f32) kernel {
    %one = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %0 = math.exp2 %a fastmath<afn> : f32
    %1 = math.exp2 %0 fastmath<afn> {forge.normal} : f32
    %2 = arith.divf %one, %1 fastmath<afn> {forge.normal} : f32
    %3 = arith.divf %2, %0 fastmath<afn> {forge.normal} : f32
    %4 = arith.divf %3, %a fastmath<afn> : f32
    memref.store %4, %x[%c0] : memref<8xf32>
    gpu.return
  }
}

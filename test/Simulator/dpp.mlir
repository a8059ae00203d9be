// Values of other lanes by DPP: lane i holds i + 1000, what it would keep is -i.
// RUN: forge-sim %s --kernel rows --chip gfx942 --block 64 --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --print 0 --print 1 --print 2 --print 3 --print 4 --print 5 | FileCheck %s --check-prefix=ROWS
// RUN: forge-sim %s --kernel wave --chip gfx942 --block 64 --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --print 0 --print 1 --print 2 --print 3 --print 4 --print 5 | FileCheck %s --check-prefix=WAVE
// RUN: forge-sim %s --kernel masks --chip gfx942 --block 64 --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --print 0 --print 1 --print 2 | FileCheck %s --check-prefix=MASKS
// RUN: forge-sim %s --kernel sum --chip gfx942 --block 64 --arg i32[64]=1 --print 0 | FileCheck %s --check-prefix=SUM
// RUN: forge-sim %s --kernel share --chip gfx1100 --block 32 --arg i32[32]=uninitialised --arg i32[32]=uninitialised --print 0 --print 1 | FileCheck %s --check-prefix=SHARE
// RUN: %exits 1 forge-sim %s --kernel share --chip gfx942 --block 64 --arg i32[32]=uninitialised --arg i32[32]=uninitialised 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 forge-sim %s --kernel wave --chip gfx1100 --block 32 --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised --arg i32[64]=uninitialised 2>&1 | FileCheck %s --check-prefix=NOWAVE

gpu.module @kernels {
  // ROWS: 1001 1000 1003 1002 1005 1004 {{.*}} 1063 1062
  // ROWS-NEXT: 1003 1004 {{.*}} 1014 1015 -13 -14 -15 1019
  // ROWS-NEXT: 0 1000 1001 {{.*}} 1014 0 1016
  // ROWS-NEXT: 1015 1000 1001 {{.*}} 1014 1031 1016
  // ROWS-NEXT: 1015 1014 1013 {{.*}} 1000 1031 1030
  // ROWS-NEXT: 1007 1006 {{.*}} 1000 1015 1014
  gpu.func @rows(%o0: memref<64xi32>, %o1: memref<64xi32>, %o2: memref<64xi32>, %o3: memref<64xi32>, %o4: memref<64xi32>, %o5: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %k = arith.constant 1000 : i32
    %zero = arith.constant 0 : i32
    %i = arith.index_cast %t : index to i32
    %v = arith.addi %i, %k : i32
    %old = arith.subi %zero, %i : i32
    %a = amdgpu.dpp %old %v quad_perm ([1 : i32, 0 : i32, 3 : i32, 2 : i32]) : i32
    memref.store %a, %o0[%t] : memref<64xi32>
    %b = amdgpu.dpp %old %v row_shl (3 : i32) : i32
    memref.store %b, %o1[%t] : memref<64xi32>
    %c = amdgpu.dpp %old %v row_shr (1 : i32) {bound_ctrl = true} : i32
    memref.store %c, %o2[%t] : memref<64xi32>
    %d = amdgpu.dpp %old %v row_ror (1 : i32) : i32
    memref.store %d, %o3[%t] : memref<64xi32>
    %e = amdgpu.dpp %old %v row_mirror (unit) : i32
    memref.store %e, %o4[%t] : memref<64xi32>
    %f = amdgpu.dpp %old %v row_half_mirror (unit) : i32
    memref.store %f, %o5[%t] : memref<64xi32>
    gpu.return
  }

  // WAVE: 1001 1002 {{.*}} 1063 -63
  // WAVE-NEXT: 0 1000 {{.*}} 1062
  // WAVE-NEXT: 1001 {{.*}} 1063 1000
  // WAVE-NEXT: 1063 1000 {{.*}} 1062
  // WAVE-NEXT: 0 -1 {{.*}} -15 1015 1015 {{.*}} 1031 1031 {{.*}} 1047
  // WAVE-NEXT: 0 -1 {{.*}} -31 1031 1031 {{.*}} 1031
  // NOWAVE: error: kernel 'wave': invalid operation: DPP control 304 is none that gfx1100 has: amdgpu.dpp by thread (0,0,0)
  gpu.func @wave(%o0: memref<64xi32>, %o1: memref<64xi32>, %o2: memref<64xi32>, %o3: memref<64xi32>, %o4: memref<64xi32>, %o5: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %k = arith.constant 1000 : i32
    %zero = arith.constant 0 : i32
    %i = arith.index_cast %t : index to i32
    %v = arith.addi %i, %k : i32
    %old = arith.subi %zero, %i : i32
    %a = amdgpu.dpp %old %v wave_shl (unit) : i32
    memref.store %a, %o0[%t] : memref<64xi32>
    %b = amdgpu.dpp %old %v wave_shr (unit) : i32
    memref.store %b, %o1[%t] : memref<64xi32>
    %c = amdgpu.dpp %old %v wave_rol (unit) : i32
    memref.store %c, %o2[%t] : memref<64xi32>
    %d = amdgpu.dpp %old %v wave_ror (unit) : i32
    memref.store %d, %o3[%t] : memref<64xi32>
    %e = amdgpu.dpp %old %v row_bcast_15 (unit) : i32
    memref.store %e, %o4[%t] : memref<64xi32>
    %f = amdgpu.dpp %old %v row_bcast_31 (unit) : i32
    memref.store %f, %o5[%t] : memref<64xi32>
    gpu.return
  }

  // Only row 1, only the third bank, and a source lane that is not active.
  // MASKS: 0 -1 {{.*}} -15 1031 1030 {{.*}} 1016 -32
  // MASKS-NEXT: 0 -1 -2 -3 -4 -5 -6 -7 1007 1006 1005 1004 -12
  // MASKS-NEXT: 0 1000 0 1002 0 1004
  gpu.func @masks(%o0: memref<64xi32>, %o1: memref<64xi32>, %o2: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %k = arith.constant 1000 : i32
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %i = arith.index_cast %t : index to i32
    %v = arith.addi %i, %k : i32
    %old = arith.subi %zero, %i : i32
    %a = amdgpu.dpp %old %v row_mirror (unit) {row_mask = 2 : i32} : i32
    memref.store %a, %o0[%t] : memref<64xi32>
    %b = amdgpu.dpp %old %v row_mirror (unit) {bank_mask = 4 : i32} : i32
    memref.store %b, %o1[%t] : memref<64xi32>
    %r = rocdl.update.dpp %zero, %v with 273, 15, 15, false : i32
    %odd = arith.andi %i, %one : i32
    %isOdd = arith.cmpi eq, %odd, %one : i32
    %s = arith.select %isOdd, %r, %zero : i32
    memref.store %s, %o2[%t] : memref<64xi32>
    gpu.return
  }

  // The sum of a wave as AMD's compilers take it: it is in the last lane.
  // SUM: {{.*}} 64{{$}}
  gpu.func @sum(%x: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %v = memref.load %x[%t] : memref<64xi32>
    %a = amdgpu.dpp %zero %v row_shr (1 : i32) {bound_ctrl = true} : i32
    %b = arith.addi %v, %a : i32
    %c = amdgpu.dpp %zero %b row_shr (2 : i32) {bound_ctrl = true} : i32
    %d = arith.addi %b, %c : i32
    %e = amdgpu.dpp %zero %d row_shr (4 : i32) {bound_ctrl = true} : i32
    %f = arith.addi %d, %e : i32
    %g = amdgpu.dpp %zero %f row_shr (8 : i32) {bound_ctrl = true} : i32
    %h = arith.addi %f, %g : i32
    %i = amdgpu.dpp %zero %h row_bcast_15 (unit) {row_mask = 10 : i32} : i32
    %j = arith.addi %h, %i : i32
    %k = amdgpu.dpp %zero %j row_bcast_31 (unit) {row_mask = 12 : i32} : i32
    %l = arith.addi %j, %k : i32
    memref.store %l, %x[%t] : memref<64xi32>
    gpu.return
  }

  // SHARE: {{^}}3 3 {{.*}} 3 19 19 {{.*}} 19{{$}}
  // SHARE-NEXT: {{^}}5 4 7 6
  // NONE: error: kernel 'share': invalid operation: DPP control 339 is none that gfx942 has: rocdl.update.dpp by thread (0,0,0) of block (0,0,0) at {{.*}}dpp.mlir
  gpu.func @share(%o0: memref<32xi32>, %o1: memref<32xi32>) kernel {
    %t = gpu.thread_id x
    %zero = arith.constant 0 : i32
    %v = arith.index_cast %t : index to i32
    %a = rocdl.update.dpp %zero, %v with 339, 15, 15, false : i32
    memref.store %a, %o0[%t] : memref<32xi32>
    %b = rocdl.update.dpp %zero, %v with 357, 15, 15, false : i32
    memref.store %b, %o1[%t] : memref<32xi32>
    gpu.return
  }
}

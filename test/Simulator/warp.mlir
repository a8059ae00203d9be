// What the operations of a warp compute.
// RUN: forge-sim %s --kernel shuffles --block 32 --arg i32[128]=uninitialised --print 0 | FileCheck %s --check-prefix=SHUFFLE
// RUN: forge-sim %s --kernel votes --block 32 --arg i32[4]=uninitialised --print 0 | FileCheck %s --check-prefix=VOTE
// RUN: forge-sim %s --kernel shfl_sync --block 32 --arg i32[64]=uninitialised --print 0 | FileCheck %s --check-prefix=SHFL
// RUN: forge-sim %s --kernel reduces --block 64 --arg f32[2]=uninitialised --print 0 | FileCheck %s --check-prefix=REDUCE
// RUN: forge-sim %s --kernel reduces --block 64 --arg f32[2]=uninitialised --print 0 --chip gfx942 | FileCheck %s --check-prefix=REDUCE64
// RUN: forge-sim %s --kernel wave --block 64 --arg i64[2]=uninitialised --print 0 --chip gfx942 | FileCheck %s --check-prefix=WAVE
// RUN: forge-sim %s --kernel sync_orders --block 32 --arg i32[32]=iota --print 0 | FileCheck %s --check-prefix=SYNC

gpu.module @kernels {
  // SHUFFLE: 1 0 3 2 {{.*}} 31 30 0 0 1 2 {{.*}} 30 2 3 4 {{.*}} 31 -1 -1 5 5 5
  gpu.func @shuffles(%out: memref<128xi32>) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %m1 = arith.constant -1 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %w = arith.constant 32 : i32
    %i32 = arith.constant 32 : index
    %i64 = arith.constant 64 : index
    %i96 = arith.constant 96 : index
    %a, %av = gpu.shuffle xor %v, %c1, %w : i32
    memref.store %a, %out[%t] : memref<128xi32>
    %b, %bv = gpu.shuffle up %v, %c1, %w : i32
    %j = arith.addi %t, %i32 : index
    memref.store %b, %out[%j] : memref<128xi32>
    %c, %cv = gpu.shuffle down %v, %c2, %w : i32
    %cc = arith.select %cv, %c, %m1 : i32
    %k = arith.addi %t, %i64 : index
    memref.store %cc, %out[%k] : memref<128xi32>
    %d, %dv = gpu.shuffle idx %v, %c5, %w : i32
    %l = arith.addi %t, %i96 : index
    memref.store %d, %out[%l] : memref<128xi32>
    gpu.return
  }

  // VOTE: 65535 1 0 0
  gpu.func @votes(%out: memref<4xi32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %all = arith.constant -1 : i32
    %p = arith.cmpi ult, %t, %c16 : index
    %b = nvvm.vote.sync ballot %all, %p -> i32
    %any = nvvm.vote.sync any %all, %p -> i1
    %every = nvvm.vote.sync all %all, %p -> i1
    %same = nvvm.vote.sync uni %all, %p -> i1
    %anyi = arith.extui %any : i1 to i32
    %everyi = arith.extui %every : i1 to i32
    %samei = arith.extui %same : i1 to i32
    %elected = nvvm.elect.sync -> i1
    scf.if %elected {
      memref.store %b, %out[%c0] : memref<4xi32>
      memref.store %anyi, %out[%c1] : memref<4xi32>
      memref.store %everyi, %out[%c2] : memref<4xi32>
      memref.store %samei, %out[%c3] : memref<4xi32>
    }
    gpu.return
  }

  // Segments of eight lanes: mask 0b11000, clamp 31. The second row is the first lane of each segment.
  // SHFL: 4 5 6 7 0 1 2 3 12 13 14 15 8 {{.*}} 0 0 0 0 0 0 0 0 8 8 8
  gpu.func @shfl_sync(%out: memref<64xi32>) kernel {
    %t = gpu.thread_id x
    %v = arith.index_cast %t : index to i32
    %all = arith.constant -1 : i32
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %i32 = arith.constant 32 : index
    %clamp = arith.constant 0x181f : i32
    %a = nvvm.shfl.sync bfly %all, %v, %c4, %clamp : i32 -> i32
    memref.store %a, %out[%t] : memref<64xi32>
    %b = nvvm.shfl.sync idx %all, %v, %c0, %clamp {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %bv = llvm.extractvalue %b[0] : !llvm.struct<(i32, i1)>
    %j = arith.addi %t, %i32 : index
    memref.store %bv, %out[%j] : memref<64xi32>
    gpu.return
  }

  // REDUCE: 496 1520
  // REDUCE64: 2016 -1
  gpu.func @reduces(%out: memref<2xf32>) kernel {
    %t = gpu.thread_id x
    %w = gpu.subgroup_id : index
    %l = gpu.lane_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i = arith.index_cast %t : index to i32
    %v = arith.sitofp %i : i32 to f32
    %sum = gpu.subgroup_reduce add %v : (f32) -> f32
    %none = arith.constant -1.0 : f32
    %zero = arith.cmpi eq, %t, %c0 : index
    scf.if %zero {
      memref.store %none, %out[%c1] : memref<2xf32>
    }
    gpu.barrier
    %first = arith.cmpi eq, %l, %c0 : index
    scf.if %first {
      memref.store %sum, %out[%w] : memref<2xf32>
    }
    gpu.return
  }

  // The active lanes are those for which the condition holds.
  // WAVE: 4294967295 16
  gpu.func @wave(%out: memref<2xi64>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %i = arith.index_cast %t : index to i32
    %p = arith.cmpi ult, %t, %c32 : index
    %b = rocdl.ballot %p : i64
    %q = arith.cmpi uge, %t, %c16 : index
    scf.if %q {
      %f = rocdl.readfirstlane %i : i32
      %g = arith.extui %f : i32 to i64
      %me = arith.cmpi eq, %t, %c32 : index
      scf.if %me {
        memref.store %b, %out[%c0] : memref<2xi64>
        memref.store %g, %out[%c1] : memref<2xi64>
      }
    }
    gpu.return
  }

  // bar.warp.sync orders memory, so this is no race.
  // SYNC: 31 30 29
  gpu.func @sync_orders(%a: memref<32xi32>) workgroup(%s: memref<32xi32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %all = arith.constant -1 : i32
    %c31 = arith.constant 31 : index
    %r = arith.subi %c31, %t : index
    %v = memref.load %a[%t] : memref<32xi32>
    memref.store %v, %s[%t] : memref<32xi32, #gpu.address_space<workgroup>>
    nvvm.bar.warp.sync %all : i32
    %w = memref.load %s[%r] : memref<32xi32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%t] : memref<32xi32>
    gpu.return
  }
}

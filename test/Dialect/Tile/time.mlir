// The clock that all threads share.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt --forge-convert-to-nvvm %s | FileCheck %s --check-prefix=NVVM
// RUN: forge-opt --forge-convert-to-rocdl=chip=gfx942 %s | FileCheck %s --check-prefix=ROCDL -DTICK=10
// RUN: forge-opt --forge-convert-to-rocdl=chip=gfx90a %s | FileCheck %s --check-prefix=ROCDL -DTICK=40

gpu.module @m {
  // CHECK: tile.time
  // NVVM: llvm.inline_asm has_side_effects asm_dialect = att "mov.u64 $0, %globaltimer;", "=l,~{memory}" : () -> i64
  // ROCDL: %[[TICKS:.*]] = llvm.call_intrinsic "llvm.readsteadycounter"() : () -> i64
  // ROCDL: %[[LENGTH:.*]] = llvm.mlir.constant([[TICK]] : i64) : i64
  // ROCDL: llvm.mul %[[TICKS]], %[[LENGTH]] : i64
  gpu.func @now(%out: memref<1xi64>) kernel {
    %c0 = arith.constant 0 : index
    %t = tile.time
    memref.store %t, %out[%c0] : memref<1xi64>
    gpu.return
  }
}

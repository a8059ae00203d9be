// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt -mlir-print-op-generic %s | forge-opt | FileCheck %s
// RUN: forge-opt --forge-convert-to-nvvm %s | FileCheck %s --check-prefix=ASM

gpu.module @m {
  // CHECK-LABEL: gpu.func @product
  // CHECK: tile.wgmma %{{.*}}, [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}], %{{.*}} columns 8 element bf16 transposed : !llvm.struct<(f32, f32, f32, f32)>
  // ASM: llvm.inline_asm has_side_effects asm_dialect = att "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0, $1, $2, $3}, {$8, $9, $10, $11}, $12, 1, 1, 1, 1;", "=f,=f,=f,=f,0,1,2,3,r,r,r,r,l"
  gpu.func @product(%w: i32, %d: i64) kernel {
    %zero = llvm.mlir.zero : !llvm.struct<(f32, f32, f32, f32)>
    %0 = tile.wgmma %zero, [%w, %w, %w, %w], %d columns 8 element bf16 transposed : !llvm.struct<(f32, f32, f32, f32)>
    gpu.return
  }
}

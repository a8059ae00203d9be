// Blocks that share a row, some of them behind its end: a schedule that a search tried gave wrong results.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge explain %s --target sim:sm_90a --save-plan %t.plan >%t.explain
// The schedule is refused; one whose blocks have columns is right.
// RUN: sed -E 's/<strategy = rows, .*, library/<strategy = rows, vector = 2, loads = 1, rows = 1, blocks = 8, threads = 512, library/' %t.plan >%t.behind.plan
// RUN: not forge verify %s --target sim:sm_90a --plan %t.behind.plan --reproducer-dir "" 2>&1 | FileCheck %s
// CHECK: error: this schedule does not fit its kernel, elementwise: expected columns for each of 8 blocks
// RUN: sed -E 's/<strategy = rows, .*, library/<strategy = rows, vector = 2, loads = 1, rows = 1, blocks = 4, threads = 512, library/' %t.plan >%t.within.plan
// RUN: forge verify %s --target sim:sm_90a --plan %t.within.plan
func.func @main(%x: tensor<8x4096xf32>) -> tensor<8x4096xf32> {
  %0 = stablehlo.negate %x : tensor<8x4096xf32>
  return %0 : tensor<8x4096xf32>
}

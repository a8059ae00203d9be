// RUN: forge-opt %s --forge-count-steps | FileCheck %s

// CHECK: llvm.func @forge_sim_step(i32)

// CHECK-LABEL: llvm.func @straight
// CHECK-NOT: forge_sim_step
llvm.func @straight(%c: i1) {
  llvm.cond_br %c, ^a, ^b
^a:
  llvm.br ^b
^b:
  llvm.return
}

// CHECK-LABEL: llvm.func @nested
llvm.func @nested(%c: i1, %d: i1) {
  llvm.br ^outer
^outer:
  llvm.br ^inner
// CHECK: ^bb2:
// CHECK-NEXT: llvm.mlir.constant
// CHECK-NEXT: llvm.call @forge_sim_step(%{{.*}}) {{.*}}memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = readwrite
// CHECK-NEXT: llvm.cond_br
^inner:
  llvm.cond_br %c, ^inner, ^latch
// CHECK: llvm.call @forge_sim_step
// CHECK-NEXT: llvm.cond_br
^latch:
  llvm.cond_br %d, ^outer, ^end
// CHECK: ^bb4:
// CHECK-NEXT: llvm.return
^end:
  llvm.return
}

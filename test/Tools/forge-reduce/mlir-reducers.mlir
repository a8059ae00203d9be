// MLIR's own reducer, without what it says of modules that do not verify on its way.
// RUN: forge-reduce %s -reduction-tree="traversal-mode=0 test=%S/Inputs/has-tanh.sh" 2> %t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.log

// QUIET-NOT: null operand
// QUIET-NOT: no terminator
// CHECK-NOT: @boring
// CHECK: @interesting
// CHECK-NOT: @boring
func.func @boring(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}

func.func @interesting(%a: f32) -> f32 {
  %0 = math.tanh %a : f32
  %1 = arith.addf %0, %0 : f32
  return %1 : f32
}

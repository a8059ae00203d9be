// The reducer drops the function the test script does not care for.
// RUN: forge-reduce %s -reduction-tree="traversal-mode=0 test=%S/Inputs/has-tanh.sh" | FileCheck %s

// CHECK-NOT: @boring
// CHECK: @interesting
// CHECK-NOT: @boring
func.func @boring(%a: f32) -> f32 {
  %0 = arith.addf %a, %a : f32
  return %0 : f32
}

func.func @interesting(%a: f32) -> f32 {
  %0 = math.tanh %a : f32
  return %0 : f32
}

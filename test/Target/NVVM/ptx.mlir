// What the code generator makes of a kernel: correctly rounded division and square root, no flushed denormals.
// From sm_90a on it waits for the work before it.
// RUN: forge compile %s --target cuda:sm_80 --to ptx -o - | FileCheck %s --implicit-check-not=griddepcontrol
// RUN: forge compile %s --target cuda:sm_90a --to ptx -o - | FileCheck %s --check-prefixes=WAIT,CHECK
// RUN: forge compile %s --target cuda:sm_90a --to lower -o - | FileCheck %s --check-prefix=HOST
// HOST: llvm.call @forge_rt_launch_dependent(
// CHECK: .visible .entry elementwise
// WAIT-NOT: ld.global
// WAIT: griddepcontrol.launch_dependents;
// WAIT-NOT: ld.global
// WAIT: griddepcontrol.wait;
// CHECK: %tid.x
// CHECK-DAG: div.rn.f32
// CHECK-DAG: sqrt.rn.f32
// CHECK-NOT: .ftz
// CHECK-NOT: .extern
func.func @main(%a: tensor<1000xf32>, %b: tensor<1000xf32>) -> tensor<1000xf32> {
  %e = tensor.empty() : tensor<1000xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<1000xf32>, tensor<1000xf32>) outs(%e : tensor<1000xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = math.sqrt %x : f32
    %1 = arith.divf %0, %y : f32
    linalg.yield %1 : f32
  } -> tensor<1000xf32>
  return %r : tensor<1000xf32>
}

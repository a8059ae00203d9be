// An operation that writes in the steps of its reduction is not computed element by element.
// RUN: forge-opt %s --forge-schedule-kernels=chip=sm_90a | FileCheck %s
// RUN: forge-opt %s --forge-schedule-kernels=chip=sm_90a | forge-opt - --forge-pipeline="target=cuda:sm_90a from=kernels to=gpu" | FileCheck %s --check-prefix=GPU

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// CHECK: @kernel(
// CHECK-SAME: strategy = generic{{.*}}threads = 1,
// GPU: gpu.func @kernel(
// GPU: scf.for
// GPU: memref.store %{{.*}} : memref<7xi32>
// GPU: memref.store %{{.*}} : memref<i32>
// GPU: gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
func.func private @kernel(%x: tensor<7xi32>, %a: tensor<7xi32>, %b: tensor<i32>) -> (tensor<7xi32>, tensor<i32>) attributes {forge.kernel} {
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #none], iterator_types = ["reduction"]} ins(%x : tensor<7xi32>) outs(%a, %b : tensor<7xi32>, tensor<i32>) {
  ^bb0(%in: i32, %double: i32, %sum: i32):
    %d = arith.addi %in, %in : i32
    %s = arith.addi %sum, %d : i32
    linalg.yield %d, %s : i32, i32
  } -> (tensor<7xi32>, tensor<i32>)
  return %r#0, %r#1 : tensor<7xi32>, tensor<i32>
}
func.func @main(%x: tensor<7xi32>) -> (tensor<7xi32>, tensor<i32>) {
  %a = tensor.empty() : tensor<7xi32>
  %b = arith.constant dense<0> : tensor<i32>
  %r:2 = call @kernel(%x, %a, %b) : (tensor<7xi32>, tensor<7xi32>, tensor<i32>) -> (tensor<7xi32>, tensor<i32>)
  return %r#0, %r#1 : tensor<7xi32>, tensor<i32>
}

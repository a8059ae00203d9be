// Sorts whose tiles are of different types, small enough to be phases of one kernel: no more of them are than have room in the shared memory of a block.
// Two of one type are parts of one launch.
// RUN: forge verify %s --function types --target sim:sm_90a
// RUN: forge verify %s --function alike --target sim:sm_90a
// RUN: forge compile %s --function types --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=TYPES
// RUN: forge compile %s --function alike --target cuda:sm_90a --to gpu -o - | FileCheck %s --check-prefix=ALIKE
// TYPES-NOT: workgroup({{.*}}memref<4224xi32{{.*}}memref<2112xi64
// TYPES-NOT: workgroup({{.*}}memref<2112xi64{{.*}}memref<4224xi32
// TYPES: workgroup({{.*}}memref<2112xi64
// ALIKE-COUNT-2: gpu.launch_func
// ALIKE-NOT: gpu.launch_func

func.func @types(%x: tensor<4200xf32>, %y: tensor<4200xi32>, %z: tensor<4200xi64>) -> (tensor<4200xf32>, tensor<4200xi32>, tensor<4200xi64>) {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4200xf32>) -> tensor<4200xf32>
  %1 = "stablehlo.sort"(%y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4200xi32>) -> tensor<4200xi32>
  %2 = "stablehlo.sort"(%z) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %less = stablehlo.compare LT, %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4200xi64>) -> tensor<4200xi64>
  return %0, %1, %2 : tensor<4200xf32>, tensor<4200xi32>, tensor<4200xi64>
}
func.func @alike(%x: tensor<12000xi64>, %y: tensor<12000xi64>) -> (tensor<1xi64>, tensor<1xi32>, tensor<1xi64>, tensor<1xi32>) {
  %v, %i = chlo.top_k(%x, k = 1) : tensor<12000xi64> -> (tensor<1xi64>, tensor<1xi32>)
  %w, %j = chlo.top_k(%y, k = 1) : tensor<12000xi64> -> (tensor<1xi64>, tensor<1xi32>)
  return %v, %i, %w, %j : tensor<1xi64>, tensor<1xi32>, tensor<1xi64>, tensor<1xi32>
}

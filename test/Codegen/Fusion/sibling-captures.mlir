// Two operations over one tensor merge where all that both read is at hand: also what the body of the second takes from
// outside.
// RUN: forge-opt %s --forge-fuse-elementwise | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @captured_between
// CHECK: %[[C:.*]] = arith.trunci
// CHECK: linalg.generic
// CHECK: arith.addi %{{.*}}, %[[C]]
func.func @captured_between(%a: tensor<8xi32>, %n: i64) -> (tensor<8xi32>, tensor<8xi32>) {
  %empty = tensor.empty() : tensor<8xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xi32>) outs(%empty : tensor<8xi32>) {
  ^bb0(%x: i32, %out: i32):
    %s = arith.muli %x, %x : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %c = arith.trunci %n : i64 to i32
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xi32>) outs(%empty : tensor<8xi32>) {
  ^bb0(%x: i32, %out: i32):
    %s = arith.addi %x, %c : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  return %0, %1 : tensor<8xi32>, tensor<8xi32>
}

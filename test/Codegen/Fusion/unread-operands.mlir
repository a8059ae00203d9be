// An operand that the body does not read is dropped, not fused: there are 2^40 paths to the operation at the top.
// RUN: timeout 60 forge-opt %s --forge-fuse-elementwise | FileCheck %s
#map = affine_map<(d0) -> (d0)>

// CHECK: func.func @unread(%{{.*}}: tensor<8xi32>, %[[Y:.*]]: tensor<8xi32>)
// CHECK-NEXT: return %[[Y]]
func.func @unread(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi32>
  %a0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %s = arith.addi %in, %in : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a0, %x : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a1, %a0 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a2, %a1 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a3, %a2 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a4, %a3 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a5, %a4 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a6, %a5 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a7, %a6 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a8, %a7 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a9, %a8 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a10, %a9 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a11, %a10 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a12, %a11 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a13, %a12 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a14, %a13 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a15, %a14 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a16, %a15 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a17, %a16 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a18, %a17 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a19, %a18 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a20, %a19 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a21, %a20 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a22, %a21 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a23, %a22 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a24, %a23 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a25, %a24 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a26, %a25 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a27, %a26 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a28, %a27 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a29, %a28 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a30, %a29 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a31, %a30 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a32, %a31 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a33, %a32 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a34, %a33 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a35, %a34 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a36, %a35 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a37, %a36 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a38, %a37 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.addi %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %a40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%a39, %a38 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    %s = arith.xori %in, %in_0 : i32
    linalg.yield %s : i32
  } -> tensor<8xi32>
  %last = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%y, %a40 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %in_0: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<8xi32>
  return %last : tensor<8xi32>
}

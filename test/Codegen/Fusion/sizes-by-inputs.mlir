// Fusion leaves a result that nothing uses where only it says how far a loop runs: it is read as an input instead.
// RUN: forge-opt %s --forge-fuse-elementwise | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// CHECK-LABEL: @numbers(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<7xi32>
// CHECK: %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[EMPTY]] : tensor<7xi32>) outs(%{{.*}} : tensor<i32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: i32, %[[MOST:.*]]: i32):
// CHECK: %[[NEXT:.*]] = arith.maxsi %[[MOST]], %{{.*}} : i32
// CHECK-NEXT: linalg.yield %[[NEXT]] : i32
// CHECK: return %[[R]]
func.func @numbers() -> tensor<i32> {
  %empty = tensor.empty() : tensor<7xi32>
  %lowest = arith.constant dense<-2147483648> : tensor<i32>
  %r:2 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} outs(%empty, %lowest : tensor<7xi32>, tensor<i32>) {
  ^bb0(%unread: i32, %most: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.maxsi %most, %n : i32
    linalg.yield %n, %m : i32, i32
  } -> (tensor<7xi32>, tensor<i32>)
  return %r#1 : tensor<i32>
}

// A result that is used stays one.
// CHECK-LABEL: @both(
// CHECK: linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<7xi32>, tensor<i32>)
func.func @both() -> (tensor<7xi32>, tensor<i32>) {
  %empty = tensor.empty() : tensor<7xi32>
  %lowest = arith.constant dense<-2147483648> : tensor<i32>
  %r:2 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} outs(%empty, %lowest : tensor<7xi32>, tensor<i32>) {
  ^bb0(%unread: i32, %most: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %m = arith.maxsi %most, %n : i32
    linalg.yield %n, %m : i32, i32
  } -> (tensor<7xi32>, tensor<i32>)
  return %r#0, %r#1 : tensor<7xi32>, tensor<i32>
}

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// Of sizes that are known, only those of loops that nothing else has.
// CHECK-LABEL: @columns(
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<100xi32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[EMPTY]] : tensor<64xf32>, tensor<100xi32>)
func.func @columns(%x: tensor<64xf32>) -> tensor<64xf32> {
  %empty = tensor.empty() : tensor<64x100xi32>
  %e = tensor.empty() : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r:2 = linalg.generic {indexing_maps = [#row, #all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64xf32>) outs(%empty, %f : tensor<64x100xi32>, tensor<64xf32>) {
  ^bb0(%a: f32, %unread: i32, %sum: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %g = arith.sitofp %n : i32 to f32
    %m = arith.mulf %g, %a : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %n, %s : i32, f32
  } -> (tensor<64x100xi32>, tensor<64xf32>)
  return %r#1 : tensor<64xf32>
}

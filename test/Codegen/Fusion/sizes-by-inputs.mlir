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

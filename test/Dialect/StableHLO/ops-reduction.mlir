// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Ops that apply a region along dimensions.

// CHECK-LABEL: @reduce
func.func @reduce(%x: tensor<2x3xf32>, %zero: tensor<f32>, %i: tensor<2x3xi32>, %none: tensor<i32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // The same with its region written out is printed in one line too.
  // CHECK: stablehlo.reduce(%{{.*}}) applies stablehlo.maximum across dimensions = [0, 1] {mhlo.kept} :
  %1 = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {mhlo.kept} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [1] :
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>) (%[[C:.*]]: tensor<i32>, %[[D:.*]]: tensor<i32>)
  // CHECK: stablehlo.minimum %[[A]], %[[B]]
  // CHECK: stablehlo.maximum %[[C]], %[[D]]
  %2:2 = stablehlo.reduce(%x init: %zero), (%i init: %none) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>) {
    %v = stablehlo.minimum %a, %b : tensor<f32>
    %j = stablehlo.maximum %c, %d : tensor<i32>
    stablehlo.return %v, %j : tensor<f32>, tensor<i32>
  }
  // Operands the other way round are not the short form.
  // CHECK: stablehlo.reduce(%{{.*}}) across dimensions = [0] :
  // CHECK-NEXT: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>)
  // CHECK-NEXT: stablehlo.add %[[B]], %[[A]]
  %3 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.add %b, %a : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  return
}

// A body may accumulate in a wider type than the input's.
// CHECK-LABEL: @reduce_promoted
func.func @reduce_promoted(%x: tensor<?xbf16>, %zero: tensor<bf16>) -> tensor<f32> {
  // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>)
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<?xbf16>, tensor<bf16>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: @reduce_window
func.func @reduce_window(%x: tensor<8x8xf32>, %low: tensor<f32>) -> tensor<5x4xf32> {
  // CHECK: "stablehlo.reduce_window"(%{{.*}}) <{base_dilations = array<i64: 1, 1>, padding = dense<{{\[\[}}1, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  %0 = "stablehlo.reduce_window"(%x, %low) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<8x8xf32>, tensor<f32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// CHECK-LABEL: @select_and_scatter
func.func @select_and_scatter(%x: tensor<8xf32>, %grad: tensor<4xf32>, %zero: tensor<f32>) -> tensor<8xf32> {
  // CHECK: "stablehlo.select_and_scatter"(%{{.*}}) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  %0 = "stablehlo.select_and_scatter"(%x, %grad, %zero) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %ge : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @sort
func.func @sort(%keys: tensor<8xf32>, %values: tensor<8xi32>) {
  // CHECK: "stablehlo.sort"(%{{.*}}) <{dimension = 0 : i64, is_stable = true}> ({
  %0:2 = "stablehlo.sort"(%keys, %values) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %av: tensor<i32>, %bv: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
  return
}

// CHECK-LABEL: @map
func.func @map(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: "stablehlo.map"(%{{.*}}) <{dimensions = array<i64: 0>}> ({
  %0 = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.multiply %a, %b : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// RUN: forge-opt %s --forge-raise-composites | FileCheck %s
// RUN: forge verify %s --function sums --target cpu
// RUN: forge verify %s --function unknown --target cpu
// RUN: forge verify %s --function misfit --target cpu

// As jax.export writes a cumulative sum.
// CHECK-LABEL: @sums
// CHECK: chlo.scan(%arg0) inits (%{{.*}}) dimension=0 attributes {is_associative = true, is_reverse = false}
// CHECK-NEXT: ^bb0
// CHECK-NEXT: stablehlo.add
// CHECK-NOT: stablehlo.composite
// CHECK: return
func.func @sums(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.composite "chlo.scan" %x, %z ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2, %2 : tensor<f32>, tensor<f32>
  }) {composite_attributes = {dimension = 0 : i64, is_associative = true, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}, decomposition = @twice, version = 1 : i32} : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0 : tensor<4xf32>
}

// CHECK-LABEL: @largest
// CHECK: chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
func.func @largest(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 2 : i64}, decomposition = @first} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0 : tensor<2xf32>
}

// Neither a name of chlo nor of any dialect; an operation of another dialect; attributes that make no valid operation: their
// decompositions are called.
// CHECK-LABEL: @unknown
// CHECK: stablehlo.composite "mylib.negate"
// CHECK: stablehlo.composite "stablehlo.negate"
// CHECK-LABEL: @misfit
// CHECK: stablehlo.composite "chlo.top_k"
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "mylib.negate" %x {decomposition = @doubled} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "stablehlo.negate" %0 {decomposition = @doubled} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @misfit(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 3 : i64}, decomposition = @first} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0 : tensor<2xf32>
}

func.func private @twice(%x: tensor<4xf32>, %z: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %0 = stablehlo.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1, %z : tensor<4xf32>, tensor<f32>
}
func.func private @first(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.iota dim = 0 : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}
func.func private @doubled(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

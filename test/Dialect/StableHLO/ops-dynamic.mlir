// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Every op with a dynamic shape.

// CHECK-LABEL: @dynamic
func.func @dynamic(%x: tensor<?x4xf32>, %y: tensor<2xi32>) {
  // CHECK: stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  // CHECK: stablehlo.dynamic_iota %arg1, dim = 1 : (tensor<2xi32>) -> tensor<?x4xi32>
  %1 = stablehlo.dynamic_iota %y, dim = 1 : (tensor<2xi32>) -> tensor<?x4xi32>
  // CHECK: stablehlo.dynamic_reshape %arg0, %arg1 : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %2 = stablehlo.dynamic_reshape %x, %y : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %x, %y, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %4 = stablehlo.dynamic_broadcast_in_dim %x, %y, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  // CHECK: stablehlo.dynamic_pad %arg0, %{{.*}}, %arg1, %arg1, %arg1 : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %v = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.dynamic_pad %x, %v, %y, %y, %y : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.real_dynamic_slice %arg0, %arg1, %arg1, %arg1 : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %6 = stablehlo.real_dynamic_slice %x, %y, %y, %y : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: @shape_of_index
func.func @shape_of_index(%x: tensor<1xindex>) {
  // CHECK: stablehlo.dynamic_iota %arg0, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  %0 = stablehlo.dynamic_iota %x, dim = 0 : (tensor<1xindex>) -> tensor<?xf32>
  return
}

// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s --mlir-print-op-generic | forge-opt | FileCheck %s

// Every op that makes tensors or moves elements.

// CHECK-LABEL: @constants
func.func @constants() {
  // CHECK: stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: stablehlo.constant {mhlo.kept} dense<1.000000e+00> : tensor<3xf32>
  %1 = stablehlo.constant {mhlo.kept} dense<1.0> : tensor<3xf32>
  // CHECK: stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  // CHECK: stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %3 = stablehlo.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  // CHECK: stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %4 = stablehlo.constant dense<"0x010001"> : tensor<3xi1>
  // CHECK: stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %5 = stablehlo.constant dense<"0x05"> : tensor<3xi1>
  // CHECK: stablehlo.constant dense_resource<blob> : tensor<2xf32>
  %6 = stablehlo.constant dense_resource<blob> : tensor<2xf32>
  // CHECK: stablehlo.constant dense<255> : tensor<2x0xui8>
  %7 = stablehlo.constant dense<255> : tensor<2x0xui8>
  // CHECK: stablehlo.constant dense<7> : tensor<i64>
  %8 = stablehlo.constant() {value = dense<7> : tensor<i64>} : () -> tensor<i64>
  // CHECK: stablehlo.constant dense<-7> : tensor<i4>
  %9 = stablehlo.constant() <{value = dense<-7> : tensor<i4>}> : () -> tensor<i4>
  return
}

// CHECK-LABEL: @make
func.func @make(%x: tensor<3xf32>, %y: tensor<f32>) {
  // CHECK: stablehlo.iota dim = 1 : tensor<2x3xi32>
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  // CHECK: stablehlo.broadcast %arg0, sizes = [4, 2] : (tensor<3xf32>) -> tensor<4x2x3xf32>
  %1 = stablehlo.broadcast %x, sizes = [4, 2] : (tensor<3xf32>) -> tensor<4x2x3xf32>
  // CHECK: stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %3 = stablehlo.broadcast_in_dim %y, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.reshape %arg0 : (tensor<3xf32>) -> tensor<3x1x1xf32>
  %4 = stablehlo.reshape %x : (tensor<3xf32>) -> tensor<3x1x1xf32>
  // CHECK: stablehlo.reshape %arg1 : (tensor<f32>) -> tensor<1xf32>
  %5 = stablehlo.reshape %y : (tensor<f32>) -> tensor<1xf32>
  return
}

// CHECK-LABEL: @move
func.func @move(%x: tensor<2x?x4xf32>, %y: tensor<f32>) {
  // CHECK: stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x?x4xf32>) -> tensor<4x2x?xf32>
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x?x4xf32>) -> tensor<4x2x?xf32>
  // CHECK: stablehlo.reverse %arg0, dims = [1, 0] : tensor<2x?x4xf32>
  %1 = stablehlo.reverse %x, dims = [1, 0] : tensor<2x?x4xf32>
  // CHECK: stablehlo.slice %arg0 [0:2, 1:3, 0:4:2] : (tensor<2x?x4xf32>) -> tensor<2x2x2xf32>
  %2 = stablehlo.slice %x [0:2, 1:3, 0:4:2] : (tensor<2x?x4xf32>) -> tensor<2x2x2xf32>
  // CHECK: stablehlo.slice %arg1 [] : (tensor<f32>) -> tensor<f32>
  %3 = stablehlo.slice %y [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  %4 = stablehlo.concatenate %x, %x, dim = 1 : (tensor<2x?x4xf32>, tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  // CHECK: stablehlo.pad %arg0, %arg1, low = [0, 1, -1], high = [2, 0, 0], interior = [1, 0, 0] : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<5x?x3xf32>
  %5 = stablehlo.pad %x, %y, low = [0, 1, -1], high = [2, 0, 0], interior = [1, 0, 0] : (tensor<2x?x4xf32>, tensor<f32>) -> tensor<5x?x3xf32>
  return
}

// CHECK-LABEL: @at_run_time
func.func @at_run_time(%x: tensor<3x4xf32>, %y: tensor<i32>, %p: tensor<f32>) {
  // CHECK: stablehlo.dynamic_slice %arg0, %arg1, %arg1, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  %0 = stablehlo.dynamic_slice %x, %y, %y, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  // CHECK: stablehlo.dynamic_slice %arg2, sizes = [] : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.dynamic_slice %p, sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.dynamic_update_slice %arg0, %{{.*}}, %arg1, %arg1 : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  %2 = stablehlo.dynamic_update_slice %x, %0, %y, %y : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F00000040"
    }
  }
#-}

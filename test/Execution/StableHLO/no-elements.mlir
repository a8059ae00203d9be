// Results without elements: nothing is read, wherever a window or a slice would begin.
// RUN: forge verify %s
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge verify %s --function parts
// RUN: forge verify %s --function parts --target sim:sm_90a
// RUN: forge compile %s --function parts --to linalg -o - | FileCheck %s --check-prefix=PARTS
// RUN: forge compile %s --to linalg -o - | FileCheck %s
// CHECK: func @main
// CHECK-NOT: linalg.
// CHECK: return

func.func @main(%x: tensor<1x6x1xi8>, %w: tensor<3x2x2xi8>, %y: tensor<4x8xf32>, %i: tensor<i32>)
    -> (tensor<1x3x0xi32>, tensor<4x0xf32>, tensor<0x8xf32>, tensor<4x0xui8>, tensor<0xi32>) {
  // The window has 2 elements, the input 1.
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<1x6x1xi8>, tensor<3x2x2xi8>) -> tensor<1x3x0xi32>
  %1 = stablehlo.slice %y [0:4, 8:8] : (tensor<4x8xf32>) -> tensor<4x0xf32>
  %2 = stablehlo.dynamic_slice %y, %i, %i, sizes = [0, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<0x8xf32>
  %3 = stablehlo.convert %1 : (tensor<4x0xf32>) -> tensor<4x0xui8>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %start = stablehlo.constant dense<-1> : tensor<i32>
  %numbers = stablehlo.iota dim = 0 : tensor<0x8xi32>
  %4:2 = stablehlo.reduce(%2 init: %zero), (%numbers init: %start) across dimensions = [1] : (tensor<0x8xf32>, tensor<0x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<0xf32>, tensor<0xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
    %larger = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %m = stablehlo.select %larger, %a, %b : tensor<i1>, tensor<f32>
    %n = stablehlo.select %larger, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %m, %n : tensor<f32>, tensor<i32>
  }
  return %0, %1, %2, %3, %4#1 : tensor<1x3x0xi32>, tensor<4x0xf32>, tensor<0x8xf32>, tensor<4x0xui8>, tensor<0xi32>
}

// Parts without elements are not inserted.
// PARTS: func @parts
// PARTS-COUNT-2: tensor.insert_slice
// PARTS-NOT: tensor.insert_slice
// PARTS: return
func.func @parts(%x: tensor<3x4xf32>, %none: tensor<3x0xf32>, %i: tensor<i32>) -> (tensor<3x8xf32>, tensor<3x4xf32>) {
  %0 = stablehlo.concatenate %none, %x, %x, %none, dim = 1 : (tensor<3x0xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x0xf32>) -> tensor<3x8xf32>
  %1 = stablehlo.dynamic_update_slice %x, %none, %i, %i : (tensor<3x4xf32>, tensor<3x0xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  return %0, %1 : tensor<3x8xf32>, tensor<3x4xf32>
}

// Gradients of pooling (select_and_scatter) on devices: all windows select side by side, and all places gather what windows around them
// give, in the order in which a loop over windows adds it.
// RUN: forge verify %s --function overlapping --target sim:sm_90a
// RUN: forge verify %s --function overlapping --target sim:gfx942
// RUN: forge verify %s --function ties --target sim:sm_80
// RUN: forge verify %s --function empty_windows --target sim:sm_90a
// RUN: forge verify %s --function cropped --target sim:gfx1100
// RUN: forge verify %s --function products --target sim:sm_90a
// RUN: forge compile %s --function overlapping --target cuda:sm_90a --to kernels -o - | FileCheck %s
// Two loops over what is independent, of windows and of places.
// CHECK: func.func private @loop(
// CHECK-COUNT-4: forge.independent
// CHECK: func.func private @loop_0(
// CHECK-COUNT-4: forge.independent

func.func @overlapping(%x: tensor<2x17x18x5xf32>, %g: tensor<2x9x9x5xf32>) -> tensor<2x17x18x5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %z) <{padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2x17x18x5xf32>, tensor<2x9x9x5xf32>, tensor<f32>) -> tensor<2x17x18x5xf32>
  return %0 : tensor<2x17x18x5xf32>
}

// Of equal numbers, the first one is selected by GE, the last one by GT.
func.func @ties(%g: tensor<4x4xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %x = stablehlo.constant dense<1.0> : tensor<8x8xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<8x8xf32>
  %1 = "stablehlo.select_and_scatter"(%x, %g, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x8xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Windows that are outside as a whole give nothing.
func.func @empty_windows(%x: tensor<5xi32>, %g: tensor<6xi32>) -> tensor<5xi32> {
  %z = stablehlo.constant dense<7> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %z) <{padding = dense<[[4, 3]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<5xi32>, tensor<6xi32>, tensor<i32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// Negative padding: the first place is in no window.
func.func @cropped(%x: tensor<7xf32>, %g: tensor<3xf32>) -> tensor<7xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %z) <{padding = dense<[[-1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<7xf32>, tensor<3xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// What is scattered need not be added.
func.func @products(%x: tensor<16xf32>, %g: tensor<14xf32>) -> tensor<16xf32> {
  %z = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %g, %z) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<16xf32>, tensor<14xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

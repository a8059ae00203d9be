// Running sums: on devices blocks of a long line are summed side by side, with the bits of one line where it is not reversed. A sum that
// does not begin with zero takes that number once for each place that a window has outside. So are other running reductions whose
// operation has a neutral element and may be done in any order; products of floats are not.
// RUN: forge verify %s --function forward --target cpu
// RUN: forge verify %s --function forward --target sim:sm_90a
// RUN: forge verify %s --function forward --target sim:gfx942
// RUN: forge verify %s --function backward --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:sm_90a
// RUN: forge verify %s --function odd --target sim:gfx942
// RUN: forge verify %s --function odd_backward --target sim:sm_90a
// RUN: forge verify %s --function from_one --target cpu
// RUN: forge verify %s --function from_one --target sim:sm_90a
// RUN: forge compile %s --function forward --target cuda:sm_90a --to linalg -o - | FileCheck %s
// RUN: forge compile %s --function odd --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=ODD
// RUN: forge compile %s --function forward --target cpu --to linalg -o - | FileCheck %s --check-prefix=LINE

// CHECK: tensor.expand_shape {{.*}} : tensor<2x1024x5xf32> into tensor<2x32x32x5xf32>
// CHECK: tensor.empty() : tensor<2x32x5xf32>
// LINE-NOT: tensor.expand_shape
// RUN: forge verify %s --function counts --target sim:sm_90a
// RUN: forge verify %s --function counts --target cpu
// RUN: forge verify %s --function largest --target sim:sm_90a
// RUN: forge verify %s --function largest --target sim:gfx942 --distribution falling
// RUN: forge verify %s --function smallest --target sim:sm_90a
// RUN: forge verify %s --function bits --target sim:sm_90a
// RUN: forge verify %s --function products --target sim:sm_90a
// RUN: forge compile %s --function counts --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=COUNTS
// RUN: forge compile %s --function largest --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=LARGEST
// RUN: forge compile %s --function smallest --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=SMALLEST
// RUN: forge compile %s --function bits --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=BITS
// RUN: forge compile %s --function products --target cuda:sm_90a --to linalg -o - | FileCheck %s --check-prefix=PRODUCTS
// Elements beyond the line are neutral.
// COUNTS: arith.constant 0 : i32
// COUNTS: tensor.expand_shape {{.*}} : tensor<1024x3xi32> into tensor<32x32x3xi32>
// LARGEST: arith.constant 0xFF800000 : f32
// LARGEST: tensor.expand_shape {{.*}} : tensor<2x1024xf32> into tensor<2x32x32xf32>
// SMALLEST: arith.constant -1 : i8
// SMALLEST: tensor.expand_shape {{.*}} : tensor<320xi8> into tensor<10x32xi8>
// BITS: arith.constant -1 : i32
// BITS: tensor.expand_shape {{.*}} : tensor<320xi32> into tensor<10x32xi32>
// PRODUCTS-NOT: tensor.expand_shape
// A last block that is not whole is filled up.
// ODD: tensor.insert_slice {{.*}} : tensor<1000xf32> into tensor<1024xf32>
// ODD: tensor.expand_shape {{.*}} : tensor<1024xf32> into tensor<32x32xf32>
// ODD: tensor.extract_slice {{.*}} : tensor<1024xf32> to tensor<1000xf32>
func.func @forward(%x: tensor<2x1024x5xf32>) -> tensor<2x1024x5xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [1023, 0], [0, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 1, 1024, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x1024x5xf32>, tensor<f32>) -> tensor<2x1024x5xf32>
  return %0 : tensor<2x1024x5xf32>
}
func.func @backward(%x: tensor<512x3xbf16>) -> tensor<512x3xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 511], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 512, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<512x3xbf16>, tensor<bf16>) -> tensor<512x3xbf16>
  return %0 : tensor<512x3xbf16>
}
func.func @odd_backward(%x: tensor<300x3xbf16>) -> tensor<300x3xbf16> {
  %z = stablehlo.constant dense<0.0> : tensor<bf16>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 299], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 300, 1>}> ({
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %s = stablehlo.add %a, %b : tensor<bf16>
    stablehlo.return %s : tensor<bf16>
  }) : (tensor<300x3xbf16>, tensor<bf16>) -> tensor<300x3xbf16>
  return %0 : tensor<300x3xbf16>
}
func.func @odd(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[999, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 1000>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
func.func @from_one(%x: tensor<300x2xf32>) -> tensor<300x2xf32> {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[299, 0], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 300, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<300x2xf32>, tensor<f32>) -> tensor<300x2xf32>
  return %0 : tensor<300x2xf32>
}
func.func @counts(%x: tensor<1000x3xi32>) -> tensor<1000x3xi32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 999], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1000, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<1000x3xi32>, tensor<i32>) -> tensor<1000x3xi32>
  return %0 : tensor<1000x3xi32>
}
func.func @largest(%x: tensor<2x1000xf32>) -> tensor<2x1000xf32> {
  %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [999, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 1000>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x1000xf32>, tensor<f32>) -> tensor<2x1000xf32>
  return %0 : tensor<2x1000xf32>
}
func.func @smallest(%x: tensor<300xui8>) -> tensor<300xui8> {
  %z = stablehlo.constant dense<255> : tensor<ui8>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[299, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 300>}> ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>):
    %s = stablehlo.minimum %a, %b : tensor<ui8>
    stablehlo.return %s : tensor<ui8>
  }) : (tensor<300xui8>, tensor<ui8>) -> tensor<300xui8>
  return %0 : tensor<300xui8>
}
func.func @bits(%x: tensor<300xi32>) -> tensor<300xi32> {
  %z = stablehlo.constant dense<-1> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[299, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 300>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.and %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<300xi32>, tensor<i32>) -> tensor<300xi32>
  return %0 : tensor<300xi32>
}
func.func @products(%x: tensor<300xf32>) -> tensor<300xf32> {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[299, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 300>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.multiply %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<300xf32>, tensor<f32>) -> tensor<300xf32>
  return %0 : tensor<300xf32>
}

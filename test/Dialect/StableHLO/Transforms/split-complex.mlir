// RUN: forge-opt %s --split-input-file --forge-split-complex --canonicalize | FileCheck %s

// An entry function keeps one tensor; a private one has two.
// CHECK-LABEL: func.func @main(%arg0: tensor<4x2xf32> {forge.complex}) -> (tensor<4x2xf32> {forge.complex}, tensor<4xf32>)
// CHECK: %[[RE:.*]] = stablehlo.reshape
// CHECK: %[[IM:.*]] = stablehlo.reshape
// CHECK: call @half(%[[RE]], %[[IM]])
// CHECK: stablehlo.concatenate
// CHECK-LABEL: func.func private @half(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT: complex
func.func @main(%z: tensor<4xcomplex<f32>>) -> (tensor<4xcomplex<f32>>, tensor<4xf32>) {
  %0 = call @half(%z) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %1 = stablehlo.imag %0 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  return %0, %1 : tensor<4xcomplex<f32>>, tensor<4xf32>
}
func.func private @half(%z: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %h = stablehlo.constant dense<(0.5, 0.0)> : tensor<4xcomplex<f32>>
  %0 = stablehlo.multiply %z, %h : tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}

// -----

// Control flow and comparators.
// CHECK-LABEL: func.func @loop
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<f64>, tensor<f64>
// CHECK: stablehlo.sort
// CHECK-NEXT: ^bb0(%[[L:.*]]: tensor<f64>, %[[R:.*]]: tensor<f64>, %{{.*}}: tensor<f64>, %{{.*}}: tensor<f64>):
// CHECK-NEXT: stablehlo.compare LT, %[[L]], %[[R]]
func.func @loop(%z: tensor<complex<f64>>, %x: tensor<8xcomplex<f64>>) -> (tensor<complex<f64>>, tensor<8xcomplex<f64>>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %w = %z) : tensor<i32>, tensor<complex<f64>>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %v = stablehlo.multiply %w, %w : tensor<complex<f64>>
    stablehlo.return %j, %v : tensor<i32>, tensor<complex<f64>>
  }
  %1 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<complex<f64>>, %b: tensor<complex<f64>>):
    %l = stablehlo.real %a : (tensor<complex<f64>>) -> tensor<f64>
    %r = stablehlo.real %b : (tensor<complex<f64>>) -> tensor<f64>
    %c = stablehlo.compare LT, %l, %r : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<8xcomplex<f64>>) -> tensor<8xcomplex<f64>>
  return %0#1, %1 : tensor<complex<f64>>, tensor<8xcomplex<f64>>
}

// -----

// A sum is one of each part; a product is one of both.
// CHECK-LABEL: func.func @reductions
// CHECK-COUNT-2: stablehlo.reduce({{.*}} applies stablehlo.add across dimensions = [0]
// CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [0]
func.func @reductions(%z: tensor<4xcomplex<f32>>) -> (tensor<complex<f32>>, tensor<complex<f32>>) {
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %s = stablehlo.reduce(%z init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  %p = stablehlo.reduce(%z init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  return %s, %p : tensor<complex<f32>>, tensor<complex<f32>>
}

// -----

// A transform is a composite of the tensor as it is in memory, where a library computes it; equal ones share what they are made of.
// Small ones are products; longer ones of factors that are the fewest multiplications.
// CHECK-LABEL: func.func @fft
// CHECK: %[[Z:.*]] = stablehlo.composite "forge.fft" %arg0 {composite_attributes = {dims = 1 : i64, kind = "fft"}, decomposition = @[[F:.*]]}
// CHECK: stablehlo.composite "forge.fft" %[[Z]] {{.*}} decomposition = @[[F]]}
// CHECK: stablehlo.composite "forge.fft" %arg1 {composite_attributes = {dims = 1 : i64, kind = "rfft"}
// CHECK: func.func private @[[F]](%{{.*}}: tensor<2x8x2xf32>) -> tensor<2x8x2xf32>
// CHECK-COUNT-4: stablehlo.dot_general {{.*}} tensor<8x8xf32>
// CHECK: stablehlo.dot_general {{.*}} tensor<2x12x12xf32>
func.func @fft(%z: tensor<2x8xcomplex<f32>>, %x: tensor<2x144xf32>) -> (tensor<2x8xcomplex<f32>>, tensor<2x73xcomplex<f32>>) {
  %0 = stablehlo.fft %z, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  %2 = stablehlo.fft %0, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  %1 = stablehlo.fft %x, type = RFFT, length = [144] : (tensor<2x144xf32>) -> tensor<2x73xcomplex<f32>>
  return %2, %1 : tensor<2x8xcomplex<f32>>, tensor<2x73xcomplex<f32>>
}

// -----

// Of sizes known only at run time, arguments are cut and results joined with these.
// CHECK-LABEL: func.func @open
// CHECK-SAME: (%[[A:.*]]: tensor<?x2xf32> {forge.complex}) -> (tensor<?x2xf32> {forge.complex})
// CHECK: stablehlo.get_dimension_size %[[A]], dim = 0
// CHECK: stablehlo.real_dynamic_slice %[[A]]
// CHECK: stablehlo.dynamic_reshape
// CHECK: stablehlo.concatenate {{.*}} dim = 1 : (tensor<?x1xf32>, tensor<?x1xf32>) -> tensor<?x2xf32>
func.func @open(%a: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = stablehlo.negate %a : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

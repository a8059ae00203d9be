// RUN: forge-opt %s --split-input-file --forge-expand-rng | FileCheck %s

// The second draw has the next number.
// CHECK-LABEL: func.func @two
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<ui64>
// CHECK: %[[WORD:.*]] = stablehlo.reshape %[[ZERO]] : (tensor<ui64>) -> tensor<1xui64>
// CHECK: %[[STATE:.*]] = stablehlo.concatenate %{{.*}}, %{{.*}}, %[[WORD]], dim = 0
// CHECK: stablehlo.rng_bit_generator %[[STATE]], algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<8xui64>)
// CHECK: stablehlo.remainder
// CHECK: %[[ONE:.*]] = stablehlo.add %[[ZERO]], %{{.*}} : tensor<ui64>
// CHECK: stablehlo.reshape %[[ONE]]
// CHECK: stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%{{.*}}, %arg2)
// CHECK: chlo.erf_inv
// CHECK-NOT: stablehlo.rng %
func.func @two(%a: tensor<i32>, %b: tensor<f32>, %n: tensor<1xi32>) -> (tensor<8xi32>, tensor<?xf32>) {
  %s = stablehlo.constant dense<8> : tensor<1xi64>
  %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<8xi32>
  %1 = stablehlo.rng %b, %b, %n, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<8xi32>, tensor<?xf32>
}

// -----

// A loop carries the number, and what comes after it goes on from there.
// CHECK-LABEL: func.func @loop
// CHECK: %[[LOOP:.*]]:2 = stablehlo.while(%[[K:.*]] = %arg0, %[[N:.*]] = %{{.*}}) : tensor<i32>, tensor<ui64>
// CHECK: cond
// CHECK: do
// CHECK: stablehlo.reshape %[[N]]
// CHECK: %[[NEXT:.*]] = stablehlo.add %[[N]], %{{.*}} : tensor<ui64>
// CHECK: stablehlo.return %{{.*}}, %[[NEXT]] : tensor<i32>, tensor<ui64>
// CHECK: stablehlo.reshape %[[LOOP]]#1
func.func @loop(%k: tensor<i32>, %a: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %s = stablehlo.constant dense<> : tensor<0xi64>
  %r = stablehlo.while(%i = %k) : tensor<i32>
    cond {
      %go = stablehlo.compare LT, %i, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %step = stablehlo.rng %i, %a, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
      stablehlo.return %step : tensor<i32>
    }
  %last = stablehlo.rng %r, %a, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
  return %r, %last : tensor<i32>, tensor<i32>
}

// -----

// A branch without a draw gives the number that it got.
// CHECK-LABEL: func.func @branch
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<ui64>
// CHECK: "stablehlo.if"(%arg0) ({
// CHECK: %[[NEXT:.*]] = stablehlo.add %[[ZERO]], %{{.*}} : tensor<ui64>
// CHECK: stablehlo.return %{{.*}}, %[[NEXT]]
// CHECK: stablehlo.return %arg1, %[[ZERO]]
// CHECK: }) : (tensor<i1>) -> (tensor<i32>, tensor<ui64>)
func.func @branch(%c: tensor<i1>, %a: tensor<i32>) -> tensor<i32> {
  %s = stablehlo.constant dense<> : tensor<0xi64>
  %r = "stablehlo.if"(%c) ({
    %0 = stablehlo.rng %a, %a, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }, {
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %r : tensor<i32>
}

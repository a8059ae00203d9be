// RUN: forge-opt %s --convert-stablehlo-to-linalg --canonicalize --split-input-file | FileCheck %s

// One generic per op; the body is the scalar form.
// CHECK-LABEL: func.func @add_f32
// CHECK: linalg.generic
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: linalg.yield %[[S]]
func.func @add_f32(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// Narrow floats are computed in f32 and rounded after each op.
// CHECK-LABEL: func.func @exp_bf16
// CHECK: arith.extf %{{.*}} : bf16 to f32
// CHECK: math.exp %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @exp_bf16(%a: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = stablehlo.exponential %a : tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

// -----

// Unsigned types become signless; the arithmetic carries the sign.
// CHECK-LABEL: func.func @divide_ui8
// CHECK-SAME: tensor<4xi8>
// CHECK: arith.divui
// CHECK-NOT: ui8
func.func @divide_ui8(%a: tensor<4xui8>, %b: tensor<4xui8>) -> tensor<4xui8> {
  %0 = stablehlo.divide %a, %b : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// -----

// Division by zero gives -1, the least integer divided by -1 itself: no trap is left.
// CHECK-LABEL: func.func @divide_i32
// CHECK-DAG: %[[ZERO:.*]] = arith.cmpi eq, %[[Y:.*]], %c0_i32
// CHECK-DAG: %[[ONES:.*]] = arith.cmpi eq, %[[Y]], %c-1_i32
// CHECK: %[[SPECIAL:.*]] = arith.ori %[[ZERO]], %[[ONES]]
// CHECK: %[[SAFE:.*]] = arith.select %[[SPECIAL]], %c1_i32, %[[Y]]
// CHECK: arith.divsi %{{.*}}, %[[SAFE]]
func.func @divide_i32(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.divide %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// Shifts by the width or more give zero.
// CHECK-LABEL: func.func @shift_left
// CHECK: %[[IN:.*]] = arith.cmpi ule, %[[N:.*]], %c31_i32
// CHECK: %[[AMOUNT:.*]] = arith.select %[[IN]], %[[N]], %c31_i32
// CHECK: %[[R:.*]] = arith.shli %{{.*}}, %[[AMOUNT]]
// CHECK: arith.select %[[IN]], %[[R]], %c0_i32
func.func @shift_left(%a: tensor<4xi32>, %b: tensor<4xi32>) -> tensor<4xi32> {
  %0 = stablehlo.shift_left %a, %b : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// Conversion saturates; NaN becomes 0.
// CHECK-LABEL: func.func @convert_f32_i8
// CHECK: arith.fptosi
// CHECK: arith.cmpf oge, %{{.*}}, %cst{{.*}}
// CHECK: arith.select %{{.*}}, %c127_i8
// CHECK: arith.cmpf ole
// CHECK: arith.select %{{.*}}, %c-128_i8
// CHECK: arith.cmpf uno
// CHECK: arith.select %{{.*}}, %c0_i8
func.func @convert_f32_i8(%a: tensor<4xf32>) -> tensor<4xi8> {
  %0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// Booleans: add is or, multiply is and.
// CHECK-LABEL: func.func @booleans
// CHECK: arith.ori
// CHECK: arith.andi
func.func @booleans(%a: tensor<4xi1>, %b: tensor<4xi1>) -> tensor<4xi1> {
  %0 = stablehlo.add %a, %b : tensor<4xi1>
  %1 = stablehlo.multiply %0, %b : tensor<4xi1>
  return %1 : tensor<4xi1>
}

// -----

// A splat operand goes into the body; a scalar one becomes a scalar operand of the generic.
// CHECK-LABEL: func.func @splats
// CHECK-SAME: %[[A:.*]]: tensor<64x64xf32>, %[[S:.*]]: tensor<f32>
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%[[A]] : tensor<64x64xf32>)
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
// CHECK: %[[SCALAR:.*]] = tensor.extract %[[S]][]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SCALAR]] : tensor<64x64xf32>, f32)
// CHECK: arith.maximumf
func.func @splats(%a: tensor<64x64xf32>, %s: tensor<f32>) -> tensor<64x64xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<64x64xf32>
  %0 = stablehlo.multiply %a, %c : tensor<64x64xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %1 = stablehlo.maximum %0, %b : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// -----

// Tensors of rank 0 are scalar code.
// CHECK-LABEL: func.func @rank_zero
// CHECK-NOT: linalg.generic
// CHECK: arith.addi %{{.*}}, %{{.*}} : i32
// CHECK: arith.cmpi slt
func.func @rank_zero(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  %1 = stablehlo.compare LT, %0, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %1 : tensor<i1>
}

// -----

// The total order of floats is that of their bits.
// CHECK-LABEL: func.func @total_order
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.shrsi
// CHECK: arith.xori
// CHECK: arith.cmpi slt
func.func @total_order(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xi1> {
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// What libm lacks is a call of the runtime.
// CHECK-LABEL: func.func @lgamma
// CHECK: func.call @forge_rt_lgamma_f32(%{{.*}}) : (f32) -> f32
// CHECK: func.func private @forge_rt_lgamma_f32(f32) -> f32
func.func @lgamma(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = chlo.lgamma %a : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

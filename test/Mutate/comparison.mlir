// Mistakes at edges and in choices.
// RUN: forge mutate %s --print --phase import --mutator move-edge | FileCheck %s --check-prefix=EDGE
// RUN: forge mutate %s --print --phase import --mutator drop-condition | FileCheck %s --check-prefix=CONDITION
// RUN: forge mutate %s --print --phase import --mutator exchange-choices | FileCheck %s --check-prefix=CHOICE
// RUN: forge mutate %s --print --phase import --mutator fix-branch | FileCheck %s --check-prefix=BRANCH
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>, %i: index, %j: index, %a: f32, %b: f32) -> (tensor<4xi32>, f32, i1) {
  %0 = stablehlo.compare GE, %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %1 = stablehlo.select %0, %x, %y : tensor<4xi1>, tensor<4xi32>
  %2 = arith.cmpi slt, %i, %j : index
  %3 = scf.if %2 -> f32 {
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  %4 = arith.cmpf ogt, %a, %b : f32
  %5 = arith.andi %4, %2 : i1
  // No condition: integers may be masks of bits.
  %6 = arith.andi %i, %j : index
  return %1, %3, %5 : tensor<4xi32>, f32, i1
}
// EDGE: move-edge at stablehlo.compare
// EDGE: stablehlo.compare GT, %arg0, %arg1
// EDGE: move-edge at arith.cmpi
// EDGE: arith.cmpi sle
// EDGE: move-edge at arith.cmpf
// EDGE: arith.cmpf oge

// CONDITION: #0 import drop-condition at arith.andi
// CONDITION: %[[I:.*]] = arith.cmpi slt
// CONDITION: %[[F:.*]] = arith.cmpf ogt
// CONDITION: return {{.*}}, %[[F]]
// CONDITION: #1 import drop-condition at arith.andi
// CONDITION: %[[I:.*]] = arith.cmpi slt
// CONDITION: return {{.*}}, %[[I]]
// CONDITION-NOT: #2

// CHOICE: stablehlo.select %{{.*}}, %arg1, %arg0

// BRANCH: %[[T:.*]] = arith.constant true
// BRANCH: scf.if %[[T]]
// BRANCH: %[[F:.*]] = arith.constant false
// BRANCH: scf.if %[[F]]

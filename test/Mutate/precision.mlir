// Mistakes in types.
// RUN: forge mutate %s --print --phase import --mutator narrow-sum | FileCheck %s --check-prefix=SUM
// RUN: forge mutate %s --print --phase import --mutator narrow-factor | FileCheck %s --check-prefix=FACTOR
// RUN: forge mutate %s --print --phase import --mutator cut-off --function conversions | FileCheck %s --check-prefix=CUT
// RUN: forge mutate %s --print --phase import --mutator unsigned-for-signed --function conversions | FileCheck %s --check-prefix=UNSIGNED
func.func @main(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = transformer.matmul %0, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
func.func @conversions(%x: tensor<4xf32>, %i: tensor<4xi8>, %h: f32) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, f16) {
  %0 = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>
  %1 = math.roundeven %x : tensor<4xf32>
  %2 = arith.sitofp %i : tensor<4xi8> to tensor<4xf32>
  %3 = arith.extsi %i : tensor<4xi8> to tensor<4xi32>
  // A position has no sign to lose.
  %5 = arith.extsi %3 : tensor<4xi32> to tensor<4xi64>
  %4 = arith.truncf %h : f32 to f16
  return %0, %1, %2, %3, %4 : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, f16
}
// SUM: %[[P:.*]] = stablehlo.dot_general
// SUM: %[[N:.*]] = stablehlo.convert %[[P]] : (tensor<4x4xf32>) -> tensor<4x4xbf16>
// SUM: %[[W:.*]] = stablehlo.convert %[[N]]
// SUM: transformer.matmul %[[W]]

// FACTOR: // #0 import narrow-factor at stablehlo.dot_general
// FACTOR: %[[N:.*]] = stablehlo.convert %arg0
// FACTOR: %[[W:.*]] = stablehlo.convert %[[N]]
// FACTOR: stablehlo.dot_general %[[W]], %arg1
// FACTOR: // #3 import narrow-factor at transformer.matmul
// FACTOR: %[[T:.*]] = arith.truncf %arg1
// FACTOR: %[[E:.*]] = arith.extf %[[T]]
// FACTOR: transformer.matmul %{{.*}}, %[[E]]

// CUT: func.func @conversions
// CUT: %[[B:.*]] = arith.bitcast %arg0 : tensor<4xf32> to tensor<4xi32>
// CUT: %[[M:.*]] = arith.constant dense<-65536> : tensor<4xi32>
// CUT: %[[A:.*]] = arith.andi %[[B]], %[[M]]
// CUT: %[[F:.*]] = arith.bitcast %[[A]] : tensor<4xi32> to tensor<4xf32>
// CUT: arith.truncf %[[F]]
// CUT: cut-off at math.roundeven
// CUT: math.trunc %arg0
// CUT: cut-off at arith.truncf
// CUT: arith.constant -8192 : i32

// UNSIGNED: arith.uitofp %arg1
// UNSIGNED: unsigned-for-signed at arith.extsi
// UNSIGNED: arith.extui %arg1
// UNSIGNED-NOT: // #2

// RUN: forge-opt --transformer-decompose %s | FileCheck %s
// RUN: forge-opt --transformer-decompose --transformer-fuse-epilogues %s | FileCheck %s --check-prefix=AGAIN
// The same bits: what is decomposed is verified like the original (test/Execution/Transformer).

// CHECK-LABEL: func.func @epilogue
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x2xf32>, %[[R:.*]]: tensor<4x2xf32>)
// CHECK: %[[P:.*]] = transformer.matmul %[[X]], %[[W]] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK: %[[A:.*]] = transformer.activation relu %[[P]] : tensor<4x2xf32>
// CHECK: transformer.add %[[A]], %[[R]] : tensor<4x2xf32>
// AGAIN-LABEL: func.func @epilogue
// AGAIN-NEXT: transformer.matmul %{{.*}} residual %{{.*}} {activation = #transformer.activation<relu>}
// AGAIN-NEXT: return
func.func @epilogue(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %r: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %y = transformer.matmul %x, %w residual %r {activation = #transformer.activation<relu>}
      : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// Narrow types: everything up to the one rounding is in the accumulation's type.
// CHECK-LABEL: func.func @narrow
// CHECK: %[[B:.*]] = arith.extf %{{.*}} : tensor<2xbf16> to tensor<2xf32>
// CHECK: %[[P:.*]] = transformer.matmul %{{.*}}, %{{.*}} bias %[[B]] {transpose_rhs} : (tensor<?x8xbf16>, tensor<2x8xbf16>, tensor<2xf32>) -> tensor<?x2xf32>
// CHECK: %[[R:.*]] = arith.extf %{{.*}} : tensor<?x2xbf16> to tensor<?x2xf32>
// CHECK: %[[S:.*]] = transformer.add %[[P]], %[[R]] : tensor<?x2xf32>
// CHECK: arith.truncf %[[S]] : tensor<?x2xf32> to tensor<?x2xbf16>
// AGAIN-LABEL: func.func @narrow
// AGAIN-NEXT: transformer.matmul %{{.*}} bias %{{.*}} residual %{{.*}} {transpose_rhs} : (tensor<?x8xbf16>, tensor<2x8xbf16>, tensor<2xbf16>, tensor<?x2xbf16>) -> tensor<?x2xbf16>
// AGAIN-NEXT: return
func.func @narrow(%x: tensor<?x8xbf16>, %w: tensor<2x8xbf16>, %b: tensor<2xbf16>, %r: tensor<?x2xbf16>) -> tensor<?x2xbf16> {
  %y = transformer.matmul %x, %w bias %b residual %r {transpose_rhs}
      : (tensor<?x8xbf16>, tensor<2x8xbf16>, tensor<2xbf16>, tensor<?x2xbf16>) -> tensor<?x2xbf16>
  return %y : tensor<?x2xbf16>
}

// CHECK-LABEL: func.func @integers
// CHECK: %[[P:.*]] = transformer.matmul
// CHECK: arith.addi %[[P]], %{{.*}} : tensor<4x2xi32>
// AGAIN-LABEL: func.func @integers
// AGAIN-NEXT: transformer.matmul %{{.*}} residual %{{.*}}
// AGAIN-NEXT: return
func.func @integers(%x: tensor<4x8xi8>, %w: tensor<8x2xi8>, %r: tensor<4x2xi32>) -> tensor<4x2xi32> {
  %y = transformer.matmul %x, %w residual %r : (tensor<4x8xi8>, tensor<8x2xi8>, tensor<4x2xi32>) -> tensor<4x2xi32>
  return %y : tensor<4x2xi32>
}

// A bias alone is left where it is: gradients have one case for it.
// CHECK-LABEL: func.func @bias
// CHECK-NEXT: transformer.matmul %{{.*}} bias
// CHECK-NEXT: return
func.func @bias(%x: tensor<4x8xf16>, %w: tensor<8x2xf16>, %b: tensor<2xf16>) -> tensor<4x2xf16> {
  %y = transformer.matmul %x, %w bias %b : (tensor<4x8xf16>, tensor<8x2xf16>, tensor<2xf16>) -> tensor<4x2xf16>
  return %y : tensor<4x2xf16>
}

// CHECK-LABEL: func.func @mlp
// CHECK: %[[P:.*]] = transformer.matmul %{{.*}}, %{{.*}} bias %{{.*}} {transpose_rhs}
// CHECK: %[[H:.*]] = transformer.activation gelu %[[P]] : tensor<2x3x40xf32>
// CHECK: %[[O:.*]] = transformer.matmul %[[H]], %{{.*}} {transpose_rhs}
// CHECK: transformer.add %[[O]], %{{.*}}
// AGAIN-LABEL: func.func @mlp
// AGAIN-NEXT: transformer.matmul %{{.*}} bias %{{.*}} {activation = #transformer.activation<gelu>, transpose_rhs}
// AGAIN-NEXT: transformer.matmul %{{.*}} residual %{{.*}} {transpose_rhs}
// AGAIN-NEXT: return
func.func @mlp(%x: tensor<2x3x16xf32>, %up: tensor<40x16xf32>, %b: tensor<40xf32>, %down: tensor<16x40xf32>) -> tensor<2x3x16xf32> {
  %y = transformer.mlp %x up %up bias %b down %down residual %x {activation = #transformer.activation<gelu>, transpose_weights}
      : (tensor<2x3x16xf32>, tensor<40x16xf32>, tensor<40xf32>, tensor<16x40xf32>, tensor<2x3x16xf32>) -> tensor<2x3x16xf32>
  return %y : tensor<2x3x16xf32>
}

// CHECK-LABEL: func.func @gated_mlp
// CHECK: transformer.matmul
// CHECK: transformer.activation silu
// CHECK: transformer.matmul
// CHECK: transformer.multiply %{{.*}}, %{{.*}} : tensor<3x40xf32>
// CHECK: transformer.matmul
// CHECK-NOT: transformer.gated_mlp
func.func @gated_mlp(%x: tensor<3x16xf32>, %g: tensor<16x40xf32>, %u: tensor<16x40xf32>, %d: tensor<40x16xf32>) -> tensor<3x16xf32> {
  %y = transformer.gated_mlp %x gate %g up %u down %d {activation = #transformer.activation<silu>}
      : (tensor<3x16xf32>, tensor<16x40xf32>, tensor<16x40xf32>, tensor<40x16xf32>) -> tensor<3x16xf32>
  return %y : tensor<3x16xf32>
}

// Weights become numbers of the accumulation's type, not rounded to that of the input.
// CHECK-LABEL: func.func @linear
// CHECK-SAME: (%[[X:.*]]: tensor<3x64xbf16>, %[[W:.*]]: tensor<24x64xi4>, %[[S:.*]]: tensor<24xbf16>,
// CHECK: %[[SCALE:.*]] = arith.extf %[[S]] : tensor<24xbf16> to tensor<24xf32>
// CHECK: %[[N:.*]] = transformer.dequantize %[[W]] scale %[[SCALE]] zero_point %{{.*}} {axis = 0 : i64} : (tensor<24x64xi4>, tensor<24xf32>, tensor<24xi4>) -> tensor<24x64xf32>
// CHECK: %[[WIDE:.*]] = arith.extf %[[X]] : tensor<3x64xbf16> to tensor<3x64xf32>
// CHECK: %[[P:.*]] = transformer.matmul %[[WIDE]], %[[N]] {transpose_rhs}
// CHECK: arith.truncf %[[P]] : tensor<3x24xf32> to tensor<3x24xbf16>
func.func @linear(%x: tensor<3x64xbf16>, %w: tensor<24x64xi4>, %s: tensor<24xbf16>, %z: tensor<24xi4>) -> tensor<3x24xbf16> {
  %y = transformer.linear %x, %w scale %s zero_point %z
      : (tensor<3x64xbf16>, tensor<24x64xi4>, tensor<24xbf16>, tensor<24xi4>) -> tensor<3x24xbf16>
  return %y : tensor<3x24xbf16>
}

// CHECK-LABEL: func.func @linear_of_floats
// CHECK-NEXT: transformer.matmul %{{.*}}, %{{.*}} bias %{{.*}} {transpose_rhs}
// CHECK-NEXT: return
func.func @linear_of_floats(%x: tensor<3x64xbf16>, %w: tensor<24x64xbf16>, %b: tensor<24xbf16>) -> tensor<3x24xbf16> {
  %y = transformer.linear %x, %w bias %b : (tensor<3x64xbf16>, tensor<24x64xbf16>, tensor<24xbf16>) -> tensor<3x24xbf16>
  return %y : tensor<3x24xbf16>
}

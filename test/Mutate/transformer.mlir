// Mistakes in what a transformer operation is asked to do.
// RUN: forge mutate %s --print --phase import --mutator toggle-flag | FileCheck %s --check-prefix=FLAG
// RUN: forge mutate %s --print --phase import --mutator drop-optional | FileCheck %s --check-prefix=OPTIONAL
// RUN: forge mutate %s --print --phase import --mutator change-kind | FileCheck %s --check-prefix=KIND
// RUN: forge mutate %s --print --phase import --mutator change-number | FileCheck %s --check-prefix=NUMBER
// RUN: forge mutate %s --print --phase import --mutator drop-number --function masks | FileCheck %s --check-prefix=DROP-NUMBER
// RUN: forge mutate %s --print --phase import --mutator shift-number --function masks | FileCheck %s --check-prefix=SHIFT
// RUN: forge mutate %s --print --phase import --mutator wrong-grouping --function masks | FileCheck %s --check-prefix=GROUPING
// RUN: forge mutate %s --print --phase import --mutator rotate-experts --function masks | FileCheck %s --check-prefix=EXPERTS
// RUN: forge mutate %s --print --phase import --mutator wrong-scale | FileCheck %s --check-prefix=SCALE
// RUN: forge mutate %s --print --phase import --mutator exchange-inputs | FileCheck %s --check-prefix=INPUTS
// RUN: forge mutate %s --print --phase import --mutator skip-operation | FileCheck %s --check-prefix=SKIP
func.func @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %q: tensor<1x1x8x8xf32>, %k: tensor<1x1x8x8xf32>) -> (tensor<8x8xf32>, tensor<1x1x8x8xf32>) {
  %0 = transformer.matmul %x, %w bias %b residual %x {activation = #transformer.activation<gelu>} : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = transformer.rms_norm %0 scale %b {epsilon = 1.0e-06 : f32} : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %2 = transformer.attention %q, %k, %k {causal} : (tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<1x1x8x8xf32>
}
func.func @masks(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>, %n: tensor<1xi32>, %x: tensor<6x8xf32>, %w: tensor<3x8x4xf32>, %g: tensor<3xi32>) -> (tensor<1x4x3x8xf32>, tensor<6x4xf32>, tensor<6xi32>) {
  %0 = transformer.attention %q, %k, %v lengths %n {causal, window = 3 : i64, soft_cap = 5.0e+01 : f32} : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1xi32>) -> tensor<1x4x3x8xf32>
  %1 = transformer.grouped_matmul %x, %w groups %g : (tensor<6x8xf32>, tensor<3x8x4xf32>, tensor<3xi32>) -> tensor<6x4xf32>
  %2 = transformer.argmax %x : tensor<6x8xf32> -> tensor<6xi32>
  return %0, %1, %2 : tensor<1x4x3x8xf32>, tensor<6x4xf32>, tensor<6xi32>
}
// FLAG: toggle-flag at transformer.matmul
// FLAG: transformer.matmul {{.*}}transpose_lhs
// FLAG: toggle-flag at transformer.matmul
// FLAG: transformer.matmul {{.*}}transpose_rhs
// FLAG: toggle-flag at transformer.rms_norm
// FLAG: transformer.rms_norm {{.*}}unit_offset
// FLAG: toggle-flag at transformer.attention
// FLAG-NOT: {causal}
// FLAG: return

// OPTIONAL: drop-optional at transformer.matmul
// OPTIONAL: transformer.matmul %arg0, %arg1 residual %arg0
// OPTIONAL: drop-optional at transformer.matmul
// OPTIONAL: transformer.matmul %arg0, %arg1 bias %arg2 {
// OPTIONAL: drop-optional at transformer.rms_norm
// OPTIONAL: transformer.rms_norm %{{[0-9]+}} {

// KIND: activation<gelu_tanh>
// NUMBER: epsilon = 9.99999974E-6
// SCALE: scale = 1.000000e+00
// SCALE: scale = 0.000000e+00
// INPUTS: exchange-inputs at transformer.matmul
// INPUTS: transformer.matmul %arg1, %arg0
// INPUTS: exchange-inputs at transformer.attention
// INPUTS: transformer.attention %arg4, %arg3, %arg4
// SKIP: skip-operation at transformer.matmul
// SKIP-NOT: transformer.matmul %
// SKIP: transformer.rms_norm %arg0

// DROP-NUMBER: @masks
// DROP-NUMBER: transformer.attention {{.*}} {causal, window = 3 : i64}
// DROP-NUMBER: @masks
// DROP-NUMBER: transformer.attention {{.*}} {causal, soft_cap = 5.000000e+01 : f32}

// SHIFT: shift-number at transformer.attention
// SHIFT: @masks
// SHIFT: %[[N:.*]] = arith.addi %arg3, %{{.*}} : tensor<1xi32>
// SHIFT: transformer.attention {{.*}} lengths %[[N]]
// SHIFT: shift-number at transformer.grouped_matmul
// SHIFT: shift-number at transformer.argmax
// SHIFT: @masks
// SHIFT: %[[I:.*]] = transformer.argmax
// SHIFT: %[[J:.*]] = arith.addi %[[I]], %{{.*}} : tensor<6xi32>
// SHIFT: return {{.*}}, %[[J]]

// GROUPING: @masks
// GROUPING: tensor.insert_slice %arg1 into %{{.*}}[0, 0, 0, 0] [1, 2, 5, 8]
// GROUPING: %[[K:.*]] = tensor.insert_slice %arg1 into %{{.*}}[0, 2, 0, 0] [1, 2, 5, 8]
// GROUPING: tensor.insert_slice %arg2
// GROUPING: %[[V:.*]] = tensor.insert_slice %arg2
// GROUPING: transformer.attention %arg0, %[[K]], %[[V]]

// EXPERTS: @masks
// EXPERTS-DAG: %[[R:.*]] = tensor.extract_slice %arg5[1, 0, 0] [2, 8, 4]
// EXPERTS-DAG: %[[F:.*]] = tensor.extract_slice %arg5[0, 0, 0] [1, 8, 4]
// EXPERTS: %[[A:.*]] = tensor.insert_slice %[[R]] into %{{.*}}[0, 0, 0]
// EXPERTS: %[[W:.*]] = tensor.insert_slice %[[F]] into %[[A]][2, 0, 0]
// EXPERTS: transformer.grouped_matmul %arg4, %[[W]]

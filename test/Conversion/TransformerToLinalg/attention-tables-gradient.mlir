// Gradients of what a score region reads: every element of a table gathers its sum.
// RUN: forge-opt --convert-transformer-to-linalg --canonicalize --cse %s | FileCheck %s

// A head that indexes a table is a loop of it: a sum over the other loops and nothing else. No score is read.
// CHECK-LABEL: func.func @slopes
// CHECK: %[[DX:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2], [3], [4]] : tensor<2x4x1x3x7xf32> into tensor<2x4x3x7xf32>
// CHECK: %[[DSLOPES:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%[[DX]] : tensor<2x4x3x7xf32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: return %[[DSLOPES]]
func.func @slopes(%do: tensor<2x4x3x5xf32>, %q: tensor<2x4x3x5xf32>, %k: tensor<2x4x7x5xf32>, %slopes: tensor<4xf32>) -> tensor<4xf32> {
  %0:4 = transformer.attention_grad %do, %q, %k, %k tables %slopes score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %n = arith.index_cast %t : index to i32
    %f = arith.sitofp %n : i32 to f32
    %slope = tensor.extract %slopes[%h] : tensor<4xf32>
    %y = arith.mulf %slope, %f : f32
    %z = arith.addf %x, %y : f32
    transformer.yield %z : f32
  } slope {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %one = arith.constant 1.0 : f32
    %n = arith.index_cast %t : index to i32
    %f = arith.sitofp %n : i32 to f32
    transformer.yield %one, %f, %h : f32, f32, index
  } : (tensor<2x4x3x5xf32>, tensor<2x4x3x5xf32>, tensor<2x4x7x5xf32>, tensor<2x4x7x5xf32>, tensor<4xf32>)
      -> (tensor<2x4x3x5xf32>, tensor<2x4x7x5xf32>, tensor<2x4x7x5xf32>, tensor<4xf32>)
  return %0#3 : tensor<4xf32>
}

// The batch says nothing of a distance and is summed first. Distances are compared with the place of the element, heads are not.
// CHECK-LABEL: func.func @distances
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel", "parallel"]} ins(%{{.*}} : tensor<2x4x3x7xf32>) outs(%{{.*}} : tensor<4x3x7xf32>)
// CHECK: %[[INDEX:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} outs(%{{.*}} : tensor<3x7xi64>)
// CHECK: arith.subi
// CHECK: %[[GRAD:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%[[SUM]], %[[INDEX]] : tensor<4x3x7xf32>, tensor<3x7xi64>) outs(%{{.*}} : tensor<9x4xf32>)
// CHECK: arith.cmpi eq
// CHECK-NOT: arith.cmpi
// CHECK: arith.select
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: return %{{.*}} : tensor<9x4xbf16>
func.func @distances(%do: tensor<2x4x3x5xf32>, %q: tensor<2x4x3x5xf32>, %k: tensor<2x4x7x5xf32>, %bias: tensor<9x4xbf16>) -> tensor<9x4xbf16> {
  %0:4 = transformer.attention_grad %do, %q, %k, %k tables %bias score {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %d = arith.subi %s, %t : index
    %c6 = arith.constant 6 : index
    %i = arith.addi %d, %c6 : index
    %e = tensor.extract %bias[%i, %h] : tensor<9x4xbf16>
    %w = arith.extf %e : bf16 to f32
    %y = arith.addf %x, %w : f32
    transformer.yield %y : f32
  } slope {
  ^bb0(%x: f32, %b: index, %h: index, %s: index, %t: index):
    %d = arith.subi %s, %t : index
    %c6 = arith.constant 6 : index
    %i = arith.addi %d, %c6 : index
    %one = arith.constant 1.0 : f32
    transformer.yield %one, %one, %i, %h : f32, f32, index, index
  } : (tensor<2x4x3x5xf32>, tensor<2x4x3x5xf32>, tensor<2x4x7x5xf32>, tensor<2x4x7x5xf32>, tensor<9x4xbf16>)
      -> (tensor<2x4x3x5xf32>, tensor<2x4x7x5xf32>, tensor<2x4x7x5xf32>, tensor<9x4xbf16>)
  return %0#3 : tensor<9x4xbf16>
}

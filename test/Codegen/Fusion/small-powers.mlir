// Squares and cubes that are written as powers are products, of narrow types in f32; other powers stay.
// RUN: forge-opt %s --forge-fuse-elementwise | FileCheck %s
// RUN: forge verify %s --function cubes --target cpu
// RUN: forge verify %s --function cubes --target sim:sm_90a
// RUN: forge verify %s --function cubes --target sim:sm_90a --distribution huge

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @cubes
// CHECK: ^bb0(%[[X:.*]]: f32,
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT: %[[C:.*]] = arith.mulf %[[S]], %[[X]] : f32
// CHECK-NEXT: linalg.yield %[[C]]
func.func @cubes(%x: tensor<777xf32>) -> tensor<777xf32> {
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<777xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<777xf32>) outs(%e : tensor<777xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = math.powf %in, %three : f32
    linalg.yield %p : f32
  } -> tensor<777xf32>
  return %r : tensor<777xf32>
}

// CHECK-LABEL: func.func @squares
// CHECK: %[[W:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[W]], %[[W]] : f32
// CHECK-NEXT: arith.truncf %[[S]] : f32 to bf16
func.func @squares(%x: tensor<777xbf16>) -> tensor<777xbf16> {
  %two = arith.constant 2.0 : bf16
  %e = tensor.empty() : tensor<777xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<777xbf16>) outs(%e : tensor<777xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %p = math.powf %in, %two : bf16
    linalg.yield %p : bf16
  } -> tensor<777xbf16>
  return %r : tensor<777xbf16>
}

// CHECK-LABEL: func.func @others
// CHECK: math.powf
// CHECK: math.powf
func.func @others(%x: tensor<777xf32>, %y: tensor<777xf32>) -> tensor<777xf32> {
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<777xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<777xf32>, tensor<777xf32>) outs(%e : tensor<777xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %p = math.powf %in, %half : f32
    %q = math.powf %p, %other : f32
    linalg.yield %q : f32
  } -> tensor<777xf32>
  return %r : tensor<777xf32>
}

// Siblings are merged up to 24 tensors read and written: 22 inputs and two results are one operation, 23 inputs stay two.
// RUN: forge-opt --forge-fuse-elementwise --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @most
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return %[[BOTH]]#0, %[[BOTH]]#1
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
!t = tensor<64x1024xf32>
func.func @most(%a0: !t, %a1: !t, %a2: !t, %a3: !t, %a4: !t, %a5: !t, %a6: !t, %a7: !t, %a8: !t, %a9: !t, %a10: !t, %a11: !t, %a12: !t, %a13: !t, %a14: !t, %a15: !t, %a16: !t, %a17: !t, %a18: !t, %a19: !t, %a20: !t, %a21: !t, %i: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = linalg.generic {indexing_maps = [#all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10 : !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) outs(%i : tensor<64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32, %e3: f32, %e4: f32, %e5: f32, %e6: f32, %e7: f32, %e8: f32, %e9: f32, %e10: f32, %s: f32):
    %0 = arith.addf %s, %e0 : f32
    %1 = arith.addf %0, %e1 : f32
    %2 = arith.addf %1, %e2 : f32
    %3 = arith.addf %2, %e3 : f32
    %4 = arith.addf %3, %e4 : f32
    %5 = arith.addf %4, %e5 : f32
    %6 = arith.addf %5, %e6 : f32
    %7 = arith.addf %6, %e7 : f32
    %8 = arith.addf %7, %e8 : f32
    %9 = arith.addf %8, %e9 : f32
    %10 = arith.addf %9, %e10 : f32
    linalg.yield %10 : f32
  } -> tensor<64xf32>
  %b = linalg.generic {indexing_maps = [#all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a0, %a11, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19, %a20, %a21 : !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) outs(%i : tensor<64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32, %e3: f32, %e4: f32, %e5: f32, %e6: f32, %e7: f32, %e8: f32, %e9: f32, %e10: f32, %e11: f32, %s: f32):
    %0 = arith.addf %s, %e0 : f32
    %1 = arith.addf %0, %e1 : f32
    %2 = arith.addf %1, %e2 : f32
    %3 = arith.addf %2, %e3 : f32
    %4 = arith.addf %3, %e4 : f32
    %5 = arith.addf %4, %e5 : f32
    %6 = arith.addf %5, %e6 : f32
    %7 = arith.addf %6, %e7 : f32
    %8 = arith.addf %7, %e8 : f32
    %9 = arith.addf %8, %e9 : f32
    %10 = arith.addf %9, %e10 : f32
    %11 = arith.addf %10, %e11 : f32
    linalg.yield %11 : f32
  } -> tensor<64xf32>
  return %a, %b : tensor<64xf32>, tensor<64xf32>
}

// -----

// CHECK-LABEL: func.func @more
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
!t = tensor<64x1024xf32>
func.func @more(%a0: !t, %a1: !t, %a2: !t, %a3: !t, %a4: !t, %a5: !t, %a6: !t, %a7: !t, %a8: !t, %a9: !t, %a10: !t, %a11: !t, %a12: !t, %a13: !t, %a14: !t, %a15: !t, %a16: !t, %a17: !t, %a18: !t, %a19: !t, %a20: !t, %a21: !t, %a22: !t, %i: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = linalg.generic {indexing_maps = [#all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11 : !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) outs(%i : tensor<64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32, %e3: f32, %e4: f32, %e5: f32, %e6: f32, %e7: f32, %e8: f32, %e9: f32, %e10: f32, %e11: f32, %s: f32):
    %0 = arith.addf %s, %e0 : f32
    %1 = arith.addf %0, %e1 : f32
    %2 = arith.addf %1, %e2 : f32
    %3 = arith.addf %2, %e3 : f32
    %4 = arith.addf %3, %e4 : f32
    %5 = arith.addf %4, %e5 : f32
    %6 = arith.addf %5, %e6 : f32
    %7 = arith.addf %6, %e7 : f32
    %8 = arith.addf %7, %e8 : f32
    %9 = arith.addf %8, %e9 : f32
    %10 = arith.addf %9, %e10 : f32
    %11 = arith.addf %10, %e11 : f32
    linalg.yield %11 : f32
  } -> tensor<64xf32>
  %b = linalg.generic {indexing_maps = [#all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a0, %a12, %a13, %a14, %a15, %a16, %a17, %a18, %a19, %a20, %a21, %a22 : !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) outs(%i : tensor<64xf32>) {
  ^bb0(%e0: f32, %e1: f32, %e2: f32, %e3: f32, %e4: f32, %e5: f32, %e6: f32, %e7: f32, %e8: f32, %e9: f32, %e10: f32, %e11: f32, %s: f32):
    %0 = arith.addf %s, %e0 : f32
    %1 = arith.addf %0, %e1 : f32
    %2 = arith.addf %1, %e2 : f32
    %3 = arith.addf %2, %e3 : f32
    %4 = arith.addf %3, %e4 : f32
    %5 = arith.addf %4, %e5 : f32
    %6 = arith.addf %5, %e6 : f32
    %7 = arith.addf %6, %e7 : f32
    %8 = arith.addf %7, %e8 : f32
    %9 = arith.addf %8, %e9 : f32
    %10 = arith.addf %9, %e10 : f32
    %11 = arith.addf %10, %e11 : f32
    linalg.yield %11 : f32
  } -> tensor<64xf32>
  return %a, %b : tensor<64xf32>, tensor<64xf32>
}

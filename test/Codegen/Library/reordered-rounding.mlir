// The operation behind a product rounds its result and reads it in another order. The library computes the product rounded, but not that
// operation: asking whether it does changes nothing.
// RUN: forge-opt %s --pass-pipeline="builtin.module(func.func(forge-cluster-products{library=cost}))" | FileCheck %s
// RUN: forge-opt %s --forge-pipeline="target=hip:gfx942 from=fuse to=kernels" -o %t.mlir

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#sum = affine_map<(m, n, k) -> (m, n)>
#turned = affine_map<(i, j) -> (j, i)>
#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: @rounded_and_turned(
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: } -> tensor<256x128xf32>
// CHECK: %[[ROUNDED:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<256x128xf32>) outs(%{{.*}} : tensor<256x128xbf16>)
// CHECK: linalg.generic {indexing_maps = [#[[TURNED:[a-z0-9]+]], #[[ID:[a-z0-9]+]], #[[ID]]]{{.*}} ins(%[[ROUNDED]], %{{.*}} : tensor<256x128xbf16>, tensor<128x256xbf16>)
func.func @rounded_and_turned(%a: tensor<256x64xbf16>, %b: tensor<64x128xbf16>, %c: tensor<128x256xbf16>) -> tensor<128x256xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%e : tensor<256x128xf32>) -> tensor<256x128xf32>
  %sums = linalg.generic {indexing_maps = [#x, #w, #sum], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<256x64xbf16>, tensor<64x128xbf16>) outs(%start : tensor<256x128xf32>) {
  ^bb0(%x: bf16, %y: bf16, %sum: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<256x128xf32>
  %o = tensor.empty() : tensor<128x256xbf16>
  %r = linalg.generic {indexing_maps = [#turned, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %c : tensor<256x128xf32>, tensor<128x256xbf16>) outs(%o : tensor<128x256xbf16>) {
  ^bb0(%x: f32, %y: bf16, %out: bf16):
    %n = arith.truncf %x : f32 to bf16
    %m = arith.mulf %n, %y : bf16
    linalg.yield %m : bf16
  } -> tensor<128x256xbf16>
  return %r : tensor<128x256xbf16>
}

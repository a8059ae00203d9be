// Attention as Flax's Bloom has it: queries and keys widened to f32 before the queries are divided by the root of their length, so that
// the division has to move behind the product for its factors to be narrow; and biases from running sums of the mask, which are
// computed in parts: the parts must not divide the scores.
// RUN: forge compile %s --target cuda:sm_90a --to kernels -o - | FileCheck %s
// RUN: forge compile %s --target cuda:sm_90a --to simplify -o - | FileCheck %s --check-prefix=NARROW
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942

// NARROW: stablehlo.dot_general {{.*}} (tensor<1x512x2x64xbf16>, tensor<1x512x2x64xbf16>) -> tensor<1x2x512x512xf32>
// NARROW: stablehlo.divide {{.*}} : tensor<1x2x512x512xf32>
// CHECK: strategy = flash
// CHECK-NOT: tensor<1x2x512x512x{{.*}} attributes {forge.kernel
func.func private @cumsum(%x: tensor<1x512xi32>) -> tensor<1x512xi32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[0, 0], [511, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 512>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<1x512xi32>, tensor<i32>) -> tensor<1x512xi32>
  return %0 : tensor<1x512xi32>
}
func.func @main(%q: tensor<1x512x2x64xbf16>, %k: tensor<1x512x2x64xbf16>, %v: tensor<1x512x2x64xbf16>, %mask: tensor<1x512xi32>, %slopes: tensor<2xf32>) -> tensor<1x2x64x512xbf16> {
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %root = stablehlo.constant dense<8.0> : tensor<f32>
  %at = call @cumsum(%mask) : (tensor<1x512xi32>) -> tensor<1x512xi32>
  %at32 = stablehlo.convert %at : (tensor<1x512xi32>) -> tensor<1x512xf32>
  %atb = stablehlo.broadcast_in_dim %at32, dims = [0, 2] : (tensor<1x512xf32>) -> tensor<1x2x512xf32>
  %slb = stablehlo.broadcast_in_dim %slopes, dims = [1] : (tensor<2xf32>) -> tensor<1x2x512xf32>
  %bias = stablehlo.multiply %atb, %slb : tensor<1x2x512xf32>
  %biasb = stablehlo.broadcast_in_dim %bias, dims = [0, 1, 3] : (tensor<1x2x512xf32>) -> tensor<1x2x512x512xf32>
  %q32 = stablehlo.convert %q : (tensor<1x512x2x64xbf16>) -> tensor<1x512x2x64xf32>
  %k32 = stablehlo.convert %k : (tensor<1x512x2x64xbf16>) -> tensor<1x512x2x64xf32>
  %rb = stablehlo.broadcast_in_dim %root, dims = [] : (tensor<f32>) -> tensor<1x512x2x64xf32>
  %qs = stablehlo.divide %q32, %rb : tensor<1x512x2x64xf32>
  %s0 = stablehlo.dot_general %qs, %k32, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<1x512x2x64xf32>, tensor<1x512x2x64xf32>) -> tensor<1x2x512x512xf32>
  %s = stablehlo.add %s0, %biasb : tensor<1x2x512x512xf32>
  %m = stablehlo.reduce(%s init: %lowest) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x512x512xf32>, tensor<f32>) -> tensor<1x2x512xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0, 1, 2] : (tensor<1x2x512xf32>) -> tensor<1x2x512x512xf32>
  %d = stablehlo.subtract %s, %mb : tensor<1x2x512x512xf32>
  %e = stablehlo.exponential %d : tensor<1x2x512x512xf32>
  %l = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<1x2x512x512xf32>, tensor<f32>) -> tensor<1x2x512xf32>
  %lb = stablehlo.broadcast_in_dim %l, dims = [0, 1, 2] : (tensor<1x2x512xf32>) -> tensor<1x2x512x512xf32>
  %p = stablehlo.divide %e, %lb : tensor<1x2x512x512xf32>
  %p16 = stablehlo.convert %p : (tensor<1x2x512x512xf32>) -> tensor<1x2x512x512xbf16>
  %o = stablehlo.dot_general %v, %p16, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<1x512x2x64xbf16>, tensor<1x2x512x512xbf16>) -> tensor<1x2x64x512xbf16>
  return %o : tensor<1x2x64x512xbf16>
}

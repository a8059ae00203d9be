// Hand-computed values and edge cases of argmax, top_k, sample, cross_entropy and moe_route, by the compiler and by the
// reference: NaN, infinities, ties, signed zeros, ignored and unknown classes, excluded experts.
// RUN: forge run %s
// RUN: forge run %s --tier correctness
// RUN: forge-interpret %s
func.func @main() {
  // NaN of either sign first, equals (0 and -0 are) by index; a row of -inf gives 0.
  %x = stablehlo.constant dense<[[1.0, 3.0, 3.0, -1.0], [1.0, 0xFFC00000, 9.0, 0x7FC00000], [0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000],
                                 [-0.0, 0.0, -1.0, -2.0]]> : tensor<4x4xf32>
  %0 = transformer.argmax %x : tensor<4x4xf32> -> tensor<4xi32>
  check.expect_eq_const %0, dense<[1, 1, 0, 0]> : tensor<4xi32>
  %1, %2 = transformer.top_k %x {k = 3 : i64} : (tensor<4x4xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  check.expect_eq_const %2, dense<[[1, 2, 0], [1, 3, 2], [0, 1, 2], [0, 1, 2]]> : tensor<4x3xi32>

  // Even weights: the token is the top four bits of Philox's first word, 0x6627E8D5 under key 0 and counter 0
  // (Random123: known answers).
  %even = stablehlo.constant dense<0.0> : tensor<1x16xf32>
  %zero = stablehlo.constant dense<0> : tensor<1xi64>
  %3 = transformer.sample %even seeds %zero steps %zero : (tensor<1x16xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi32>
  check.expect_eq_const %3, dense<6> : tensor<1xi32>

  // A temperature of 0, and an infinite logit: greedy. One token kept by top_k, by top_p: that one.
  %logits = stablehlo.constant dense<[[1.0, 4.0, 2.0], [1.0, 0x7F800000, 2.0], [3.0, 0.0, 0.0], [0.0, 0.0, 5.0]]> : tensor<4x3xf32>
  %seeds = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %t = stablehlo.constant dense<[0.0, 1.0, 1.0, 1.0]> : tensor<4xf32>
  %k = stablehlo.constant dense<[0, 0, 1, 0]> : tensor<4xi32>
  %p = stablehlo.constant dense<[1.0, 1.0, 1.0, 0.5]> : tensor<4xf32>
  %4 = transformer.sample %logits seeds %seeds steps %seeds temperature %t top_k %k top_p %p
      : (tensor<4x3xf32>, tensor<4xi64>, tensor<4xi64>, tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %4, dense<[1, 1, 0, 2]> : tensor<4xi32>

  // log(2); ignored; no class; logits of 1e30 take no digits away.
  %l = stablehlo.constant dense<[[0.0, 0.0], [1.0, 2.0], [1.0, 2.0], [1.0e30, 1.0e30]]> : tensor<4x2xf32>
  %c = stablehlo.constant dense<[1, -100, 2, 0]> : tensor<4xi32>
  %5 = transformer.cross_entropy none %l, %c {ignore_index = -100 : i64} : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<4xf32>
  check.expect_almost_eq_const %5, dense<[0.6931472, 0.0, 0x7FC00000, 0.6931472]> : tensor<4xf32>
  %ignored = stablehlo.constant dense<-100> : tensor<4xi32>
  %6 = transformer.cross_entropy mean %l, %ignored {ignore_index = -100 : i64} : (tensor<4x2xf32>, tensor<4xi32>) -> tensor<f32>
  check.expect_eq_const %6, dense<0.0> : tensor<f32>

  // Groups of sigmoids [0.5 0.5], [0.75 0.5]; a bias of -inf excludes nobody of the best group.
  %r = stablehlo.constant dense<[[0.0, 0.0, 1.0986123, 0.0]]> : tensor<1x4xf32>
  %w, %e = transformer.moe_route sigmoid %r {k = 2 : i64, groups = 2 : i64, top_groups = 1 : i64}
      : (tensor<1x4xf32>) -> (tensor<1x2xf32>, tensor<1x2xi32>)
  check.expect_almost_eq_const %w, dense<[[0.75, 0.5]]> : tensor<1x2xf32>
  check.expect_eq_const %e, dense<[[2, 3]]> : tensor<1x2xi32>
  %bias = stablehlo.constant dense<[0.0, 0.0, 0xFF800000, 1.0]> : tensor<4xf32>
  %w2, %e2 = transformer.moe_route sigmoid %r bias %bias {k = 2 : i64, groups = 2 : i64, top_groups = 1 : i64, normalize}
      : (tensor<1x4xf32>, tensor<4xf32>) -> (tensor<1x2xf32>, tensor<1x2xi32>)
  check.expect_almost_eq_const %w2, dense<[[0.4, 0.6]]> : tensor<1x2xf32>
  check.expect_eq_const %e2, dense<[[3, 2]]> : tensor<1x2xi32>
  return
}

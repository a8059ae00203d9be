// Hand-computed values and edge cases of attention, rope and the cache, by the compiler and by the reference.
// RUN: forge run %s
// RUN: forge run %s --tier correctness
// RUN: forge-interpret %s
func.func @main() {
  %q = stablehlo.constant dense<0.0> : tensor<1x1x2x1xf32>
  %v = stablehlo.constant dense<[[[[2.0], [6.0]]]]> : tensor<1x1x2x1xf32>
  // Equal scores average; causality cuts.
  %0 = transformer.attention %q, %v, %v {causal} : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  check.expect_almost_eq_const %0, dense<[[[[2.0], [4.0]]]]> : tensor<1x1x2x1xf32>

  // Scores of 1e30 and -1e30 do not overflow.
  %big = stablehlo.constant dense<[[[[1.0e30], [-1.0e30]]]]> : tensor<1x1x2x1xf32>
  %ones = stablehlo.constant dense<[[[[1.0], [0.5]]]]> : tensor<1x1x2x1xf32>
  %1 = transformer.attention %big, %ones, %v : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> tensor<1x1x2x1xf32>
  check.expect_almost_eq_const %1, dense<[[[[2.0], [6.0]]]]> : tensor<1x1x2x1xf32>

  // A row that sees nothing is zero, and its log-sum-exp -inf.
  %mask = stablehlo.constant dense<[[[[true, false], [false, false]]]]> : tensor<1x1x2x2xi1>
  %2, %lse2 = transformer.attention %q, %v, %v mask %mask
      : (tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x2xi1>) -> (tensor<1x1x2x1xf32>, tensor<1x1x2xf32>)
  check.expect_almost_eq_const %2, dense<[[[[2.0], [0.0]]]]> : tensor<1x1x2x1xf32>
  check.expect_eq_const %lse2, dense<[[[0.0, 0xFF800000]]]> : tensor<1x1x2xf32>

  // NaN beyond a sequence's length is never looked at; elsewhere it spreads to the rows that see it.
  %nan = stablehlo.constant dense<[[[[2.0], [6.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %3 = transformer.attention %q, %nan, %nan lengths %two
      : (tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1xi32>) -> tensor<1x1x2x1xf32>
  check.expect_almost_eq_const %3, dense<[[[[4.0], [4.0]]]]> : tensor<1x1x2x1xf32>
  %4 = transformer.attention %q, %nan, %nan : (tensor<1x1x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x2x1xf32>
  check.expect_eq_const %4, dense<0x7FC00000> : tensor<1x1x2x1xf32>

  // A sink of log(3) beside one key of score 0 takes three quarters of the weight: 8 / 4; alone it is the lse.
  %sink = stablehlo.constant dense<1.0986123> : tensor<1xf32>
  %lengths = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %q2 = stablehlo.constant dense<0.0> : tensor<2x1x1x1xf32>
  %v2 = stablehlo.constant dense<8.0> : tensor<2x1x1x1xf32>
  %5, %lse5 = transformer.attention %q2, %v2, %v2 lengths %lengths sinks %sink
      : (tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2x1x1x1xf32>, tensor<2xi32>, tensor<1xf32>) -> (tensor<2x1x1x1xf32>, tensor<2x1x1xf32>)
  check.expect_almost_eq_const %5, dense<[[[[2.0]]], [[[0.0]]]]> : tensor<2x1x1x1xf32>
  check.expect_almost_eq_const %lse5, dense<[[[1.3862944]], [[1.0986123]]]> : tensor<2x1x1xf32>

  // Pages of two keys: sequence 0 has keys 1, 2, 3 in pages 2 and 0, sequence 1 keys 10 and 20 in page 1.
  %pages = stablehlo.constant dense<[[[[3.0], [0x7FC00000]]], [[[10.0], [20.0]]], [[[1.0], [2.0]]]]> : tensor<3x1x2x1xf32>
  %table = stablehlo.constant dense<[[2, 0], [1, -7]]> : tensor<2x2xi32>
  %n = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %6 = transformer.paged_attention %q2, %pages, %pages table %table lengths %n
      : (tensor<2x1x1x1xf32>, tensor<3x1x2x1xf32>, tensor<3x1x2x1xf32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x1x1x1xf32>
  check.expect_almost_eq_const %6, dense<[[[[2.0]]], [[[15.0]]]]> : tensor<2x1x1x1xf32>

  // Frequencies pi / 2 and pi per position: a quarter turn and a half turn; the last element passes through.
  %x = stablehlo.constant dense<[[[[1.0, 2.0, 3.0, 4.0, 5.0]]]]> : tensor<1x1x1x5xf32>
  %f = stablehlo.constant dense<[1.57079637, 3.14159274]> : tensor<2xf32>
  %p = stablehlo.constant dense<1> : tensor<1xi32>
  %7 = transformer.rope %x positions %p frequencies %f {rotary_dims = 4 : i64}
      : (tensor<1x1x1x5xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<1x1x1x5xf32>
  check.expect_almost_eq_const %7, dense<[[[[-3.0, -2.0, 1.0, -4.0, 5.0]]]]> : tensor<1x1x1x5xf32>
  %8 = transformer.rope %x positions %p frequencies %f {rotary_dims = 4 : i64, interleaved}
      : (tensor<1x1x1x5xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<1x1x1x5xf32>
  check.expect_almost_eq_const %8, dense<[[[[-2.0, 1.0, -3.0, -4.0, 5.0]]]]> : tensor<1x1x1x5xf32>

  // Rows before the beginning and behind the end are dropped.
  %rows = stablehlo.constant dense<[[[[1.0], [2.0]]], [[[3.0], [4.0]]]]> : tensor<2x1x2x1xf32>
  %cache = stablehlo.constant dense<0.0> : tensor<2x1x3x1xf32>
  %at = stablehlo.constant dense<[-1, 2]> : tensor<2xi32>
  %9 = transformer.kv_append %rows into %cache at %at : (tensor<2x1x2x1xf32>, tensor<2x1x3x1xf32>, tensor<2xi32>) -> tensor<2x1x3x1xf32>
  check.expect_eq_const %9, dense<[[[[2.0], [0.0], [0.0]]], [[[0.0], [0.0], [3.0]]]]> : tensor<2x1x3x1xf32>
  // Row 1 of sequence 0 goes to page 0, sequence 1's page -7 takes nothing.
  %pool = stablehlo.constant dense<0.0> : tensor<3x1x2x1xf32>
  %from = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %10 = transformer.kv_append %rows into %pool at %from table %table
      : (tensor<2x1x2x1xf32>, tensor<3x1x2x1xf32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<3x1x2x1xf32>
  check.expect_eq_const %10, dense<[[[[2.0], [0.0]]], [[[0.0], [0.0]]], [[[0.0], [1.0]]]]> : tensor<3x1x2x1xf32>
  return
}

// stablehlo.rng: draws of all kinds of elements, of static and of dynamic sizes, in loops, branches and calls, against the reference, on the CPU and on
// simulated chips; and what the numbers are like.
// RUN: forge verify %s --function draws --each-stage
// RUN: forge verify %s --function draws --target sim:sm_90a
// RUN: forge verify %s --function draws --target sim:gfx942 --tier correctness
// RUN: forge verify %s --function sized --dynamic-size 5 --each-stage
// RUN: forge verify %s --function sized --dynamic-size 0
// RUN: forge verify %s --function sized --dynamic-size 3 --target sim:sm_90a
// RUN: forge verify %s --function repeated --each-stage
// RUN: forge verify %s --function repeated --target sim:gfx942
// RUN: forge run %s --function numbers
// RUN: forge run %s --function numbers --tier correctness
// RUN: forge run %s --function numbers --target sim:sm_90a
// RUN: forge run %s --function numbers > %t.first
// RUN: forge run %s --function numbers > %t.second
// RUN: diff %t.first %t.second
// RUN: not forge run %s --function wrong_size 2>&1 | FileCheck %s --check-prefix=SIZE

// SIZE: expected size 3 along dimension 0, but got 2

func.func @draws(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>)
    -> (tensor<3x5xf32>, tensor<7xf64>, tensor<6xbf16>, tensor<6xf16>, tensor<9xi32>, tensor<5xui8>, tensor<5xi64>, tensor<5xi1>, tensor<f32>, tensor<3x5xf32>, tensor<7xf64>, tensor<6xbf16>, tensor<0x3xf32>) {
  %s35 = stablehlo.constant dense<[3, 5]> : tensor<2xi64>
  %s7 = stablehlo.constant dense<7> : tensor<1xi64>
  %s6 = stablehlo.constant dense<6> : tensor<1xi32>
  %s9 = stablehlo.constant dense<9> : tensor<1xi64>
  %s5 = stablehlo.constant dense<5> : tensor<1xui8>
  %s = stablehlo.constant dense<> : tensor<0xi64>
  %s03 = stablehlo.constant dense<[0, 3]> : tensor<2xi64>
  %0 = stablehlo.rng %a, %b, %s35, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x5xf32>
  %a64 = stablehlo.convert %a : (tensor<f32>) -> tensor<f64>
  %b64 = stablehlo.convert %b : (tensor<f32>) -> tensor<f64>
  %1 = stablehlo.rng %a64, %b64, %s7, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<7xf64>
  %zero = stablehlo.constant dense<0.0> : tensor<bf16>
  %one = stablehlo.constant dense<1.0> : tensor<bf16>
  %2 = stablehlo.rng %zero, %one, %s6, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<1xi32>) -> tensor<6xbf16>
  %low = stablehlo.constant dense<-65504.0> : tensor<f16>
  %high = stablehlo.constant dense<65504.0> : tensor<f16>
  %3 = stablehlo.rng %low, %high, %s6, distribution = UNIFORM : (tensor<f16>, tensor<f16>, tensor<1xi32>) -> tensor<6xf16>
  %4 = stablehlo.rng %i, %j, %s9, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<9xi32>
  %u = stablehlo.constant dense<250> : tensor<ui8>
  %v = stablehlo.constant dense<255> : tensor<ui8>
  %5 = stablehlo.rng %u, %v, %s5, distribution = UNIFORM : (tensor<ui8>, tensor<ui8>, tensor<1xui8>) -> tensor<5xui8>
  %least = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
  %most = stablehlo.constant dense<9223372036854775807> : tensor<i64>
  %6 = stablehlo.rng %least, %most, %s5, distribution = UNIFORM : (tensor<i64>, tensor<i64>, tensor<1xui8>) -> tensor<5xi64>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %7 = stablehlo.rng %false, %true, %s5, distribution = UNIFORM : (tensor<i1>, tensor<i1>, tensor<1xui8>) -> tensor<5xi1>
  %8 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
  %9 = stablehlo.rng %a, %b, %s35, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x5xf32>
  %10 = stablehlo.rng %a64, %b64, %s7, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<7xf64>
  %11 = stablehlo.rng %zero, %one, %s6, distribution = NORMAL : (tensor<bf16>, tensor<bf16>, tensor<1xi32>) -> tensor<6xbf16>
  %12 = stablehlo.rng %a, %b, %s03, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<0x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<3x5xf32>, tensor<7xf64>, tensor<6xbf16>, tensor<6xf16>, tensor<9xi32>, tensor<5xui8>, tensor<5xi64>, tensor<5xi1>, tensor<f32>, tensor<3x5xf32>, tensor<7xf64>, tensor<6xbf16>, tensor<0x3xf32>
}

func.func @sized(%shape: tensor<?x?xi8>, %a: tensor<f32>, %b: tensor<f32>, %i: tensor<i16>, %j: tensor<i16>) -> (tensor<?x?xf32>, tensor<2x?xi16>, tensor<?xf32>) {
  %m = stablehlo.get_dimension_size %shape, dim = 0 : (tensor<?x?xi8>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %shape, dim = 1 : (tensor<?x?xi8>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %mn = stablehlo.concatenate %m1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %tn = stablehlo.concatenate %two, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.rng %a, %b, %mn, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %1 = stablehlo.rng %i, %j, %tn, distribution = UNIFORM : (tensor<i16>, tensor<i16>, tensor<2xi32>) -> tensor<2x?xi16>
  %2 = stablehlo.rng %a, %b, %m1, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<2x?xi16>, tensor<?xf32>
}

func.func private @die() -> tensor<i32> {
  %s = stablehlo.constant dense<> : tensor<0xi64>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.rng %one, %seven, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<0xi64>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Throws until six dice are thrown, where a high one is thrown again; then once more.
func.func @repeated() -> (tensor<6xi32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<6xi32>
  %r:2 = stablehlo.while(%k = %zero, %all = %none) : tensor<i32>, tensor<6xi32>
    cond {
      %go = stablehlo.compare LT, %k, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %first = func.call @die() : () -> tensor<i32>
      %high = stablehlo.compare GT, %first, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %kept = "stablehlo.if"(%high) ({
        %again = func.call @die() : () -> tensor<i32>
        stablehlo.return %again : tensor<i32>
      }, {
        stablehlo.return %first : tensor<i32>
      }) : (tensor<i1>) -> tensor<i32>
      %die = "stablehlo.case"(%kept) ({
        stablehlo.return %kept : tensor<i32>
      }, {
        %again = func.call @die() : () -> tensor<i32>
        %more = func.call @die() : () -> tensor<i32>
        %sum = stablehlo.add %again, %more : tensor<i32>
        stablehlo.return %sum : tensor<i32>
      }, {
        stablehlo.return %kept : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      %line = stablehlo.reshape %die : (tensor<i32>) -> tensor<1xi32>
      %next = stablehlo.dynamic_update_slice %all, %line, %k : (tensor<6xi32>, tensor<1xi32>, tensor<i32>) -> tensor<6xi32>
      %k1 = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %k1, %next : tensor<i32>, tensor<6xi32>
    }
  %last = func.call @die() : () -> tensor<i32>
  return %r#1, %last : tensor<6xi32>, tensor<i32>
}

// Least, largest and mean of 65,536 numbers, variance of normal ones; no number comes again at its place in another draw.
func.func @numbers() -> (tensor<4xf64>, tensor<4xf64>) {
  %s = stablehlo.constant dense<65536> : tensor<1xi64>
  %two = stablehlo.constant dense<2.0> : tensor<f64>
  %six = stablehlo.constant dense<6.0> : tensor<f64>
  %0 = stablehlo.rng %two, %six, %s, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<65536xf64>
  %1 = stablehlo.rng %two, %six, %s, distribution = UNIFORM : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<65536xf64>
  %2 = stablehlo.rng %two, %six, %s, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<65536xf64>
  %same = stablehlo.compare EQ, %0, %1 : (tensor<65536xf64>, tensor<65536xf64>) -> tensor<65536xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %any = stablehlo.reduce(%same init: %no) applies stablehlo.or across dimensions = [0] : (tensor<65536xi1>, tensor<i1>) -> tensor<i1>
  check.expect_eq_const %any, dense<false> : tensor<i1>
  %uniform = func.call @describe(%0) : (tensor<65536xf64>) -> tensor<4xf64>
  %normal = func.call @describe(%2) : (tensor<65536xf64>) -> tensor<4xf64>
  // Five standard deviations: of the mean of a uniform distribution of width 4 0.0226; of the variance 0.0233.
  %centre = stablehlo.constant dense<[2.0, 6.0, 4.0, 1.3333333333333333]> : tensor<4xf64>
  check.expect_almost_eq %uniform, %centre, tolerance = 0.0233 : tensor<4xf64>
  // Of 65,536 normal numbers the least and the largest are 4.3 standard deviations from the mean, give or take one.
  %bell = stablehlo.constant dense<[-23.8, 27.8, 2.0, 36.0]> : tensor<4xf64>
  %weights = stablehlo.constant dense<[0.01, 0.01, 1.0, 0.1]> : tensor<4xf64>
  %weighed = stablehlo.multiply %normal, %weights : tensor<4xf64>
  %expected = stablehlo.multiply %bell, %weights : tensor<4xf64>
  check.expect_almost_eq %weighed, %expected, tolerance = 0.12 : tensor<4xf64>
  return %uniform, %normal : tensor<4xf64>, tensor<4xf64>
}

func.func private @describe(%x: tensor<65536xf64>) -> tensor<4xf64> {
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %inf = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %minus = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %count = stablehlo.constant dense<65536.0> : tensor<f64>
  %least = stablehlo.reduce(%x init: %inf) applies stablehlo.minimum across dimensions = [0] : (tensor<65536xf64>, tensor<f64>) -> tensor<f64>
  %most = stablehlo.reduce(%x init: %minus) applies stablehlo.maximum across dimensions = [0] : (tensor<65536xf64>, tensor<f64>) -> tensor<f64>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<65536xf64>, tensor<f64>) -> tensor<f64>
  %mean = stablehlo.divide %sum, %count : tensor<f64>
  %means = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f64>) -> tensor<65536xf64>
  %away = stablehlo.subtract %x, %means : tensor<65536xf64>
  %squares = stablehlo.multiply %away, %away : tensor<65536xf64>
  %total = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<65536xf64>, tensor<f64>) -> tensor<f64>
  %variance = stablehlo.divide %total, %count : tensor<f64>
  %parts0 = stablehlo.reshape %least : (tensor<f64>) -> tensor<1xf64>
  %parts1 = stablehlo.reshape %most : (tensor<f64>) -> tensor<1xf64>
  %parts2 = stablehlo.reshape %mean : (tensor<f64>) -> tensor<1xf64>
  %parts3 = stablehlo.reshape %variance : (tensor<f64>) -> tensor<1xf64>
  %r = stablehlo.concatenate %parts0, %parts1, %parts2, %parts3, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}

func.func @wrong_size() -> tensor<3xf32> {
  %a = stablehlo.constant dense<0.0> : tensor<f32>
  %b = stablehlo.constant dense<1.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %two = stablehlo.optimization_barrier %one : tensor<1xi32>
  %size = stablehlo.add %two, %two : tensor<1xi32>
  %0 = stablehlo.rng %a, %b, %size, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

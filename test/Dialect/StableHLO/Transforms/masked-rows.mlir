// Whether any number of a row is not -inf, or all are, follows from the row's maximum.
// RUN: forge-opt %s --forge-narrow-factors | FileCheck %s

// CHECK-LABEL: func.func @any
// CHECK: %[[M:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [1]
// CHECK: stablehlo.compare NE, %[[M]], %{{.*}}
// CHECK-NOT: applies stablehlo.or
func.func @any(%x: tensor<4x8xf32>) -> tensor<4xi1> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %lows = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %masked = stablehlo.compare EQ, %x, %lows, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %open = stablehlo.not %masked : tensor<4x8xi1>
  %any = stablehlo.reduce(%open init: %false) applies stablehlo.or across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  return %any : tensor<4xi1>
}

// CHECK-LABEL: func.func @all
// CHECK: %[[M:.*]] = stablehlo.reduce(%arg0 init: %{{.*}}) applies stablehlo.maximum across dimensions = [1]
// CHECK: stablehlo.compare EQ, %[[M]], %{{.*}}
func.func @all(%x: tensor<4x8xbf16>) -> tensor<4xi1> {
  %lows = stablehlo.constant dense<0xFF80> : tensor<4x8xbf16>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %masked = stablehlo.compare EQ, %x, %lows : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xi1>
  %all = stablehlo.reduce(%masked init: %true) applies stablehlo.and across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  return %all : tensor<4xi1>
}

// A NaN is not greater than -inf; the lowest number is not -inf; any of what is equal, and what begins with true, are something else; and so is
// the total order, in which -inf has negative NaN below it.
// CHECK-LABEL: func.func @others
// CHECK-NOT: applies stablehlo.maximum
// CHECK: return
func.func @others(%x: tensor<4x8xf32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %lows = stablehlo.constant dense<0xFF800000> : tensor<4x8xf32>
  %lowest = stablehlo.constant dense<-3.40282347E+38> : tensor<4x8xf32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %greater = stablehlo.compare GT, %x, %lows : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %0 = stablehlo.reduce(%greater init: %false) applies stablehlo.or across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  %other = stablehlo.compare NE, %x, %lowest : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %1 = stablehlo.reduce(%other init: %false) applies stablehlo.or across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  %equal = stablehlo.compare EQ, %x, %lows : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %2 = stablehlo.reduce(%equal init: %false) applies stablehlo.or across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  %open = stablehlo.not %equal : tensor<4x8xi1>
  %3 = stablehlo.reduce(%open init: %true) applies stablehlo.or across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  %total = stablehlo.compare NE, %x, %lows, TOTALORDER : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
  %4 = stablehlo.reduce(%total init: %false) applies stablehlo.or across dimensions = [1] : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
  return %0, %1, %2, %3, %4 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

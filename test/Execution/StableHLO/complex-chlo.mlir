// chlo's functions of complex numbers, against results of 60 digits: in the plane, near a cut, near a singularity, and far away.
// RUN: forge run %s | FileCheck %s
// CHECK: 18 checks hold
func.func @main() {
  %re = stablehlo.constant dense<[0.3, -2.5, 1.0, 4.0e5]> : tensor<4xf64>
  %im = stablehlo.constant dense<[-0.7, 1.0e-3, 1.0e-6, -3.0e6]> : tensor<4xf64>
  %z = stablehlo.complex %re, %im : tensor<4xcomplex<f64>>
  %near = stablehlo.slice %z [0:3] : (tensor<4xcomplex<f64>>) -> tensor<3xcomplex<f64>>

  %sinh = chlo.sinh %near : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %sinh_a = stablehlo.constant dense<[0.23290996731262682847, -6.0502014559377988934, 1.1752011936432138563]> : tensor<3xf64>
  %sinh_b = stablehlo.constant dense<[-0.67342555995257889679, 0.0061322884576154907361, 1.5430806348149865285e-6]> : tensor<3xf64>
  %sinh_c = stablehlo.complex %sinh_a, %sinh_b : tensor<3xcomplex<f64>>
  check.expect_almost_eq %sinh, %sinh_c {tolerance = 2.0e-14 : f64} : tensor<3xcomplex<f64>>

  %cosh = chlo.cosh %near : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %cosh_a = stablehlo.constant dense<[0.79951899559903478929, 6.1322864135192017968, 1.5430806348144722382]> : tensor<3xf64>
  %cosh_b = stablehlo.constant dense<[-0.19617735916146120634, -0.0060502034726724243591, 1.1752011936436055368e-6]> : tensor<3xf64>
  %cosh_c = stablehlo.complex %cosh_a, %cosh_b : tensor<3xcomplex<f64>>
  check.expect_almost_eq %cosh, %cosh_c {tolerance = 2.0e-14 : f64} : tensor<3xcomplex<f64>>

  %tan = chlo.tan %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %tan_a = stablehlo.constant dense<[0.18971709151908691975, 0.74702113334773817473, 1.557407724649567301, -7.2462865750776639997e-2605768]> : tensor<4xf64>
  %tan_b = stablehlo.constant dense<[-0.63983593026317997035, 0.0015580409237723150082, 3.425518820805309106e-6, -1.0]> : tensor<4xf64>
  %tan_c = stablehlo.complex %tan_a, %tan_b : tensor<4xcomplex<f64>>
  check.expect_almost_eq %tan, %tan_c {tolerance = 2.0e-14 : f64} : tensor<4xcomplex<f64>>

  %asin = chlo.asin %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %asin_a = stablehlo.constant dense<[0.24573200610107971636, -1.5703598910500520384, 1.5697963268782299713, 0.13255153229666687038]> : tensor<4xf64>
  %asin_b = stablehlo.constant dense<[-0.67033674298778970241, 1.5667993408856775343, 0.0010000000833333145607, -15.616080827867265202]> : tensor<4xf64>
  %asin_c = stablehlo.complex %asin_a, %asin_b : tensor<4xcomplex<f64>>
  check.expect_almost_eq %asin, %asin_c {tolerance = 2.0e-14 : f64} : tensor<4xcomplex<f64>>

  %acos = chlo.acos %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %acos_a = stablehlo.constant dense<[1.3250643206938169029, 3.1411562178449486577, 0.00099999991666664789405, 1.4382447944982297489]> : tensor<4xf64>
  %acos_b = stablehlo.constant dense<[0.67033674298778970241, -1.5667993408856775343, -0.0010000000833333145607, 15.616080827867265202]> : tensor<4xf64>
  %acos_c = stablehlo.complex %acos_a, %acos_b : tensor<4xcomplex<f64>>
  check.expect_almost_eq %acos, %acos_c {tolerance = 2.0e-14 : f64} : tensor<4xcomplex<f64>>

  %atan = chlo.atan %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %atan_a = stablehlo.constant dense<[0.48003518120284395415, -1.1902899972449526661, 0.78539816339769830962, 1.5707962831267743485]> : tensor<4xf64>
  %atan_b = stablehlo.constant dense<[-0.70168043215230989857, 0.00013793101895663479394, 4.9999999999991664404e-7, -3.2751091703057877104e-7]> : tensor<4xf64>
  %atan_c = stablehlo.complex %atan_a, %atan_b : tensor<4xcomplex<f64>>
  check.expect_almost_eq %atan, %atan_c {tolerance = 2.0e-14 : f64} : tensor<4xcomplex<f64>>

  %asinh = chlo.asinh %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %asinh_a = stablehlo.constant dense<[0.38559098731817488058, -1.6472312104039680508, 0.88137358701971980193, 15.616080827867212524]> : tensor<4xf64>
  %asinh_b = stablehlo.constant dense<[-0.70890344096550522877, 0.00037139066281151918336, 7.0710678118651802962e-7, -1.4382447944982154471]> : tensor<4xf64>
  %asinh_c = stablehlo.complex %asinh_a, %asinh_b : tensor<4xcomplex<f64>>
  check.expect_almost_eq %asinh, %asinh_c {tolerance = 2.0e-14 : f64} : tensor<4xcomplex<f64>>

  %acosh = chlo.acosh %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %acosh_a = stablehlo.constant dense<[0.67033674298778970241, 1.5667993408856775343, 0.0010000000833333145607, 15.616080827867265202]> : tensor<4xf64>
  %acosh_b = stablehlo.constant dense<[-1.3250643206938169029, 3.1411562178449486577, 0.00099999991666664789405, -1.4382447944982297489]> : tensor<4xf64>
  %acosh_c = stablehlo.complex %acosh_a, %acosh_b : tensor<4xcomplex<f64>>
  check.expect_almost_eq %acosh, %acosh_c {tolerance = 2.0e-14 : f64} : tensor<4xcomplex<f64>>

  %atanh = chlo.atanh %z : tensor<4xcomplex<f64>> -> tensor<4xcomplex<f64>>
  %atanh_a = stablehlo.constant dense<[0.199881896029629274, -0.42364883949067781941, 7.2543288692621722294, 4.3668122270737701844e-8]> : tensor<4xf64>
  %atanh_b = stablehlo.constant dense<[-0.63966976615851473233, 1.5706058506499158626, 0.78539841339744830959, -1.5707959992839795887]> : tensor<4xf64>
  %atanh_c = stablehlo.complex %atanh_a, %atanh_b : tensor<4xcomplex<f64>>
  check.expect_almost_eq %atanh, %atanh_c {tolerance = 2.0e-14 : f64} : tensor<4xcomplex<f64>>
  return
}

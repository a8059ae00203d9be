// bitcast_convert between types of equal width, and of widths that join or split elements.
// RUN: forge run %s
// RUN: forge run %s --target sim:sm_90a
// RUN: forge run %s --target sim:gfx942
// RUN: forge-interpret %s

func.func @main() {
  %floats = stablehlo.constant dense<[1.0, -2.0, 0.5, -0.0]> : tensor<4xf32>
  %x = stablehlo.optimization_barrier %floats : tensor<4xf32>
  %bits = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>
  check.expect_eq_const %bits, dense<[1065353216, -1073741824, 1056964608, -2147483648]> : tensor<4xi32>
  %back = stablehlo.bitcast_convert %bits : (tensor<4xi32>) -> tensor<4xf32>
  check.expect_eq_const %back, dense<[1.0, -2.0, 0.5, -0.0]> : tensor<4xf32>
  %halves = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xbf16>
  %asF16 = stablehlo.bitcast_convert %halves : (tensor<4xbf16>) -> tensor<4xf16>
  %asI16 = stablehlo.bitcast_convert %asF16 : (tensor<4xf16>) -> tensor<4xui16>
  check.expect_eq_const %asI16, dense<[16256, 49152, 16128, 32768]> : tensor<4xui16>
  %scalar = stablehlo.slice %x [1:2] : (tensor<4xf32>) -> tensor<1xf32>
  %rank0 = stablehlo.reshape %scalar : (tensor<1xf32>) -> tensor<f32>
  %word = stablehlo.bitcast_convert %rank0 : (tensor<f32>) -> tensor<ui32>
  check.expect_eq_const %word, dense<3221225472> : tensor<ui32>
  %bytes = stablehlo.bitcast_convert %x : (tensor<4xf32>) -> tensor<4x4xui8>
  check.expect_eq_const %bytes, dense<[[0, 0, 128, 63], [0, 0, 0, 192], [0, 0, 0, 63], [0, 0, 0, 128]]> : tensor<4x4xui8>
  %joined = stablehlo.bitcast_convert %bytes : (tensor<4x4xui8>) -> tensor<4xi32>
  check.expect_eq_const %joined, dense<[1065353216, -1073741824, 1056964608, -2147483648]> : tensor<4xi32>
  return
}

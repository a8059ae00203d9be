// A cache that a product reads by a tensor map alone was overwritten before the product: an append behind it moved in front, to be one launch with another.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:sm_90a --tier optimized
// RUN: forge verify %s --target sim:gfx942
func.func @main(%p: tensor<2x128x128xbf16>, %keys: tensor<1x2x128x64xbf16> {tf.aliasing_output = 0 : i32}, %values: tensor<1x2x128x64xbf16> {tf.aliasing_output = 1 : i32},
                %k: tensor<1x2x1x64xbf16>, %v: tensor<1x2x1x64xbf16>, %at: tensor<1xi32>) -> (tensor<1x2x128x64xbf16>, tensor<1x2x128x64xbf16>, tensor<2x128x64xbf16>) {
  %k2 = transformer.kv_append %k into %keys at %at : (tensor<1x2x1x64xbf16>, tensor<1x2x128x64xbf16>, tensor<1xi32>) -> tensor<1x2x128x64xbf16>
  %old = stablehlo.reshape %values : (tensor<1x2x128x64xbf16>) -> tensor<2x128x64xbf16>
  %y = stablehlo.dot_general %p, %old, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x128x128xbf16>, tensor<2x128x64xbf16>) -> tensor<2x128x64xbf16>
  %v2 = transformer.kv_append %v into %values at %at : (tensor<1x2x1x64xbf16>, tensor<1x2x128x64xbf16>, tensor<1xi32>) -> tensor<1x2x128x64xbf16>
  return %k2, %v2, %y : tensor<1x2x128x64xbf16>, tensor<1x2x128x64xbf16>, tensor<2x128x64xbf16>
}

// Causal multi-head attention, at transformer level; the same function as ../attention.mlir.
module @attention {
  func.func @main(%q: tensor<2x4x8x8xf32>, %k: tensor<2x4x8x8xf32>, %v: tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32> {
    %o = transformer.attention %q, %k, %v {causal}
        : (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
    return %o : tensor<2x4x8x8xf32>
  }
}

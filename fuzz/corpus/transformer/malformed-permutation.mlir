func.func @grouped_transpose(%x: tensor<12x16xf32>, %w: tensor<4x8x16xf32>, %g: tensor<4xi32>) -> tensor<12x8xf32> {
  %e = tensor.empty() : tensor<4x16x8xf32>
  %0 = linalg.transpose ins(%w : tensor<4x8x16xf32>) outs(%e : tensor<4x16x8xf32>) permutation = [0, 12x8xf32, 1]
  %1 = transformer.grouped_matmul %x, %0 groups 4x8x16xf32 : (tensor<12x16xf32>, tensor<4x16x8xf32>, tensor<4xi32>) -> tensor<12x8xf32>
  return %1 : tensor<12x8xf32>
}

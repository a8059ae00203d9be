// An ignore_index that targets cannot hold is the class of no row: 2^32 + 1 is not class 1 of an i32.
// RUN: forge verify %s
func.func @main(%x: tensor<33x3xf32>, %t: tensor<33xi32>, %dy: tensor<33xf32>) -> (tensor<33xf32>, tensor<f32>, tensor<33x3xf32>) {
  %0 = transformer.cross_entropy none %x, %t {ignore_index = 4294967297 : i64} : (tensor<33x3xf32>, tensor<33xi32>) -> tensor<33xf32>
  %1 = transformer.cross_entropy mean %x, %t {ignore_index = 4294967297 : i64} : (tensor<33x3xf32>, tensor<33xi32>) -> tensor<f32>
  %2 = transformer.cross_entropy_grad none %dy, %x, %t {ignore_index = 4294967297 : i64} : (tensor<33xf32>, tensor<33x3xf32>, tensor<33xi32>) -> tensor<33x3xf32>
  return %0, %1, %2 : tensor<33xf32>, tensor<f32>, tensor<33x3xf32>
}

// Dimensions of size 0, and scalars: nothing is read, sums of nothing are 0.
// RUN: forge verify %s --each-stage
// RUN: forge verify %s --tier correctness
func.func @main(%x: tensor<0x5xf32>, %y: tensor<3x0xf32>, %w: tensor<5x7xf32>, %v: tensor<0x7xf32>, %b: tensor<7xf32>,
                %g: tensor<2xi32>, %e: tensor<2x5x7xf32>, %none: tensor<0x5x7xf32>, %ng: tensor<0xi32>, %r: tensor<4x5xf32>,
                %q: tensor<7x0xi8>, %s: tensor<7xf32>, %scalar: tensor<f32>, %one: tensor<f32>,
                %h: tensor<5x0xf32>, %o: tensor<0x5xf32>, %ids: tensor<0xi32>, %up: tensor<5xf32>)
    -> (tensor<0x7xf32>, tensor<3x7xf32>, tensor<0x7xf32>, tensor<4x7xf32>, tensor<3x7xf32>, tensor<4x5xf32>, tensor<0x5xf32>,
        tensor<0x5xf32>, tensor<3x0xf32>, tensor<0x5xf32>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<0x7xf32>, tensor<0x5xi8>) {
  %0 = transformer.matmul %x, %w bias %b : (tensor<0x5xf32>, tensor<5x7xf32>, tensor<7xf32>) -> tensor<0x7xf32>
  %1 = transformer.matmul %y, %v bias %b {activation = #transformer.activation<silu>} : (tensor<3x0xf32>, tensor<0x7xf32>, tensor<7xf32>) -> tensor<3x7xf32>
  %2 = transformer.grouped_matmul %x, %e groups %g : (tensor<0x5xf32>, tensor<2x5x7xf32>, tensor<2xi32>) -> tensor<0x7xf32>
  %3 = transformer.grouped_matmul %r, %none groups %ng : (tensor<4x5xf32>, tensor<0x5x7xf32>, tensor<0xi32>) -> tensor<4x7xf32>
  %4 = transformer.linear %y, %q scale %s bias %b : (tensor<3x0xf32>, tensor<7x0xi8>, tensor<7xf32>, tensor<7xf32>) -> tensor<3x7xf32>
  %5 = transformer.mlp %r up %h down %o bias %up {activation = #transformer.activation<gelu>}
      : (tensor<4x5xf32>, tensor<5x0xf32>, tensor<0x5xf32>, tensor<5xf32>) -> tensor<4x5xf32>
  %6 = transformer.softmax %x {dimension = 0 : i64} : tensor<0x5xf32>
  %7 = transformer.layer_norm %x {epsilon = 1.0e-5 : f32} : (tensor<0x5xf32>) -> tensor<0x5xf32>
  %8 = transformer.rms_norm %y {epsilon = 1.0e-5 : f32} : (tensor<3x0xf32>) -> tensor<3x0xf32>
  %9 = transformer.log_softmax %x {dimension = 1 : i64} : tensor<0x5xf32>
  %10 = transformer.activation silu %scalar : tensor<f32>
  %11 = transformer.quantize %scalar scale %one : (tensor<f32>, tensor<f32>) -> tensor<i8>
  %12 = transformer.dequantize %11 scale %one : (tensor<i8>, tensor<f32>) -> tensor<f32>
  %13 = transformer.embedding %w, %ids : (tensor<5x7xf32>, tensor<0xi32>) -> tensor<0x7xf32>
  %14 = transformer.quantize %x scale %one : (tensor<0x5xf32>, tensor<f32>) -> tensor<0x5xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14
      : tensor<0x7xf32>, tensor<3x7xf32>, tensor<0x7xf32>, tensor<4x7xf32>, tensor<3x7xf32>, tensor<4x5xf32>, tensor<0x5xf32>,
        tensor<0x5xf32>, tensor<3x0xf32>, tensor<0x5xf32>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<0x7xf32>, tensor<0x5xi8>
}

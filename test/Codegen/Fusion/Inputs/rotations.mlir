// A step of a stencil: neighbours around a torus, by rotations along both dimensions.
func.func @stencil(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %a = stablehlo.slice %x [1:24, 0:40] : (tensor<24x40xf32>) -> tensor<23x40xf32>
  %b = stablehlo.slice %x [0:1, 0:40] : (tensor<24x40xf32>) -> tensor<1x40xf32>
  %below = stablehlo.concatenate %a, %b, dim = 0 : (tensor<23x40xf32>, tensor<1x40xf32>) -> tensor<24x40xf32>
  %c = stablehlo.slice %x [0:24, 37:40] : (tensor<24x40xf32>) -> tensor<24x3xf32>
  %d = stablehlo.slice %x [0:24, 0:37] : (tensor<24x40xf32>) -> tensor<24x37xf32>
  %left = stablehlo.concatenate %c, %d, dim = 1 : (tensor<24x3xf32>, tensor<24x37xf32>) -> tensor<24x40xf32>
  %sum = stablehlo.add %below, %left : tensor<24x40xf32>
  %two = stablehlo.constant dense<2.0> : tensor<24x40xf32>
  %twice = stablehlo.multiply %x, %two : tensor<24x40xf32>
  %r = stablehlo.subtract %sum, %twice : tensor<24x40xf32>
  return %r : tensor<24x40xf32>
}

// Swin's shifted windows: both dimensions of images rotated, then taken apart into windows.
func.func @windows(%x: tensor<2x8x8x16xf32>, %w: tensor<16x24xf32>) -> tensor<2x2x2x4x4x24xf32> {
  %0 = stablehlo.tanh %x : tensor<2x8x8x16xf32>
  %a = stablehlo.slice %0 [0:2, 2:8, 0:8, 0:16] : (tensor<2x8x8x16xf32>) -> tensor<2x6x8x16xf32>
  %b = stablehlo.slice %0 [0:2, 0:2, 0:8, 0:16] : (tensor<2x8x8x16xf32>) -> tensor<2x2x8x16xf32>
  %1 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<2x6x8x16xf32>, tensor<2x2x8x16xf32>) -> tensor<2x8x8x16xf32>
  %c = stablehlo.slice %1 [0:2, 0:8, 2:8, 0:16] : (tensor<2x8x8x16xf32>) -> tensor<2x8x6x16xf32>
  %d = stablehlo.slice %1 [0:2, 0:8, 0:2, 0:16] : (tensor<2x8x8x16xf32>) -> tensor<2x8x2x16xf32>
  %2 = stablehlo.concatenate %c, %d, dim = 2 : (tensor<2x8x6x16xf32>, tensor<2x8x2x16xf32>) -> tensor<2x8x8x16xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x8x8x16xf32>) -> tensor<2x2x4x2x4x16xf32>
  %4 = stablehlo.transpose %3, dims = [0, 1, 3, 2, 4, 5] : (tensor<2x2x4x2x4x16xf32>) -> tensor<2x2x2x4x4x16xf32>
  %5 = stablehlo.dot_general %4, %w, contracting_dims = [5] x [0] : (tensor<2x2x2x4x4x16xf32>, tensor<16x24xf32>) -> tensor<2x2x2x4x4x24xf32>
  return %5 : tensor<2x2x2x4x4x24xf32>
}

// One dimension of a slice is dropped and comes back; a part of three.
func.func @few(%x: tensor<5x6xf32>) -> tensor<6xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.slice %x [4:5, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
  %b = stablehlo.slice %x [1:3, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
  %c = stablehlo.slice %x [0:1, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
  %1 = stablehlo.concatenate %a, %b, %c, dim = 0 : (tensor<1x6xf32>, tensor<2x6xf32>, tensor<1x6xf32>) -> tensor<4x6xf32>
  %w = stablehlo.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %2 = stablehlo.broadcast_in_dim %w, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<4x6xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %4 : tensor<6xf32>
}

// A rotation that is returned is one kernel.
func.func @returned(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %a = stablehlo.slice %x [1:24, 0:40] : (tensor<24x40xf32>) -> tensor<23x40xf32>
  %b = stablehlo.slice %x [0:1, 0:40] : (tensor<24x40xf32>) -> tensor<1x40xf32>
  %r = stablehlo.concatenate %a, %b, dim = 0 : (tensor<23x40xf32>, tensor<1x40xf32>) -> tensor<24x40xf32>
  return %r : tensor<24x40xf32>
}

// Steps of a stencil: what a step writes is not what it still reads.
func.func @steps(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<24x40xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %a = stablehlo.slice %s [1:24, 0:40] : (tensor<24x40xf32>) -> tensor<23x40xf32>
    %b = stablehlo.slice %s [0:1, 0:40] : (tensor<24x40xf32>) -> tensor<1x40xf32>
    %below = stablehlo.concatenate %a, %b, dim = 0 : (tensor<23x40xf32>, tensor<1x40xf32>) -> tensor<24x40xf32>
    %c = stablehlo.slice %s [0:24, 37:40] : (tensor<24x40xf32>) -> tensor<24x3xf32>
    %d = stablehlo.slice %s [0:24, 0:37] : (tensor<24x40xf32>) -> tensor<24x37xf32>
    %left = stablehlo.concatenate %c, %d, dim = 1 : (tensor<24x3xf32>, tensor<24x37xf32>) -> tensor<24x40xf32>
    %half = stablehlo.constant dense<0.5> : tensor<24x40xf32>
    %sum = stablehlo.add %below, %left : tensor<24x40xf32>
    %mean = stablehlo.multiply %sum, %half : tensor<24x40xf32>
    stablehlo.return %next, %mean : tensor<i32>, tensor<24x40xf32>
  }
  return %r#1 : tensor<24x40xf32>
}

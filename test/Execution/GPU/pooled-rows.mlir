// The head of an image model, of one image: means of places, then a product. A mean's rows are the terms of the product, so it is no prologue of it.
// RUN: forge verify %s --function one --target sim:sm_90a
// RUN: forge verify %s --function one --target sim:gfx942
// RUN: forge verify %s --function two --target sim:sm_90a

func.func @one(%x: tensor<1x512x2x2xf32>, %w: tensor<1000x512xf32>, %b: tensor<1000xf32>) -> tensor<1x1000xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [3, 2] : (tensor<1x512x2x2xf32>, tensor<f32>) -> tensor<1x512xf32>
  %places = stablehlo.constant dense<4.0> : tensor<1x512xf32>
  %mean = stablehlo.divide %sum, %places : tensor<1x512xf32>
  %product = stablehlo.dot_general %mean, %w, contracting_dims = [1] x [1] : (tensor<1x512xf32>, tensor<1000x512xf32>) -> tensor<1x1000xf32>
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
  %result = stablehlo.add %product, %bias : tensor<1x1000xf32>
  return %result : tensor<1x1000xf32>
}

func.func @two(%x: tensor<2x512x1x2xf32>, %w: tensor<1000x512xf32>) -> tensor<2x1000xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [2, 3] : (tensor<2x512x1x2xf32>, tensor<f32>) -> tensor<2x512xf32>
  %tanh = stablehlo.tanh %most : tensor<2x512xf32>
  %product = stablehlo.dot_general %tanh, %w, contracting_dims = [1] x [1] : (tensor<2x512xf32>, tensor<1000x512xf32>) -> tensor<2x1000xf32>
  return %product : tensor<2x1000xf32>
}

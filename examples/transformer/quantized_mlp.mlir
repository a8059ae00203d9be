// A feed-forward layer whose products are of narrow numbers: activations in i8 times weights in i8 (W8A8), summed up in i32, then activations and
// weights in f8E4M3. The residual stream is bf16; scales are f32, one for the activations, one for each output of the weights. What
// comes between the two is a result too, in which the rounding to f8 hides nothing.
module @quantized_mlp {
  func.func @main(%x: tensor<9x48xbf16>, %x_scale: tensor<f32>, %up: tensor<72x48xi8>, %up_scale: tensor<72xf32>, %bias: tensor<72xf32>,
                  %h_scale: tensor<f32>, %down: tensor<48x72xf32>, %down_scale: tensor<48xf32>) -> (tensor<9x48xbf16>, tensor<9x72xf32>) {
    %xq = transformer.quantize %x scale %x_scale : (tensor<9x48xbf16>, tensor<f32>) -> tensor<9x48xi8>
    %sums = transformer.matmul %xq, %up {transpose_rhs} : (tensor<9x48xi8>, tensor<72x48xi8>) -> tensor<9x72xi32>

    // What the sums stand for, and the activation.
    %numbers = arith.sitofp %sums : tensor<9x72xi32> to tensor<9x72xf32>
    %wide = tensor.empty() : tensor<9x72xf32>
    %row_scales = linalg.broadcast ins(%up_scale : tensor<72xf32>) outs(%wide : tensor<9x72xf32>) dimensions = [0]
    %x_scales = linalg.broadcast ins(%x_scale : tensor<f32>) outs(%wide : tensor<9x72xf32>) dimensions = [0, 1]
    %biases = linalg.broadcast ins(%bias : tensor<72xf32>) outs(%wide : tensor<9x72xf32>) dimensions = [0]
    %scales = transformer.multiply %row_scales, %x_scales : tensor<9x72xf32>
    %scaled = transformer.multiply %numbers, %scales : tensor<9x72xf32>
    %sum = transformer.add %scaled, %biases : tensor<9x72xf32>
    %h = transformer.activation gelu %sum : tensor<9x72xf32>

    // Down again, in f8 (the weights are quantised here, as when a checkpoint is converted).
    %hq = transformer.quantize %h scale %h_scale : (tensor<9x72xf32>, tensor<f32>) -> tensor<9x72xf8E4M3FN>
    %dq = transformer.quantize %down scale %down_scale {axis = 0 : i64} : (tensor<48x72xf32>, tensor<48xf32>) -> tensor<48x72xf8E4M3FN>
    %y8 = transformer.matmul %hq, %dq {transpose_rhs} : (tensor<9x72xf8E4M3FN>, tensor<48x72xf8E4M3FN>) -> tensor<9x48xf32>
    %narrow = tensor.empty() : tensor<9x48xf32>
    %down_scales = linalg.broadcast ins(%down_scale : tensor<48xf32>) outs(%narrow : tensor<9x48xf32>) dimensions = [0]
    %h_scales = linalg.broadcast ins(%h_scale : tensor<f32>) outs(%narrow : tensor<9x48xf32>) dimensions = [0, 1]
    %y_scales = transformer.multiply %down_scales, %h_scales : tensor<9x48xf32>
    %y = transformer.multiply %y8, %y_scales : tensor<9x48xf32>
    %rounded = arith.truncf %y : tensor<9x48xf32> to tensor<9x48xbf16>
    %result = transformer.add %x, %rounded : tensor<9x48xbf16>
    return %result, %h : tensor<9x48xbf16>, tensor<9x72xf32>
  }
}

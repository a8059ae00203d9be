// The feed-forward half of a block with a mixture of experts, as DeepSeek-V3 has it: each of 11 tokens goes to 2 of 6 experts, chosen from the
// better 2 of 3 groups by their sigmoid scores with a bias, and to one expert that all tokens share. The weights of the experts are i8 with a scale
// for each output, those of the shared one f32, those of the last projection i4 with a scale and a zero point for each block of 16.
module @moe_block {
  func.func @main(%x: tensor<11x32xf32>, %norm: tensor<32xf32>, %router: tensor<6x32xf32>,
                  %gate: tensor<6x24x32xi8>, %gate_scale: tensor<6x24x1xf32>, %up: tensor<6x24x32xi8>, %up_scale: tensor<6x24x1xf32>,
                  %down: tensor<6x32x24xi8>, %down_scale: tensor<6x32x1xf32>, %shared_gate: tensor<32x40xf32>, %shared_up: tensor<32x40xf32>,
                  %shared_down: tensor<40x32xf32>, %router_bias: tensor<6xf32>, %out: tensor<32x32xi4>, %out_scale: tensor<32x2xf32>, %out_zero: tensor<32x2xi4>)
      -> (tensor<11x32xf32>, tensor<11x2xf32>, tensor<11x2xi32>) {
    %h = transformer.rms_norm %x scale %norm {epsilon = 1.0e-06 : f32} : (tensor<11x32xf32>, tensor<32xf32>) -> tensor<11x32xf32>
    %scores = transformer.matmul %h, %router {transpose_rhs} : (tensor<11x32xf32>, tensor<6x32xf32>) -> tensor<11x6xf32>
    %weights, %experts = transformer.moe_route sigmoid %scores bias %router_bias {k = 2 : i64, normalize, groups = 3 : i64, top_groups = 2 : i64,
        group_score = #transformer.group_score<top2>, scale = 2.5 : f32} : (tensor<11x6xf32>, tensor<6xf32>) -> (tensor<11x2xf32>, tensor<11x2xi32>)

    // The 22 choices in the order of their experts (equal ones in the order of tokens), and how many each expert has.
    %choices = tensor.collapse_shape %experts [[0, 1]] : tensor<11x2xi32> into tensor<22xi32>
    %numbers = arith.sitofp %choices : tensor<22xi32> to tensor<22xf32>
    %falling = arith.negf %numbers : tensor<22xf32>
    %sorted, %order = transformer.top_k %falling {k = 22 : i64} : (tensor<22xf32>) -> (tensor<22xf32>, tensor<22xi32>)
    %table = tensor.empty() : tensor<22x6xi32>
    %chosen = linalg.broadcast ins(%choices : tensor<22xi32>) outs(%table : tensor<22x6xi32>) dimensions = [1]
    %all = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
    %each = linalg.broadcast ins(%all : tensor<6xi32>) outs(%table : tensor<22x6xi32>) dimensions = [0]
    %is = arith.cmpi eq, %chosen, %each : tensor<22x6xi32>
    %one = arith.constant dense<1.0> : tensor<22x6xf32>
    %zero = arith.constant dense<0.0> : tensor<22x6xf32>
    %ones = arith.select %is, %one, %zero : tensor<22x6xi1>, tensor<22x6xf32>
    %counts = transformer.sum %ones {dimensions = array<i64: 0>} : tensor<22x6xf32> -> tensor<6xf32>
    %groups = arith.fptosi %counts : tensor<6xf32> to tensor<6xi32>

    // Each choice's token through its expert, and back to where the choice stands.
    %two = arith.constant dense<2> : tensor<22xi32>
    %tokens = arith.divsi %order, %two : tensor<22xi32>
    %rows = transformer.embedding %h, %tokens : (tensor<11x32xf32>, tensor<22xi32>) -> tensor<22x32xf32>
    %gate_weights = transformer.dequantize %gate scale %gate_scale {block = array<i64: 1, 1, 32>} : (tensor<6x24x32xi8>, tensor<6x24x1xf32>) -> tensor<6x24x32xf32>
    %up_weights = transformer.dequantize %up scale %up_scale {block = array<i64: 1, 1, 32>} : (tensor<6x24x32xi8>, tensor<6x24x1xf32>) -> tensor<6x24x32xf32>
    %down_weights = transformer.dequantize %down scale %down_scale {block = array<i64: 1, 1, 24>} : (tensor<6x32x24xi8>, tensor<6x32x1xf32>) -> tensor<6x32x24xf32>
    %g = transformer.grouped_matmul %rows, %gate_weights groups %groups {activation = #transformer.activation<silu>, transpose_rhs}
        : (tensor<22x32xf32>, tensor<6x24x32xf32>, tensor<6xi32>) -> tensor<22x24xf32>
    %u = transformer.grouped_matmul %rows, %up_weights groups %groups {transpose_rhs} : (tensor<22x32xf32>, tensor<6x24x32xf32>, tensor<6xi32>) -> tensor<22x24xf32>
    %gu = transformer.multiply %g, %u : tensor<22x24xf32>
    %d = transformer.grouped_matmul %gu, %down_weights groups %groups {transpose_rhs} : (tensor<22x24xf32>, tensor<6x32x24xf32>, tensor<6xi32>) -> tensor<22x32xf32>
    %places = arith.sitofp %order : tensor<22xi32> to tensor<22xf32>
    %falling_places = arith.negf %places : tensor<22xf32>
    %sorted_places, %back = transformer.top_k %falling_places {k = 22 : i64} : (tensor<22xf32>) -> (tensor<22xf32>, tensor<22xi32>)
    %returned = transformer.embedding %d, %back : (tensor<22x32xf32>, tensor<22xi32>) -> tensor<22x32xf32>

    // The weighted sum over a token's experts, with the shared one.
    %of_tokens = tensor.expand_shape %returned [[0, 1], [2]] output_shape [11, 2, 32] : tensor<22x32xf32> into tensor<11x2x32xf32>
    %row_weights = tensor.expand_shape %weights [[0], [1, 2]] output_shape [11, 1, 2] : tensor<11x2xf32> into tensor<11x1x2xf32>
    %mixed1 = transformer.matmul %row_weights, %of_tokens : (tensor<11x1x2xf32>, tensor<11x2x32xf32>) -> tensor<11x1x32xf32>
    %mixed = tensor.collapse_shape %mixed1 [[0, 1], [2]] : tensor<11x1x32xf32> into tensor<11x32xf32>
    %shared = transformer.gated_mlp %h gate %shared_gate up %shared_up down %shared_down residual %mixed {activation = #transformer.activation<silu>}
        : (tensor<11x32xf32>, tensor<32x40xf32>, tensor<32x40xf32>, tensor<40x32xf32>, tensor<11x32xf32>) -> tensor<11x32xf32>
    %y = transformer.linear %shared, %out scale %out_scale zero_point %out_zero residual %x {block = array<i64: 1, 16>}
        : (tensor<11x32xf32>, tensor<32x32xi4>, tensor<32x2xf32>, tensor<32x2xi4>, tensor<11x32xf32>) -> tensor<11x32xf32>
    return %y, %weights, %experts : tensor<11x32xf32>, tensor<11x2xf32>, tensor<11x2xi32>
  }
}

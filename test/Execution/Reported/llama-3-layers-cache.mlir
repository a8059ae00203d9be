// Three layers over a cache: what the layers' kernels fill was taken for a result of one, and the compiler crashed.
// RUN: forge verify %s --target cpu
// RUN: forge verify %s --target sim:sm_90a
// RUN: forge verify %s --target sim:gfx942
// RUN: forge compile %s --target cuda:sm_90a -o %t.o
// RUN: forge compile %s --target hip:gfx942 -o %t.o
module {
  func.func @step(%arg0: tensor<2x5xi32>, %arg1: tensor<2xi32>, %arg2: tensor<2x2x64x16xbf16> {tf.aliasing_output = 1 : i32}, %arg3: tensor<2x2x64x16xbf16> {tf.aliasing_output = 2 : i32}, %arg4: tensor<2x2x64x16xbf16> {tf.aliasing_output = 3 : i32}, %arg5: tensor<2x2x64x16xbf16> {tf.aliasing_output = 4 : i32}, %arg6: tensor<2x2x64x16xbf16> {tf.aliasing_output = 5 : i32}, %arg7: tensor<2x2x64x16xbf16> {tf.aliasing_output = 6 : i32}, %arg8: tensor<100x64xbf16>, %arg9: tensor<64xbf16>, %arg10: tensor<64x64xbf16>, %arg11: tensor<32x64xbf16>, %arg12: tensor<32x64xbf16>, %arg13: tensor<64x64xbf16>, %arg14: tensor<64xbf16>, %arg15: tensor<128x64xbf16>, %arg16: tensor<128x64xbf16>, %arg17: tensor<64x128xbf16>, %arg18: tensor<64xbf16>, %arg19: tensor<64x64xbf16>, %arg20: tensor<32x64xbf16>, %arg21: tensor<32x64xbf16>, %arg22: tensor<64x64xbf16>, %arg23: tensor<64xbf16>, %arg24: tensor<128x64xbf16>, %arg25: tensor<128x64xbf16>, %arg26: tensor<64x128xbf16>, %arg27: tensor<64xbf16>, %arg28: tensor<64x64xbf16>, %arg29: tensor<32x64xbf16>, %arg30: tensor<32x64xbf16>, %arg31: tensor<64x64xbf16>, %arg32: tensor<64xbf16>, %arg33: tensor<128x64xbf16>, %arg34: tensor<128x64xbf16>, %arg35: tensor<64x128xbf16>, %arg36: tensor<64xbf16>, %arg37: tensor<100x64xbf16>) -> (tensor<2xi32>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>) {
    %c58_i32 = arith.constant 58 : i32
    %splat = tensor.splat %c58_i32 : tensor<2xi32>
    %0 = arith.addi %arg1, %splat : tensor<2xi32>
    %1 = transformer.embedding %arg8, %arg0 : (tensor<100x64xbf16>, tensor<2x5xi32>) -> tensor<2x5x64xbf16>
    %cst = arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
    %2 = tensor.empty() : tensor<2x5xi32>
    %broadcasted = linalg.broadcast ins(%0 : tensor<2xi32>) outs(%2 : tensor<2x5xi32>) dimensions = [1] 
    %broadcasted_0 = linalg.broadcast ins(%cst : tensor<5xi32>) outs(%2 : tensor<2x5xi32>) dimensions = [0] 
    %3 = arith.addi %broadcasted, %broadcasted_0 : tensor<2x5xi32>
    %4 = transformer.rms_norm %1 scale %arg9 {epsilon = 9.99999974E-6 : f32} : (tensor<2x5x64xbf16>, tensor<64xbf16>) -> tensor<2x5x64xbf16>
    %5 = transformer.matmul %4, %arg10 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<64x64xbf16>) -> tensor<2x5x64xbf16>
    %expanded = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [2, 5, 4, 16] : tensor<2x5x64xbf16> into tensor<2x5x4x16xbf16>
    %6 = tensor.empty() : tensor<2x4x5x16xbf16>
    %transposed = linalg.transpose ins(%expanded : tensor<2x5x4x16xbf16>) outs(%6 : tensor<2x4x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %7 = transformer.rope %transposed positions %3 {base = 5.000000e+05 : f64} : (tensor<2x4x5x16xbf16>, tensor<2x5xi32>) -> tensor<2x4x5x16xbf16>
    %8 = transformer.matmul %4, %arg11 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<32x64xbf16>) -> tensor<2x5x32xbf16>
    %expanded_1 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xbf16> into tensor<2x5x2x16xbf16>
    %9 = tensor.empty() : tensor<2x2x5x16xbf16>
    %transposed_2 = linalg.transpose ins(%expanded_1 : tensor<2x5x2x16xbf16>) outs(%9 : tensor<2x2x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %10 = transformer.rope %transposed_2 positions %3 {base = 5.000000e+05 : f64} : (tensor<2x2x5x16xbf16>, tensor<2x5xi32>) -> tensor<2x2x5x16xbf16>
    %11 = transformer.matmul %4, %arg12 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<32x64xbf16>) -> tensor<2x5x32xbf16>
    %expanded_3 = tensor.expand_shape %11 [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xbf16> into tensor<2x5x2x16xbf16>
    %12 = tensor.empty() : tensor<2x2x5x16xbf16>
    %transposed_4 = linalg.transpose ins(%expanded_3 : tensor<2x5x2x16xbf16>) outs(%12 : tensor<2x2x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %13 = transformer.kv_append %10 into %arg2 at %0 : (tensor<2x2x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>) -> tensor<2x2x64x16xbf16>
    %14 = transformer.kv_append %transposed_4 into %arg3 at %0 : (tensor<2x2x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>) -> tensor<2x2x64x16xbf16>
    %c5_i32 = arith.constant 5 : i32
    %splat_5 = tensor.splat %c5_i32 : tensor<2xi32>
    %15 = arith.addi %0, %splat_5 : tensor<2xi32>
    %result = transformer.attention %7, %13, %14 lengths %15 offsets %0 {causal} : (tensor<2x4x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4x5x16xbf16>
    %16 = tensor.empty() : tensor<2x5x4x16xbf16>
    %transposed_6 = linalg.transpose ins(%result : tensor<2x4x5x16xbf16>) outs(%16 : tensor<2x5x4x16xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed = tensor.collapse_shape %transposed_6 [[0], [1], [2, 3]] : tensor<2x5x4x16xbf16> into tensor<2x5x64xbf16>
    %17 = transformer.matmul %collapsed, %arg13 residual %1 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<64x64xbf16>, tensor<2x5x64xbf16>) -> tensor<2x5x64xbf16>
    %18 = transformer.rms_norm %17 scale %arg14 {epsilon = 9.99999974E-6 : f32} : (tensor<2x5x64xbf16>, tensor<64xbf16>) -> tensor<2x5x64xbf16>
    %19 = transformer.gated_mlp %18 gate %arg15 up %arg16 down %arg17 residual %17 {activation = #transformer.activation<silu>, transpose_weights} : (tensor<2x5x64xbf16>, tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<2x5x64xbf16>) -> tensor<2x5x64xbf16>
    %cst_7 = arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
    %20 = tensor.empty() : tensor<2x5xi32>
    %broadcasted_8 = linalg.broadcast ins(%0 : tensor<2xi32>) outs(%20 : tensor<2x5xi32>) dimensions = [1] 
    %broadcasted_9 = linalg.broadcast ins(%cst_7 : tensor<5xi32>) outs(%20 : tensor<2x5xi32>) dimensions = [0] 
    %21 = arith.addi %broadcasted_8, %broadcasted_9 : tensor<2x5xi32>
    %22 = transformer.rms_norm %19 scale %arg18 {epsilon = 9.99999974E-6 : f32} : (tensor<2x5x64xbf16>, tensor<64xbf16>) -> tensor<2x5x64xbf16>
    %23 = transformer.matmul %22, %arg19 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<64x64xbf16>) -> tensor<2x5x64xbf16>
    %expanded_10 = tensor.expand_shape %23 [[0], [1], [2, 3]] output_shape [2, 5, 4, 16] : tensor<2x5x64xbf16> into tensor<2x5x4x16xbf16>
    %24 = tensor.empty() : tensor<2x4x5x16xbf16>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<2x5x4x16xbf16>) outs(%24 : tensor<2x4x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %25 = transformer.rope %transposed_11 positions %21 {base = 5.000000e+05 : f64} : (tensor<2x4x5x16xbf16>, tensor<2x5xi32>) -> tensor<2x4x5x16xbf16>
    %26 = transformer.matmul %22, %arg20 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<32x64xbf16>) -> tensor<2x5x32xbf16>
    %expanded_12 = tensor.expand_shape %26 [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xbf16> into tensor<2x5x2x16xbf16>
    %27 = tensor.empty() : tensor<2x2x5x16xbf16>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<2x5x2x16xbf16>) outs(%27 : tensor<2x2x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %28 = transformer.rope %transposed_13 positions %21 {base = 5.000000e+05 : f64} : (tensor<2x2x5x16xbf16>, tensor<2x5xi32>) -> tensor<2x2x5x16xbf16>
    %29 = transformer.matmul %22, %arg21 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<32x64xbf16>) -> tensor<2x5x32xbf16>
    %expanded_14 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xbf16> into tensor<2x5x2x16xbf16>
    %30 = tensor.empty() : tensor<2x2x5x16xbf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<2x5x2x16xbf16>) outs(%30 : tensor<2x2x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %31 = transformer.kv_append %28 into %arg4 at %0 : (tensor<2x2x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>) -> tensor<2x2x64x16xbf16>
    %32 = transformer.kv_append %transposed_15 into %arg5 at %0 : (tensor<2x2x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>) -> tensor<2x2x64x16xbf16>
    %c5_i32_16 = arith.constant 5 : i32
    %splat_17 = tensor.splat %c5_i32_16 : tensor<2xi32>
    %33 = arith.addi %0, %splat_17 : tensor<2xi32>
    %result_18 = transformer.attention %25, %31, %32 lengths %33 offsets %0 {causal} : (tensor<2x4x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4x5x16xbf16>
    %34 = tensor.empty() : tensor<2x5x4x16xbf16>
    %transposed_19 = linalg.transpose ins(%result_18 : tensor<2x4x5x16xbf16>) outs(%34 : tensor<2x5x4x16xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_20 = tensor.collapse_shape %transposed_19 [[0], [1], [2, 3]] : tensor<2x5x4x16xbf16> into tensor<2x5x64xbf16>
    %35 = transformer.matmul %collapsed_20, %arg22 residual %19 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<64x64xbf16>, tensor<2x5x64xbf16>) -> tensor<2x5x64xbf16>
    %36 = transformer.rms_norm %35 scale %arg23 {epsilon = 9.99999974E-6 : f32} : (tensor<2x5x64xbf16>, tensor<64xbf16>) -> tensor<2x5x64xbf16>
    %37 = transformer.gated_mlp %36 gate %arg24 up %arg25 down %arg26 residual %35 {activation = #transformer.activation<silu>, transpose_weights} : (tensor<2x5x64xbf16>, tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<2x5x64xbf16>) -> tensor<2x5x64xbf16>
    %cst_21 = arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi32>
    %38 = tensor.empty() : tensor<2x5xi32>
    %broadcasted_22 = linalg.broadcast ins(%0 : tensor<2xi32>) outs(%38 : tensor<2x5xi32>) dimensions = [1] 
    %broadcasted_23 = linalg.broadcast ins(%cst_21 : tensor<5xi32>) outs(%38 : tensor<2x5xi32>) dimensions = [0] 
    %39 = arith.addi %broadcasted_22, %broadcasted_23 : tensor<2x5xi32>
    %40 = transformer.rms_norm %37 scale %arg27 {epsilon = 9.99999974E-6 : f32} : (tensor<2x5x64xbf16>, tensor<64xbf16>) -> tensor<2x5x64xbf16>
    %41 = transformer.matmul %40, %arg28 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<64x64xbf16>) -> tensor<2x5x64xbf16>
    %expanded_24 = tensor.expand_shape %41 [[0], [1], [2, 3]] output_shape [2, 5, 4, 16] : tensor<2x5x64xbf16> into tensor<2x5x4x16xbf16>
    %42 = tensor.empty() : tensor<2x4x5x16xbf16>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<2x5x4x16xbf16>) outs(%42 : tensor<2x4x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %43 = transformer.rope %transposed_25 positions %39 {base = 5.000000e+05 : f64} : (tensor<2x4x5x16xbf16>, tensor<2x5xi32>) -> tensor<2x4x5x16xbf16>
    %44 = transformer.matmul %40, %arg29 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<32x64xbf16>) -> tensor<2x5x32xbf16>
    %expanded_26 = tensor.expand_shape %44 [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xbf16> into tensor<2x5x2x16xbf16>
    %45 = tensor.empty() : tensor<2x2x5x16xbf16>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<2x5x2x16xbf16>) outs(%45 : tensor<2x2x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %46 = transformer.rope %transposed_27 positions %39 {base = 5.000000e+05 : f64} : (tensor<2x2x5x16xbf16>, tensor<2x5xi32>) -> tensor<2x2x5x16xbf16>
    %47 = transformer.matmul %40, %arg30 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<32x64xbf16>) -> tensor<2x5x32xbf16>
    %expanded_28 = tensor.expand_shape %47 [[0], [1], [2, 3]] output_shape [2, 5, 2, 16] : tensor<2x5x32xbf16> into tensor<2x5x2x16xbf16>
    %48 = tensor.empty() : tensor<2x2x5x16xbf16>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<2x5x2x16xbf16>) outs(%48 : tensor<2x2x5x16xbf16>) permutation = [0, 2, 1, 3] 
    %49 = transformer.kv_append %46 into %arg6 at %0 : (tensor<2x2x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>) -> tensor<2x2x64x16xbf16>
    %50 = transformer.kv_append %transposed_29 into %arg7 at %0 : (tensor<2x2x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>) -> tensor<2x2x64x16xbf16>
    %c5_i32_30 = arith.constant 5 : i32
    %splat_31 = tensor.splat %c5_i32_30 : tensor<2xi32>
    %51 = arith.addi %0, %splat_31 : tensor<2xi32>
    %result_32 = transformer.attention %43, %49, %50 lengths %51 offsets %0 {causal} : (tensor<2x4x5x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x4x5x16xbf16>
    %52 = tensor.empty() : tensor<2x5x4x16xbf16>
    %transposed_33 = linalg.transpose ins(%result_32 : tensor<2x4x5x16xbf16>) outs(%52 : tensor<2x5x4x16xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_34 = tensor.collapse_shape %transposed_33 [[0], [1], [2, 3]] : tensor<2x5x4x16xbf16> into tensor<2x5x64xbf16>
    %53 = transformer.matmul %collapsed_34, %arg31 residual %37 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<64x64xbf16>, tensor<2x5x64xbf16>) -> tensor<2x5x64xbf16>
    %54 = transformer.rms_norm %53 scale %arg32 {epsilon = 9.99999974E-6 : f32} : (tensor<2x5x64xbf16>, tensor<64xbf16>) -> tensor<2x5x64xbf16>
    %55 = transformer.gated_mlp %54 gate %arg33 up %arg34 down %arg35 residual %53 {activation = #transformer.activation<silu>, transpose_weights} : (tensor<2x5x64xbf16>, tensor<128x64xbf16>, tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<2x5x64xbf16>) -> tensor<2x5x64xbf16>
    %56 = transformer.rms_norm %55 scale %arg36 {epsilon = 9.99999974E-6 : f32} : (tensor<2x5x64xbf16>, tensor<64xbf16>) -> tensor<2x5x64xbf16>
    %57 = transformer.matmul %56, %arg37 {transpose_rhs} : (tensor<2x5x64xbf16>, tensor<100x64xbf16>) -> tensor<2x5x100xbf16>
    %extracted_slice = tensor.extract_slice %57[0, 4, 0] [2, 1, 100] [1, 1, 1] : tensor<2x5x100xbf16> to tensor<2x100xbf16>
    %58 = transformer.argmax %extracted_slice : tensor<2x100xbf16> -> tensor<2xi32>
    return %58, %13, %14, %31, %32, %49, %50 : tensor<2xi32>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>, tensor<2x2x64x16xbf16>
  }
}


// What a library would be called for: random bits, factorisations, transforms, normalisation, and
// calls of code that is not in the module.
#ifndef FORGE_DIALECT_STABLEHLO_LIBRARYOPS_TD
#define FORGE_DIALECT_STABLEHLO_LIBRARYOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"

def StableHLO_RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator", [Pure]> {
  let summary = "uniform random bits from a state, by threefry or philox";
  let description = [{
    `output` is filled with the next random bits of the generator that `initial_state` describes,
    and `output_state` describes the generator after that. The first word of a state is the key, the
    others count blocks (low half first; philox with 2 words takes the key for the high half, and
    leaves it). Bits and states are those of XLA: THREE_FRY is threefry 2x32 with 20 rounds, PHILOX
    is philox 4x32 with 10, and DEFAULT is philox, as on XLA's CPU and GPU.

    - `initial_state`, `output_state`: `[2]` or `[3]`, ui64
    - `output`: integers or floats, static shape

    Constraints:
    - (C1) the states have one type, ui64 of rank 1.
    - (C2) they have 2 elements for THREE_FRY, 2 or 3 for the others.

    Example:
    ```mlir
    %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY
        : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8xui32>)
    ```
  }];
  let arguments = (ins
    StableHLO_RngAlgorithmAttr:$rng_algorithm,
    StableHLO_Tensor:$initial_state);
  let results = (outs StableHLO_Tensor:$output_state, StableHLO_Tensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` `` $rng_algorithm attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

// Not pure: two calls give two draws.
def StableHLO_RngOp : StableHLO_Op<"rng"> {
  let summary = "random numbers from a hidden state";
  let description = [{
    Random numbers of a generator that the module does not see: UNIFORM over `[a, b)`, NORMAL with
    mean `a` and standard deviation `b`. Forge's generator begins anew with every run: two draws in
    a run differ, and two runs are equal. Element `i` of the n-th draw of a run, both counted from 0, is made
    of 64 bits `r`, which are words `2 (i mod 2)` (low) and `2 (i mod 2) + 1` (high) of philox 4x32 with 10 rounds,
    key `0x9E3779B97F4A7C15` and counter `2^64 n + i / 2` (rounded down):

    - UNIFORM of floats: `a + (b - a) u` for `u = floor(r / 2^11) / 2^53`, computed in f64, rounded once, and at most
      the number in front of `b`
    - UNIFORM of integers and booleans: `a + r mod (b - a)`
    - NORMAL: `a + b sqrt(2) erf_inv(x)` for `x = (2 floor(r / 2^11) + 1) / 2^53 - 1`, computed in f64 and rounded once

    UNIFORM gives `a` unless `a < b`. A draw in the condition of a loop or in the body of a
    reduction, sort or the like is refused.

    - `a`, `b`: scalars
    - `shape`: `[rank of result]`, integers
    - `result`: any shape

    Constraints:
    - (C1) `a`, `b` and `result` have one element type. (C2) it is a float for NORMAL.
    - (C3) `result` has the shape `shape`; what is known only at run time is checked then.

    Example:
    ```mlir
    %r = stablehlo.rng %a, %b, %shape, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$a,
    StableHLO_Tensor:$b,
    StableHLO_Tensor:$shape,
    StableHLO_RngDistributionAttr:$rng_distribution);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` `` $rng_distribution attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_CustomCallOp
    : StableHLO_Op<"custom_call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "call of something the module only names";
  let description = [{
    What `call_target_name` means to the compiler. Forge compiles the checks of test data
    (`check.expect_eq`, `check.expect_close`, `check.expect_almost_eq`), `shape_assertion`,
    `mhlo.topk`, `ApproxTopK` (computed exactly), `Qr`, `ProductOfElementaryHouseholderReflectors`,
    LAPACK's factorizations that JAX calls on its CPU backend (`lapack_sgetrf_ffi` ...) and, as
    nothing, the sharding marks; any other target is an error at the op.

    - `inputs`, `results`: tensors, tokens, tuples

    Constraints (the specification has none; these hold in what frameworks print):
    - `operand_layouts` and `result_layouts` come together, each a permutation of the dimensions.
    - `backend_config` is a dictionary for API_VERSION_TYPED_FFI, text for the others.
    - `output_operand_aliases` name an operand and a result of one type.

    Example:
    ```mlir
    %v, %i = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}}
        : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xi32>)
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Value>:$inputs,
    StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
    DefaultValuedOptionalAttr<StableHLO_CustomCallApiVersionAttr,
      "::forge::stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL">:$api_version,
    DefaultValuedOptionalAttr<
      TypedArrayAttrBase<FlatSymbolRefAttr, "array of symbol names">, "{}">:$called_computations,
    OptionalAttr<ArrayAttr>:$operand_layouts,
    OptionalAttr<ArrayAttr>:$result_layouts,
    DefaultValuedOptionalAttr<
      TypedArrayAttrBase<StableHLO_OutputOperandAlias, "array of aliases">, "{}">
      :$output_operand_aliases,
    OptionalAttr<ArrayAttr>:$result_tilings);
  let results = (outs Variadic<StableHLO_Value>:$results);
  let assemblyFormat = [{
    custom<CallTarget>($call_target_name) `(` $inputs `)` attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_TriangularSolveOp : StableHLO_Op<"triangular_solve", [Pure]> {
  let summary = "solves triangular systems";
  let description = [{
    `result` is the x of `op(a) * x = b` (`left_side`) or `x * op(a) = b`, for each matrix of the
    batch, where `op` transposes as `transpose_a` says. Only the lower (`lower`) or upper triangle
    of `a` is read, and with `unit_diagonal` not its diagonal, which counts as ones.

    - `a`: `[..., M, M]`
    - `b`, `result`: `[..., M, N]`, or `[..., N, M]` for the right side

    Constraints:
    - (C1) `a` and `b` have one element type. (C2) they have one rank, 2 or more.
    - (C3) they have one batch, and M is the size on both sides of `a`.
    - (C4) `result` has the type of `b`.

    Example:
    ```mlir
    %x = "stablehlo.triangular_solve"(%a, %b) {
        left_side = true, lower = true, unit_diagonal = false,
        transpose_a = #stablehlo<transpose NO_TRANSPOSE>}
      : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_FloatTensor:$a,
    StableHLO_FloatTensor:$b,
    BoolAttr:$left_side,
    BoolAttr:$lower,
    BoolAttr:$unit_diagonal,
    StableHLO_TransposeAttr:$transpose_a);
  let results = (outs StableHLO_FloatTensor:$result);
  let hasVerifier = 1;
}

def StableHLO_CholeskyOp : StableHLO_Op<"cholesky", [Pure]> {
  let summary = "Cholesky factor of positive definite matrices";
  let description = [{
    The factor L with `a = L * transpose(L)`, lower triangular, or with `lower = false` its
    transpose, for each matrix of the batch. Zeros are in the other triangle; a matrix that is not
    positive definite gives NaN.

    - `a`, `result`: `[..., M, M]`

    Constraints:
    - (C1) `result` has the type of `a`. (C2) the rank is 2 or more. (C3) the matrices are square.

    Example:
    ```mlir
    %l = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_FloatTensor:$a,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs StableHLO_FloatTensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict
    `:` custom<SameTypeOrFunctional>(type($a), type($result))
  }];
  let hasVerifier = 1;
}

def StableHLO_FftOp : StableHLO_Op<"fft", [Pure]> {
  let summary = "discrete Fourier transform";
  let description = [{
    Along the last dimensions, as many as `fft_length` has: forward (`FFT`), backward with the factor
    1/n (`IFFT`), forward of floats, of whose last dimension the first half is kept (`RFFT`), and
    back (`IRFFT`).

    - `operand`, `result`: complex numbers, `[..., L0, L1, L2]`; floats on one side of `RFFT` and
      `IRFFT`, where the other has a last dimension of half the length plus one

    Constraints:
    - (C1) 1 to 3 lengths, at most the rank of `operand`.
    - (C2) the kinds of numbers of `fft_type`, of one precision, f32 or f64.
    - (C3) the shapes are those of the lengths.

    Example:
    ```mlir
    %r = stablehlo.fft %x, type = RFFT, length = [16] : (tensor<16xf32>) -> tensor<9xcomplex<f32>>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$operand,
    StableHLO_FftTypeAttr:$fft_type,
    DenseI64ArrayAttr:$fft_length);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_BatchNormInferenceOp : StableHLO_Op<"batch_norm_inference", [Pure]> {
  let summary = "normalises with given mean and variance";
  let description = [{
    `result = (operand - mean) / sqrt(variance + epsilon) * scale + offset`, the last four spread
    along `feature_index`.

    - `operand`, `result`: `[..., F, ...]`
    - `scale`, `offset`, `mean`, `variance`: `[F]`

    Constraints:
    - (C1) `feature_index` is a dimension of `operand`. (C2) all have one element type.
    - (C3) to (C6) the others have one number per feature. (C7) `result` has the type of `operand`.

    Example:
    ```mlir
    %r = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance)
        {epsilon = 0.001 : f32, feature_index = 1 : i64}
      : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
        -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_FloatTensor:$operand,
    StableHLO_FloatTensor:$scale,
    StableHLO_FloatTensor:$offset,
    StableHLO_FloatTensor:$mean,
    StableHLO_FloatTensor:$variance,
    F32Attr:$epsilon,
    I64Attr:$feature_index);
  let results = (outs StableHLO_FloatTensor:$result);
  let hasVerifier = 1;
}

def StableHLO_BatchNormTrainingOp : StableHLO_Op<"batch_norm_training", [Pure]> {
  let summary = "normalises with the mean and variance of the batch";
  let description = [{
    Mean and (biased) variance of each feature, and `operand` normalised with them as
    batch_norm_inference does.

    - `operand`, `output`: `[..., F, ...]`
    - `scale`, `offset`, `batch_mean`, `batch_var`: `[F]`

    Constraints:
    - (C1) `feature_index` is a dimension of `operand`. (C2) all have one element type.
    - (C3) to (C6) the others have one number per feature. (C7) `output` has the type of `operand`.

    Example:
    ```mlir
    %r, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset)
        {epsilon = 0.001 : f32, feature_index = 1 : i64}
      : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
        -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins
    StableHLO_FloatTensor:$operand,
    StableHLO_FloatTensor:$scale,
    StableHLO_FloatTensor:$offset,
    F32Attr:$epsilon,
    I64Attr:$feature_index);
  let results = (outs
    StableHLO_FloatTensor:$output,
    StableHLO_FloatTensor:$batch_mean,
    StableHLO_FloatTensor:$batch_var);
  let hasVerifier = 1;
}

def StableHLO_BatchNormGradOp : StableHLO_Op<"batch_norm_grad", [Pure]> {
  let summary = "gradients of batch_norm_training";
  let description = [{
    With n elements per feature, `c = operand - mean`, `v = variance + epsilon` and g for
    `grad_output`: `grad_operand = scale / sqrt(v) / n * (n * g - sum(g) - c * sum(g * c) / v)`,
    `grad_scale = sum(g * c / sqrt(v))`, `grad_offset = sum(g)`, sums over everything but the
    features.

    - `operand`, `grad_output`, `grad_operand`: `[..., F, ...]`
    - `scale`, `mean`, `variance`, `grad_scale`, `grad_offset`: `[F]`

    Constraints:
    - (C1) `feature_index` is a dimension of `operand`. (C2) all have one element type.
    - (C3) the large ones have one shape. (C4), (C5) the others have one number per feature.

    Example:
    ```mlir
    %gx, %gs, %go = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g)
        {epsilon = 0.001 : f32, feature_index = 1 : i64}
      : (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<8x4xf32>)
        -> (tensor<8x4xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins
    StableHLO_FloatTensor:$operand,
    StableHLO_FloatTensor:$scale,
    StableHLO_FloatTensor:$mean,
    StableHLO_FloatTensor:$variance,
    StableHLO_FloatTensor:$grad_output,
    F32Attr:$epsilon,
    I64Attr:$feature_index);
  let results = (outs
    StableHLO_FloatTensor:$grad_operand,
    StableHLO_FloatTensor:$grad_scale,
    StableHLO_FloatTensor:$grad_offset);
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_LIBRARYOPS_TD

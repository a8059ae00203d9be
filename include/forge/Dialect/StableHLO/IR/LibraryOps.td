// What a library would be called for: random bits, factorisations, transforms, normalisation, and
// calls of code that is not in the module.
#ifndef FORGE_DIALECT_STABLEHLO_LIBRARYOPS_TD
#define FORGE_DIALECT_STABLEHLO_LIBRARYOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"

def StableHLO_RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator", [Pure]> {
  let summary = "uniform random bits from a state, by threefry or philox";
  let arguments = (ins
    StableHLO_RngAlgorithmAttr:$rng_algorithm,
    StableHLO_Tensor:$initial_state);
  let results = (outs StableHLO_Tensor:$output_state, StableHLO_Tensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` $rng_algorithm attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

// Not pure: two calls give two draws.
def StableHLO_RngOp : StableHLO_Op<"rng"> {
  let summary = "random numbers from a hidden state";
  let arguments = (ins
    StableHLO_Tensor:$a,
    StableHLO_Tensor:$b,
    StableHLO_Tensor:$shape,
    StableHLO_RngDistributionAttr:$rng_distribution);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_CustomCallOp
    : StableHLO_Op<"custom_call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "call of something the module only names";
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
  let summary = "discrete Fourier transform (read, not compiled)";
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

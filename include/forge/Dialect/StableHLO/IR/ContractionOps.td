// Products: dot, dot_general, convolution, dynamic_conv.
#ifndef FORGE_DIALECT_STABLEHLO_CONTRACTIONOPS_TD
#define FORGE_DIALECT_STABLEHLO_CONTRACTIONOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"

def StableHLO_DotGeneralOp : StableHLO_Op<"dot_general", [Pure]> {
  let summary = "product of two tensors over any dimensions";
  let description = [{
    `result[b..., l..., r...]` is the sum over `c...` of `lhs[b, l, c] * rhs[b, r, c]`, where `b`
    runs over the batching dimensions, `c` over the contracting ones, and `l` and `r` over the
    others of `lhs` and `rhs`, in order. Narrow floats are accumulated in f32 and rounded once;
    integers wrap around.

    - `lhs`, `rhs`: factors, any shape
    - `result`: `[batching..., rest of lhs..., rest of rhs...]`

    Constraints:
    - (C1) as many batching dimensions on both sides. (C2) as many contracting dimensions.
    - (C3) dimensions of `lhs` stand once at most. (C4) so do those of `rhs`.
    - (C5) to (C8) they are dimensions of their operand.
    - (C9) partners among the batching dimensions have one size. (C10) so do contracting ones.
    - (C11) `precision_config` has at most one entry per operand.
    - (C12) `result` has the shape above.
    - (C13) element types are all floats, or all integers, or all booleans. (The specification
      wants one type for `lhs` and `rhs`; frameworks mix narrow floats, and signed with unsigned
      bytes: each operand is converted to the type of the result by its own type, so that ui8 is
      extended with zeros.)
    - (C14) to (C20) are about quantized types, which Forge has not.
    - (C21) with an `algorithm`, every precision is DEFAULT.
    - (C22) to (C24) the counts of an `algorithm` are positive.

    Example:
    ```mlir
    %r = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1],
        precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$lhs,
    StableHLO_Tensor:$rhs,
    StableHLO_DotDimensionNumbers:$dot_dimension_numbers,
    OptionalAttr<StableHLO_PrecisionConfigAttr>:$precision_config,
    OptionalAttr<StableHLO_DotAlgorithm>:$algorithm);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensions>($dot_dimension_numbers) ``
    custom<DotSettings>($precision_config, $algorithm) attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DotOp : StableHLO_Op<"dot", [Pure]> {
  let summary = "product of vectors and matrices";
  let description = [{
    The last dimension of `lhs` is contracted with the first of `rhs`: inner product, matrix times
    vector, or matrix times matrix.

    - `lhs`: `[K]` or `[M, K]`
    - `rhs`: `[K]` or `[K, N]`
    - `result`: `[]`, `[M]`, `[N]` or `[M, N]`

    Constraints (the specification no longer lists this op):
    - (C1) `precision_config` has at most one entry per operand.
    - (C2) operands have rank 1 or 2.
    - (C3) the contracted sizes are equal.
    - (C4) `result` has the shape above.
    - (C5) element types are of one kind, as for dot_general.

    Example:
    ```mlir
    %r = stablehlo.dot %a, %b, precision = [HIGH, HIGH]
        : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$lhs,
    StableHLO_Tensor:$rhs,
    OptionalAttr<StableHLO_PrecisionConfigAttr>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<DotPrecision>($precision_config) attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_ConvolutionOp : StableHLO_Op<"convolution", [Pure]> {
  let summary = "convolution over any number of spatial dimensions";
  let description = [{
    Every output place `o` gets, for every output feature, the sum over kernel places `k` and input
    features of `padded(o * stride + k * rhs_dilation) * rhs(k)`. The input is laid out at distances
    `lhs_dilation` and padded with zeros first (a negative padding cuts off); where
    `window_reversal` says so, the kernel is read from its end. With `feature_group_count`, features
    fall into groups that do not see each other; with `batch_group_count`, the batch does, each part
    giving its share of the output features.

    - `lhs`: the input, `[batch, spatial..., features]` in the order that `dimension_numbers` tells
    - `rhs`: the kernel, `[spatial..., input features of a group, output features]`, likewise
    - `result`: `[batch / batch groups, number of windows..., output features]`, likewise

    Constraints:
    - (C1) `lhs` and `rhs` have one rank N, 2 or more.
    - (C2), (C5), (C7), (C9) where given, `window_strides`, `lhs_dilation`, `rhs_dilation` and
      `window_reversal` have N - 2 entries; (C3), (C6), (C8) the numbers are positive.
    - (C4) `padding` has the shape `[N - 2, 2]`.
    - (C10) `batch_group_count` divides the batch. (C11) `feature_group_count` divides the features.
    - (C12), (C13) the input's dimension numbers are all N dimensions, each once; (C17), (C18) so
      are the kernel's and (C19), (C20) the output's.
    - (C14) the kernel has the input features of one group.
    - (C15), (C16) the counts divide the kernel's output features.
    - (C21), (C22) the counts are positive. (C23) one of them is 1.
    - (C24) `precision_config` has at most one entry per operand.
    - (C25), (C26) `result` has the sizes that follow.
    - (C27) element types are of one kind, as for dot_general, and integer factors of one width.
    - (C28) to (C34) are about quantized types, which Forge has not.

    Example:
    ```mlir
    %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
        window = {stride = [2, 2], pad = [[1, 1], [1, 1]]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x4x4xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$lhs,
    StableHLO_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    StableHLO_ConvDimensionNumbers:$dimension_numbers,
    I64Attr:$feature_group_count,
    I64Attr:$batch_group_count,
    OptionalAttr<StableHLO_PrecisionConfigAttr>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)`
      `dim_numbers` `=` custom<ConvDimensions>($dimension_numbers) `,`
      `window` `=` `{` custom<ConvWindow>($window_strides, $padding, $lhs_dilation, $rhs_dilation,
                                          $window_reversal) `}`
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def StableHLO_DynamicConvOp : StableHLO_Op<"dynamic_conv", [Pure]> {
  let summary = "convolution whose padding is an operand";
  let description = [{
    convolution with the padding as a value, `[[low, high], ...]` per spatial dimension. Forge
    compiles it where that value is a constant.

    - `lhs`, `rhs`, `result`: as for convolution
    - `padding`: `[N - 2, 2]`, integers

    Constraints: those of convolution, with (C4) and (C25) as far as sizes are known.

    Example:
    ```mlir
    %r = "stablehlo.dynamic_conv"(%x, %k, %p) {
      dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>,
      feature_group_count = 1 : i64, batch_group_count = 1 : i64
    } : (tensor<1x8x3xf32>, tensor<3x3x4xf32>, tensor<1x2xi64>) -> tensor<1x?x4xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$lhs,
    StableHLO_Tensor:$rhs,
    StableHLO_IntTensor:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    StableHLO_ConvDimensionNumbers:$dimension_numbers,
    I64Attr:$feature_group_count,
    I64Attr:$batch_group_count,
    OptionalAttr<StableHLO_PrecisionConfigAttr>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_CONTRACTIONOPS_TD

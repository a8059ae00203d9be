// Between numbers and the narrow types they are stored in.
#ifndef FORGE_DIALECT_TRANSFORMER_QUANTIZATIONOPS_TD
#define FORGE_DIALECT_TRANSFORMER_QUANTIZATIONOPS_TD

include "forge/Dialect/Transformer/IR/TransformerBase.td"

def Transformer_QuantizeOp : Transformer_Op<"quantize", [Transformer_FoldsCasts]> {
  let summary = "numbers divided by a scale and stored in a narrow type";
  let description = [{
    With g the element of `scale` that belongs to element i:

    - for i4 and i8: `result[i] = clamp(round(input[i] / scale[g]) + zero_point[g], low, high)`, where `round` goes to the
      nearest integer, ties to even, and [low, high] is [-8, 7] or [-128, 127]; NaN gives `zero_point[g]`, or 0;
    - for f8E4M3FN and f8E5M2: `result[i] = round(clamp(input[i] / scale[g], -max, max))`, to nearest, ties to even, with
      max 448 or 57344: infinities saturate too, NaN stays NaN.

    A `scale` of rank 0 is for the whole tensor; with `axis` = a, `g = i[a]` (per channel); with `block`,
    `g[d] = i[d] / block[d]` in every dimension d.

    Accumulation: none. The quotient is rounded to f32 (f64 for f64 input) before it is rounded again; the result is
    defined to the bit.

    Constraints:
    - (C1) `result` has the shape of `input`.
    - (C2) `scale` has rank 0, or the shape [size of dimension `axis`], or, with `block`, the rank of `input` and the
      sizes ceil(size / block); at most one of `axis` and `block` is given.
    - (C3) `axis` is one of the input's dimensions; `block` has one positive size per dimension.
    - (C4) `zero_point` has the shape of `scale` and the element type of `result`, which is an integer.
    - (C5) `scale` has the element type f32, or that of `input`.

    Example:

    ```mlir
    %q = transformer.quantize %x scale %s {axis = 0 : i64} : (tensor<4x64xf32>, tensor<4xf32>) -> tensor<4x64xi8>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_FloatTensor, "numbers, any shape">:$input,
    Transformer_Described<Transformer_FloatTensor,
        "what one step of the narrow type stands for, [], [channels] or [blocks...]">:$scale,
    Optional<Transformer_Described<Transformer_ZeroPointTensor,
        "the narrow value that stands for 0, the shape of `scale`">>:$zero_point,
    OptionalAttr<Transformer_DescribedAttr<I64Attr, "number of the dimension of which each element has a scale">>:$axis,
    OptionalAttr<Transformer_DescribedAttr<DenseI64ArrayAttr,
        "sizes of the blocks that share a scale, in elements of each dimension">>:$block);
  let results = (outs Transformer_Described<Transformer_NarrowTensor,
      "the narrow values, the shape of the input">:$result);
  let assemblyFormat = [{
    $input `scale` $scale (`zero_point` $zero_point^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def Transformer_QuantizeRowsOp : Transformer_Op<"quantize_rows", [Transformer_FoldsCasts]> {
  let summary = "rows in 8-bit floats, each divided by a scale that its largest element gives";
  let description = [{
    With the dimensions before the last as r, and max 448 for f8E4M3FN or 57344 for f8E5M2:

    - `scale[r] = largest_k |input[r, k]| / max`, but at least 2^-126, so that its inverse is a number;
    - `result[r, k] = round(clamp(input[r, k] * (1 / scale[r]), -max, max))`, to nearest, ties to even.

    A row with NaN has the scale NaN and NaN in all places; one with infinities has an infinite scale, 0 for its finite
    elements and NaN for others. An empty row has the scale 2^-126.

    Accumulation: none. Quotients, inverses and products are each rounded to f32 (to f64 for f64 input, but scales to
    f32); both results are defined to the bit.

    Constraints:
    - (C1) `input` has rank 1 or more; `result` has its shape.
    - (C2) `scale` has the shape of `input` without the last dimension, and the element type f32.

    Example:

    ```mlir
    %q, %s = transformer.quantize_rows %x : (tensor<4x64xbf16>) -> (tensor<4x64xf8E4M3FN>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Transformer_Described<Transformer_FloatTensor, "numbers, [..., K]">:$input);
  let results = (outs
    Transformer_Described<Transformer_NarrowFloatTensor, "the narrow values, [..., K]">:$result,
    Transformer_Described<Transformer_FloatTensor, "the scale of each row, [...]">:$scale);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type($input, results)
  }];
  let hasVerifier = 1;
}

def Transformer_DequantizeOp : Transformer_Op<"dequantize", [Transformer_FoldsCasts]> {
  let summary = "the numbers that narrow values stand for";
  let description = [{
    `result[i] = (input[i] - zero_point[g]) * scale[g]`, with g as `quantize` has it.

    Accumulation: none. The difference is exact; the product is computed in f32 (f64 for f64 results) and rounded once
    more to the result's element type.

    Constraints:
    - (C1) `result` has the shape of `input`.
    - (C2) `scale` has rank 0, or the shape [size of dimension `axis`], or, with `block`, the rank of `input` and the
      sizes ceil(size / block); at most one of `axis` and `block` is given.
    - (C3) `axis` is one of the input's dimensions; `block` has one positive size per dimension.
    - (C4) `zero_point` has the shape of `scale` and the element type of `input`, which is an integer.
    - (C5) `scale` has the element type f32, or that of `result`.

    Example:

    ```mlir
    %x = transformer.dequantize %q scale %s zero_point %z {block = array<i64: 1, 32>}
        : (tensor<4x64xi4>, tensor<4x2xf32>, tensor<4x2xi4>) -> tensor<4x64xf32>
    ```
  }];
  let arguments = (ins
    Transformer_Described<Transformer_NarrowTensor, "narrow values, any shape">:$input,
    Transformer_Described<Transformer_FloatTensor,
        "what one step of the narrow type stands for, [], [channels] or [blocks...]">:$scale,
    Optional<Transformer_Described<Transformer_ZeroPointTensor,
        "the narrow value that stands for 0, the shape of `scale`">>:$zero_point,
    OptionalAttr<Transformer_DescribedAttr<I64Attr, "number of the dimension of which each element has a scale">>:$axis,
    OptionalAttr<Transformer_DescribedAttr<DenseI64ArrayAttr,
        "sizes of the blocks that share a scale, in elements of each dimension">>:$block);
  let results = (outs Transformer_Described<Transformer_FloatTensor, "the numbers, the shape of the input">:$result);
  let assemblyFormat = [{
    $input `scale` $scale (`zero_point` $zero_point^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TRANSFORMER_QUANTIZATIONOPS_TD

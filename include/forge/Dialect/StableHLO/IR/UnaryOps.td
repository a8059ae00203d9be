// Ops on each element of one tensor, conversions included.
#ifndef FORGE_STABLEHLO_UNARYOPS_TD
#define FORGE_STABLEHLO_UNARYOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

// result[i] = f(operand[i]), one type in and out. `semantics` completes the description.
class StableHLO_UnaryOp<string mnemonic, Type type, string semantics, string example = "4xf32">
    : StableHLO_Op<mnemonic, [Pure, StableHLO_SameTypes, Elementwise]> {
  let description = semantics # [{

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `operand` and `result` have one shape and one element type.

    Example:
    ```mlir
    %result = stablehlo.}] # mnemonic # " %operand : tensor<" # example # ">" # [{
    ```
  }];
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand);
  }]>];
  let assemblyFormat =
    "$operand attr-dict `:` custom<SameTypeOrFunctional>(type($operand), type($result))";
}

// A unary op on floats that may be asked for an accuracy.
class StableHLO_TranscendentalOp<string mnemonic, string semantics>
    : StableHLO_UnaryOp<mnemonic, StableHLO_FloatTensor, semantics # [{

    `result_accuracy` is kept for what reads the module next; Forge aims at the most accurate
    result in any case.}]> {
  let arguments = (ins StableHLO_FloatTensor:$operand,
                       OptionalAttr<StableHLO_ResultAccuracy>:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand, ResultAccuracyAttr());
  }]>];
}

def StableHLO_AbsOp : StableHLO_Op<"abs", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "absolute value";
  let description = [{
    `result[i] = |operand[i]|`. The smallest signed integer stays what it is, as its absolute value
    has no representation; NaN stays NaN.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `operand` and `result` have one shape and one element type; for complex numbers the
      result has the type of their parts.

    Example:
    ```mlir
    %result = stablehlo.abs %operand : tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_SIntOrFloatTensor:$operand);
  let results = (outs StableHLO_SIntOrFloatTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand);
  }]>];
  let assemblyFormat =
    "$operand attr-dict `:` custom<SameTypeOrFunctional>(type($operand), type($result))";
  let hasVerifier = 1;
}
def StableHLO_CbrtOp : StableHLO_TranscendentalOp<"cbrt", [{
    `result[i]` is the real cube root of `operand[i]`, negative for a negative element.}]> {
  let summary = "cube root";
}
def StableHLO_CeilOp : StableHLO_UnaryOp<"ceil", StableHLO_FloatTensor, [{
    `result[i]` is the smallest integer not below `operand[i]`.}]> {
  let summary = "rounds up to an integer";
}
def StableHLO_ClzOp : StableHLO_UnaryOp<"count_leading_zeros", StableHLO_IntTensor, [{
    `result[i]` is the number of zero bits above the highest one bit of `operand[i]`; for zero, the
    width of the type.}], "4xi32"> {
  let summary = "number of zero bits above the highest one bit";
}
def StableHLO_CosineOp : StableHLO_TranscendentalOp<"cosine", [{
    `result[i] = cos(operand[i])`, the angle in radians.}]> {
  let summary = "cosine";
}
def StableHLO_ExpOp : StableHLO_TranscendentalOp<"exponential", [{
    `result[i] = exp(operand[i])`.}]> {
  let summary = "e to the power of each element";
}
def StableHLO_Expm1Op : StableHLO_TranscendentalOp<"exponential_minus_one", [{
    `result[i] = exp(operand[i]) - 1`, accurate near zero too.}]> {
  let summary = "e to the power of each element, minus one";
}
def StableHLO_FloorOp : StableHLO_UnaryOp<"floor", StableHLO_FloatTensor, [{
    `result[i]` is the largest integer not above `operand[i]`.}]> {
  let summary = "rounds down to an integer";
}
def StableHLO_LogOp : StableHLO_TranscendentalOp<"log", [{
    `result[i] = ln(operand[i])`; NaN below zero, -inf at zero.}]> {
  let summary = "natural logarithm";
}
def StableHLO_Log1pOp : StableHLO_TranscendentalOp<"log_plus_one", [{
    `result[i] = ln(1 + operand[i])`, accurate near zero too.}]> {
  let summary = "natural logarithm of one plus each element";
}
def StableHLO_LogisticOp : StableHLO_TranscendentalOp<"logistic", [{
    `result[i] = 1 / (1 + exp(-operand[i]))`.}]> {
  let summary = "logistic function";
}
def StableHLO_NegOp : StableHLO_UnaryOp<"negate", StableHLO_IntOrFloatTensor, [{
    `result[i] = -operand[i]`; integers wrap, unsigned ones too.}]> {
  let summary = "negation";
  let hasFolder = 1;
}
def StableHLO_NotOp : StableHLO_UnaryOp<"not", StableHLO_PredOrIntTensor, [{
    `result[i]` has every bit of `operand[i]` inverted.}], "4xi1"> {
  let summary = "logical or bitwise complement";
  let hasFolder = 1;
}
def StableHLO_PopulationCountOp : StableHLO_UnaryOp<"popcnt", StableHLO_IntTensor, [{
    `result[i]` is the number of one bits of `operand[i]`.}], "4xi32"> {
  let summary = "number of one bits";
}
def StableHLO_RoundOp : StableHLO_UnaryOp<"round_nearest_afz", StableHLO_FloatTensor, [{
    `result[i]` is the integer nearest to `operand[i]`; of two, the one farther from zero.}]> {
  let summary = "rounds to the nearest integer, ties away from zero";
}
def StableHLO_RoundNearestEvenOp
    : StableHLO_UnaryOp<"round_nearest_even", StableHLO_FloatTensor, [{
    `result[i]` is the integer nearest to `operand[i]`; of two, the even one.}]> {
  let summary = "rounds to the nearest integer, ties to even";
}
def StableHLO_RsqrtOp : StableHLO_TranscendentalOp<"rsqrt", [{
    `result[i] = 1 / sqrt(operand[i])`; NaN below zero, inf at zero.}]> {
  let summary = "reciprocal of the square root";
}
def StableHLO_SignOp : StableHLO_UnaryOp<"sign", StableHLO_SIntOrFloatTensor, [{
    `result[i]` is -1, 0 or 1 as `operand[i]` is negative, zero or positive; for floats a zero keeps
    its sign, and NaN stays NaN.}]> {
  let summary = "sign: -1, 0 or 1";
}
def StableHLO_SineOp : StableHLO_TranscendentalOp<"sine", [{
    `result[i] = sin(operand[i])`, the angle in radians.}]> {
  let summary = "sine";
}
def StableHLO_SqrtOp : StableHLO_TranscendentalOp<"sqrt", [{
    `result[i] = sqrt(operand[i])`; NaN below zero.}]> {
  let summary = "square root";
}
def StableHLO_TanOp : StableHLO_TranscendentalOp<"tan", [{
    `result[i] = tan(operand[i])`, the angle in radians.}]> {
  let summary = "tangent";
}
def StableHLO_TanhOp : StableHLO_TranscendentalOp<"tanh", [{
    `result[i] = tanh(operand[i])`.}]> {
  let summary = "hyperbolic tangent";
}

//===----------------------------------------------------------------------===//
// Unary, with a result of another element type
//===----------------------------------------------------------------------===//

def StableHLO_ConvertOp : StableHLO_Op<"convert", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "converts each element to another element type";
  let description = [{
    `result[i]` is the value of `operand[i]` in the element type of the result:
    - from a boolean: 0 or 1; to a boolean: whether the element is not zero;
    - between integers: the low bits, extended by the sign of the source type;
    - to a float: the nearest value, ties to even;
    - from a float to an integer: rounded towards zero; out of range is the nearest bound, and NaN
      is zero.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements of another type, `[D0, ..., Dn]`

    Constraints:
    - (C1) `operand` and `result` have one shape.

    Example:
    ```mlir
    %result = stablehlo.convert %operand : (tensor<4xi32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat =
    "$operand attr-dict `:` custom<SameTypeOrFunctional>(type($operand), type($result))";
  let hasFolder = 1;
}

def StableHLO_IsFiniteOp : StableHLO_Op<"is_finite", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "whether each element is neither infinite nor NaN";
  let description = [{
    `y[i]` is true when `x[i]` is a number, false when it is infinite or NaN.

    - `x`: floats, `[D0, ..., Dn]`
    - `y`: booleans, `[D0, ..., Dn]`

    Constraints:
    - (C1) `x` and `y` have one shape.

    Example:
    ```mlir
    %y = stablehlo.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$x);
  let results = (outs StableHLO_PredTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def StableHLO_BitcastConvertOp : StableHLO_Op<"bitcast_convert", [Pure]> {
  let summary = "reads the bits of the elements as another element type";
  let description = [{
    The bits of `operand`, read as elements of another type. Where widths differ, the narrow elements
    that make up a wide one lie along the last dimension of the narrower tensor, the least
    significant first.

    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: `[D0, ..., Dn]` for one width, `[D0, ..., Dn, W / W']` for narrower elements,
      `[D0, ..., Dn-1]` for wider ones

    Constraints:
    - (C1) shapes are as above, and the last dimension of the narrower tensor is the ratio of the
      widths.
    - (C2) complex numbers become complex numbers, and only these do.

    Example:
    ```mlir
    %result = stablehlo.bitcast_convert %operand : (tensor<4xf64>) -> tensor<4x4xui16>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_ReducePrecisionOp
    : StableHLO_Op<"reduce_precision", [Pure, StableHLO_SameTypes, Elementwise]> {
  let summary = "rounds to a float format of fewer bits and back";
  let description = [{
    `output[i]` is `operand[i]` rounded to the nearest value, ties to even, of a float format with
    `exponent_bits` and `mantissa_bits`. What overflows the format is infinite; what is subnormal in
    it is zero.

    - `operand`: floats, `[D0, ..., Dn]`
    - `output`: floats, `[D0, ..., Dn]`

    Constraints:
    - (C1) `operand` and `output` have one type.
    - (C2) `exponent_bits` is at least 1.
    - (C3) `mantissa_bits` is at least 0.

    Example:
    ```mlir
    %output = stablehlo.reduce_precision %operand, format = e5m10 : tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$operand,
                       ConfinedAttr<I32Attr, [IntPositive]>:$exponent_bits,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$mantissa_bits);
  let results = (outs StableHLO_FloatTensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=` custom<ExponentMantissa>($exponent_bits, $mantissa_bits)
      attr-dict `:` custom<SameTypeOrFunctional>(type($operand), type($output))
  }];
}

#endif

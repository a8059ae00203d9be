// Ops that work element by element: unary, binary, comparison, selection, conversion.
#ifndef FORGE_STABLEHLO_ELEMENTWISEOPS_TD
#define FORGE_STABLEHLO_ELEMENTWISEOPS_TD

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

    `result_accuracy` is kept for whoever reads the module next; Forge aims at the most accurate
    result in any case.}]> {
  let arguments = (ins StableHLO_FloatTensor:$operand,
                       OptionalAttr<StableHLO_ResultAccuracy>:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand, ResultAccuracyAttr());
  }]>];
}

def StableHLO_AbsOp : StableHLO_UnaryOp<"abs", StableHLO_SIntOrFloatTensor, [{
    `result[i] = |operand[i]|`. The smallest signed integer stays what it is, as its absolute value
    has no representation; NaN stays NaN.}]> {
  let summary = "absolute value";
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

//===----------------------------------------------------------------------===//
// Binary
//===----------------------------------------------------------------------===//

// result[i] = f(lhs[i], rhs[i]), one type in and out. `semantics` completes the description.
class StableHLO_BinaryOp<string mnemonic, Type type, list<Trait> traits, string semantics,
                         string example = "4xf32">
    : StableHLO_Op<mnemonic, [Pure, StableHLO_SameTypes, Elementwise] # traits> {
  let description = semantics # [{

    - `lhs`, `rhs`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `lhs`, `rhs` and `result` have one shape and one element type.

    Example:
    ```mlir
    %result = stablehlo.}] # mnemonic # " %lhs, %rhs : tensor<" # example # ">" # [{
    ```
  }];
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    build($_builder, $_state, lhs.getType(), lhs, rhs);
  }]>];
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict
      `:` custom<SameTypeOrFunctional>(type($lhs), type($rhs), type($result))
  }];
}

def StableHLO_AddOp : StableHLO_BinaryOp<"add", StableHLO_Tensor, [Commutative], [{
    `result[i] = lhs[i] + rhs[i]`; integers wrap, booleans are or-ed.}]> {
  let summary = "sum; logical or for booleans";
  let hasFolder = 1;
}
def StableHLO_AndOp : StableHLO_BinaryOp<"and", StableHLO_PredOrIntTensor, [Commutative], [{
    `result[i]` has the bits that are one in both `lhs[i]` and `rhs[i]`.}], "4xi1"> {
  let summary = "logical or bitwise and";
  let hasFolder = 1;
}
def StableHLO_Atan2Op : StableHLO_BinaryOp<"atan2", StableHLO_FloatTensor, [], [{
    `result[i]` is the angle, from -pi to pi, of the point with x = `rhs[i]` and y = `lhs[i]`. Signs of
    zeros and infinities count as in C's `atan2`.}]> {
  let summary = "angle of the point (rhs, lhs)";
}
def StableHLO_DivOp : StableHLO_BinaryOp<"divide", StableHLO_IntOrFloatTensor, [], [{
    `result[i] = lhs[i] / rhs[i]`. Integers are rounded towards zero; by zero the result is all ones,
    and the smallest signed integer by -1 is itself.}]> {
  let summary = "quotient";
  let hasFolder = 1;
}
def StableHLO_MaxOp : StableHLO_BinaryOp<"maximum", StableHLO_Tensor, [Commutative], [{
    `result[i] = max(lhs[i], rhs[i])`; NaN if either is, +0.0 above -0.0; booleans are or-ed.}]> {
  let summary = "the larger one; logical or for booleans";
  let hasFolder = 1;
}
def StableHLO_MinOp : StableHLO_BinaryOp<"minimum", StableHLO_Tensor, [Commutative], [{
    `result[i] = min(lhs[i], rhs[i])`; NaN if either is, -0.0 below +0.0; booleans are and-ed.}]> {
  let summary = "the smaller one; logical and for booleans";
  let hasFolder = 1;
}
def StableHLO_MulOp : StableHLO_BinaryOp<"multiply", StableHLO_Tensor, [Commutative], [{
    `result[i] = lhs[i] * rhs[i]`; integers wrap, booleans are and-ed.}]> {
  let summary = "product; logical and for booleans";
  let hasFolder = 1;
}
def StableHLO_OrOp : StableHLO_BinaryOp<"or", StableHLO_PredOrIntTensor, [Commutative], [{
    `result[i]` has the bits that are one in `lhs[i]` or `rhs[i]`.}], "4xi1"> {
  let summary = "logical or bitwise or";
  let hasFolder = 1;
}
def StableHLO_PowOp : StableHLO_BinaryOp<"power", StableHLO_IntOrFloatTensor, [], [{
    `result[i] = lhs[i] ^ rhs[i]`. Integers wrap; a negative exponent gives the inverse rounded towards
    zero: 0 unless the base is 1 or -1. Floats follow C's `pow`.}]> {
  let summary = "lhs to the power of rhs";
}
def StableHLO_RemOp : StableHLO_BinaryOp<"remainder", StableHLO_IntOrFloatTensor, [], [{
    `result[i] = lhs[i] - rhs[i] * q`, where `q` is the quotient rounded towards zero: the sign is that
    of `lhs[i]`. Integers modulo zero are `lhs[i]`; floats follow C's `fmod`.}]> {
  let summary = "remainder of a division that rounds towards zero";
  let hasFolder = 1;
}
def StableHLO_ShiftLeftOp : StableHLO_BinaryOp<"shift_left", StableHLO_IntTensor, [], [{
    `result[i]` is `lhs[i]` with its bits `rhs[i]` places up and zeros below; zero when `rhs[i]`, read
    without a sign, is the width or more.}], "4xi32"> {
  let summary = "shifts bits up";
}
def StableHLO_ShiftRightArithmeticOp
    : StableHLO_BinaryOp<"shift_right_arithmetic", StableHLO_IntTensor, [], [{
    `result[i]` is `lhs[i]` with its bits `rhs[i]` places down and the highest bit repeated above; only
    that bit when `rhs[i]`, read without a sign, is the width or more.}], "4xi32"> {
  let summary = "shifts bits down and fills with the sign";
}
def StableHLO_ShiftRightLogicalOp
    : StableHLO_BinaryOp<"shift_right_logical", StableHLO_IntTensor, [], [{
    `result[i]` is `lhs[i]` with its bits `rhs[i]` places down and zeros above; zero when `rhs[i]`, read
    without a sign, is the width or more.}], "4xi32"> {
  let summary = "shifts bits down and fills with zeros";
}
def StableHLO_SubtractOp : StableHLO_BinaryOp<"subtract", StableHLO_IntOrFloatTensor, [], [{
    `result[i] = lhs[i] - rhs[i]`; integers wrap.}]> {
  let summary = "difference";
  let hasFolder = 1;
}
def StableHLO_XorOp : StableHLO_BinaryOp<"xor", StableHLO_PredOrIntTensor, [Commutative], [{
    `result[i]` has the bits in which `lhs[i]` and `rhs[i]` differ.}], "4xi1"> {
  let summary = "logical or bitwise exclusive or";
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

def StableHLO_CompareOp : StableHLO_Op<"compare", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "compares element by element";
  let description = [{
    `result[i]` says whether `lhs[i]` stands in the relation `comparison_direction` to `rhs[i]`: EQ, NE,
    GE, GT, LE or LT. A float comparison with NaN is false, save NE, which is true; in TOTALORDER
    -NaN < -inf < ... < -0.0 < +0.0 < ... < inf < NaN. Booleans are ordered false < true.

    - `lhs`, `rhs`: elements, `[D0, ..., Dn]`
    - `result`: booleans, `[D0, ..., Dn]`

    Constraints:
    - (C1) `lhs` and `rhs` have one element type.
    - (C2) `lhs`, `rhs` and `result` have one shape.
    - (C3) `compare_type`, if given, is SIGNED for signed integers, UNSIGNED for unsigned ones and
      booleans, FLOAT or TOTALORDER for floats; NOTYPE is as if not given.

    Example:
    ```mlir
    %result = stablehlo.compare LT, %lhs, %rhs, SIGNED
        : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                       StableHLO_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<StableHLO_ComparisonTypeAttr>:$compare_type);
  let results = (outs StableHLO_PredTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "::forge::stablehlo::ComparisonDirection":$direction,
      CArg<"::forge::stablehlo::ComparisonType",
           "::forge::stablehlo::ComparisonType::NOTYPE">:$type)>];
  // The empty literals: an enum prints a space of its own.
  let assemblyFormat = [{
    `` $comparison_direction `,` $lhs `,` $rhs (`,` `` $compare_type^)?
      attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def StableHLO_SelectOp : StableHLO_Op<"select", [Pure]> {
  let summary = "picks from two tensors by a condition";
  let description = [{
    `result[i]` is `on_true[i]` where the condition holds, else `on_false[i]`. The condition is
    `pred[i]`, or `pred[]` for all elements.

    - `pred`: booleans, `[]` or `[D0, ..., Dn]`
    - `on_true`, `on_false`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `pred` has rank 0 or the shape of `on_true`.
    - (C2) `on_true`, `on_false` and `result` have one type.

    Example:
    ```mlir
    %result = stablehlo.select %pred, %on_true, %on_false : tensor<i1>, tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_PredTensor:$pred, StableHLO_Tensor:$on_true,
                       StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
      custom<SelectTypes>(type($pred), type($on_true), type($on_false), type($result))
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def StableHLO_ClampOp : StableHLO_Op<"clamp", [Pure, StableHLO_SameElementTypes]> {
  let summary = "limits elements to a range";
  let description = [{
    `result[i] = minimum(maximum(operand[i], lo), hi)`, where `lo` is `min[i]` or `min[]`, and `hi` is
    `max[i]` or `max[]`.

    - `min`, `max`: bounds, `[]` or `[D0, ..., Dn]`
    - `operand`: elements, `[D0, ..., Dn]`
    - `result`: elements, `[D0, ..., Dn]`

    Constraints:
    - (C1) `min` has rank 0 or the shape of `operand`.
    - (C2) `max` has rank 0 or the shape of `operand`.
    - (C3) `min`, `operand` and `max` have one element type.
    - (C4) `operand` and `result` have one type.

    Example:
    ```mlir
    %result = stablehlo.clamp %min, %operand, %max
        : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$min, StableHLO_Tensor:$operand, StableHLO_Tensor:$max);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
      custom<SameTypeOrFunctional>(type($min), type($operand), type($max), type($result))
  }];
  let hasVerifier = 1;
}

#endif

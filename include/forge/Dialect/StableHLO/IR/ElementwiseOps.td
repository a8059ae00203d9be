// Ops that work element by element: unary, binary, comparison, selection, conversion.
#ifndef FORGE_STABLEHLO_ELEMENTWISEOPS_TD
#define FORGE_STABLEHLO_ELEMENTWISEOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

// result[i] = f(operand[i]), one type in and out.
class StableHLO_UnaryOp<string mnemonic, Type type>
    : StableHLO_Op<mnemonic, [Pure, StableHLO_SameTypes, Elementwise]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand);
  }]>];
  let assemblyFormat =
    "$operand attr-dict `:` custom<SameTypeOrFunctional>(type($operand), type($result))";
}

// A unary op on floats that may be asked for an accuracy.
class StableHLO_TranscendentalOp<string mnemonic>
    : StableHLO_UnaryOp<mnemonic, StableHLO_FloatTensor> {
  let arguments = (ins StableHLO_FloatTensor:$operand,
                       OptionalAttr<StableHLO_ResultAccuracy>:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand, ResultAccuracyAttr());
  }]>];
}

def StableHLO_AbsOp : StableHLO_UnaryOp<"abs", StableHLO_SIntOrFloatTensor> {
  let summary = "absolute value";
}
def StableHLO_CbrtOp : StableHLO_TranscendentalOp<"cbrt"> {
  let summary = "cube root";
}
def StableHLO_CeilOp : StableHLO_UnaryOp<"ceil", StableHLO_FloatTensor> {
  let summary = "rounds up to an integer";
}
def StableHLO_ClzOp : StableHLO_UnaryOp<"count_leading_zeros", StableHLO_IntTensor> {
  let summary = "number of zero bits above the highest one bit";
}
def StableHLO_CosineOp : StableHLO_TranscendentalOp<"cosine"> {
  let summary = "cosine";
}
def StableHLO_ExpOp : StableHLO_TranscendentalOp<"exponential"> {
  let summary = "e to the power of each element";
}
def StableHLO_Expm1Op : StableHLO_TranscendentalOp<"exponential_minus_one"> {
  let summary = "e to the power of each element, minus one";
}
def StableHLO_FloorOp : StableHLO_UnaryOp<"floor", StableHLO_FloatTensor> {
  let summary = "rounds down to an integer";
}
def StableHLO_LogOp : StableHLO_TranscendentalOp<"log"> {
  let summary = "natural logarithm";
}
def StableHLO_Log1pOp : StableHLO_TranscendentalOp<"log_plus_one"> {
  let summary = "natural logarithm of one plus each element";
}
def StableHLO_LogisticOp : StableHLO_TranscendentalOp<"logistic"> {
  let summary = "logistic function";
}
def StableHLO_NegOp : StableHLO_UnaryOp<"negate", StableHLO_IntOrFloatTensor> {
  let summary = "negation";
  let hasFolder = 1;
}
def StableHLO_NotOp : StableHLO_UnaryOp<"not", StableHLO_PredOrIntTensor> {
  let summary = "logical or bitwise complement";
  let hasFolder = 1;
}
def StableHLO_PopulationCountOp : StableHLO_UnaryOp<"popcnt", StableHLO_IntTensor> {
  let summary = "number of one bits";
}
def StableHLO_RoundOp : StableHLO_UnaryOp<"round_nearest_afz", StableHLO_FloatTensor> {
  let summary = "rounds to the nearest integer, ties away from zero";
}
def StableHLO_RoundNearestEvenOp : StableHLO_UnaryOp<"round_nearest_even", StableHLO_FloatTensor> {
  let summary = "rounds to the nearest integer, ties to even";
}
def StableHLO_RsqrtOp : StableHLO_TranscendentalOp<"rsqrt"> {
  let summary = "reciprocal of the square root";
}
def StableHLO_SignOp : StableHLO_UnaryOp<"sign", StableHLO_SIntOrFloatTensor> {
  let summary = "sign: -1, 0 or 1";
}
def StableHLO_SineOp : StableHLO_TranscendentalOp<"sine"> {
  let summary = "sine";
}
def StableHLO_SqrtOp : StableHLO_TranscendentalOp<"sqrt"> {
  let summary = "square root";
}
def StableHLO_TanOp : StableHLO_TranscendentalOp<"tan"> {
  let summary = "tangent";
}
def StableHLO_TanhOp : StableHLO_TranscendentalOp<"tanh"> {
  let summary = "hyperbolic tangent";
}

//===----------------------------------------------------------------------===//
// Unary, with a result of another element type
//===----------------------------------------------------------------------===//

def StableHLO_ConvertOp : StableHLO_Op<"convert", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "converts each element to another element type";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat =
    "$operand attr-dict `:` custom<SameTypeOrFunctional>(type($operand), type($result))";
  let hasFolder = 1;
}

def StableHLO_IsFiniteOp : StableHLO_Op<"is_finite", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "whether each element is neither infinite nor NaN";
  let arguments = (ins StableHLO_FloatTensor:$x);
  let results = (outs StableHLO_PredTensor:$y);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def StableHLO_BitcastConvertOp : StableHLO_Op<"bitcast_convert", [Pure]> {
  let summary = "reads the bits of the elements as another element type";
  let arguments = (ins StableHLO_Tensor:$operand);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_ReducePrecisionOp
    : StableHLO_Op<"reduce_precision", [Pure, StableHLO_SameTypes, Elementwise]> {
  let summary = "rounds to a float format of fewer bits and back";
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

// result[i] = f(lhs[i], rhs[i]), one type in and out.
class StableHLO_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, [Pure, StableHLO_SameTypes, Elementwise] # traits> {
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

def StableHLO_AddOp : StableHLO_BinaryOp<"add", StableHLO_Tensor, [Commutative]> {
  let summary = "sum; logical or for booleans";
  let hasFolder = 1;
}
def StableHLO_AndOp : StableHLO_BinaryOp<"and", StableHLO_PredOrIntTensor, [Commutative]> {
  let summary = "logical or bitwise and";
  let hasFolder = 1;
}
def StableHLO_Atan2Op : StableHLO_BinaryOp<"atan2", StableHLO_FloatTensor> {
  let summary = "angle of the point (rhs, lhs)";
}
def StableHLO_DivOp : StableHLO_BinaryOp<"divide", StableHLO_IntOrFloatTensor> {
  let summary = "quotient";
  let hasFolder = 1;
}
def StableHLO_MaxOp : StableHLO_BinaryOp<"maximum", StableHLO_Tensor, [Commutative]> {
  let summary = "the larger one; logical or for booleans";
  let hasFolder = 1;
}
def StableHLO_MinOp : StableHLO_BinaryOp<"minimum", StableHLO_Tensor, [Commutative]> {
  let summary = "the smaller one; logical and for booleans";
  let hasFolder = 1;
}
def StableHLO_MulOp : StableHLO_BinaryOp<"multiply", StableHLO_Tensor, [Commutative]> {
  let summary = "product; logical and for booleans";
  let hasFolder = 1;
}
def StableHLO_OrOp : StableHLO_BinaryOp<"or", StableHLO_PredOrIntTensor, [Commutative]> {
  let summary = "logical or bitwise or";
  let hasFolder = 1;
}
def StableHLO_PowOp : StableHLO_BinaryOp<"power", StableHLO_IntOrFloatTensor> {
  let summary = "lhs to the power of rhs";
}
def StableHLO_RemOp : StableHLO_BinaryOp<"remainder", StableHLO_IntOrFloatTensor> {
  let summary = "remainder of a division that rounds towards zero";
  let hasFolder = 1;
}
def StableHLO_ShiftLeftOp : StableHLO_BinaryOp<"shift_left", StableHLO_IntTensor> {
  let summary = "shifts bits up";
}
def StableHLO_ShiftRightArithmeticOp
    : StableHLO_BinaryOp<"shift_right_arithmetic", StableHLO_IntTensor> {
  let summary = "shifts bits down and fills with the sign";
}
def StableHLO_ShiftRightLogicalOp : StableHLO_BinaryOp<"shift_right_logical", StableHLO_IntTensor> {
  let summary = "shifts bits down and fills with zeros";
}
def StableHLO_SubtractOp : StableHLO_BinaryOp<"subtract", StableHLO_IntOrFloatTensor> {
  let summary = "difference";
  let hasFolder = 1;
}
def StableHLO_XorOp : StableHLO_BinaryOp<"xor", StableHLO_PredOrIntTensor, [Commutative]> {
  let summary = "logical or bitwise exclusive or";
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

def StableHLO_CompareOp : StableHLO_Op<"compare", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "compares element by element";
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
                       StableHLO_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<StableHLO_ComparisonTypeAttr>:$compare_type);
  let results = (outs StableHLO_PredTensor:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "::forge::stablehlo::ComparisonDirection":$direction,
      CArg<"::forge::stablehlo::ComparisonType",
           "::forge::stablehlo::ComparisonType::NOTYPE">:$type)>];
  let assemblyFormat = [{
    `` $comparison_direction `,` $lhs `,` $rhs (`,` `` $compare_type^)?
      attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_SelectOp : StableHLO_Op<"select", [Pure]> {
  let summary = "picks from two tensors by a condition";
  let arguments = (ins StableHLO_PredTensor:$pred, StableHLO_Tensor:$on_true,
                       StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
      custom<SelectTypes>(type($pred), type($on_true), type($on_false), type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def StableHLO_ClampOp : StableHLO_Op<"clamp", [Pure, StableHLO_SameElementTypes]> {
  let summary = "limits elements to a range";
  let arguments = (ins StableHLO_Tensor:$min, StableHLO_Tensor:$operand, StableHLO_Tensor:$max);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
      custom<SameTypeOrFunctional>(type($min), type($operand), type($max), type($result))
  }];
  let hasVerifier = 1;
}

#endif

// Ops on the elements of two tensors.
#ifndef FORGE_STABLEHLO_BINARYOPS_TD
#define FORGE_STABLEHLO_BINARYOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

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

#endif

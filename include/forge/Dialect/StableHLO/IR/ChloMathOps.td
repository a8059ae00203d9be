// Special functions of real numbers, element by element.
#ifndef FORGE_DIALECT_STABLEHLO_CHLOMATHOPS_TD
#define FORGE_DIALECT_STABLEHLO_CHLOMATHOPS_TD

include "forge/Dialect/StableHLO/IR/ChloBase.td"

class CHLO_UnaryOp<string mnemonic, Type operandType, Type resultType, list<Trait> traits>
    : CHLO_Op<mnemonic, traits # [Pure, Elementwise, SameOperandsAndResultShape]> {
  let arguments = (ins operandType:$operand);
  let results = (outs resultType:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

// A function of one float; the result has the operand's type.
class CHLO_FloatFunction<string mnemonic>
    : CHLO_UnaryOp<mnemonic, StableHLO_FloatTensor, StableHLO_FloatTensor,
                   [SameOperandsAndResultElementType]>;

class CHLO_FloatPredicate<string mnemonic>
    : CHLO_UnaryOp<mnemonic, StableHLO_FloatTensor, StableHLO_PredTensor, []>;

class CHLO_FloatFunction2<string mnemonic, string first, string second>
    : CHLO_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultShape,
                         SameOperandsAndResultElementType]> {
  let arguments = !dag(ins, [StableHLO_FloatTensor, StableHLO_FloatTensor], [first, second]);
  let results = (outs StableHLO_FloatTensor:$result);
  let assemblyFormat = "$" # first # " `,` $" # second # " attr-dict `:` type($" # first #
                       ") `,` type($" # second # ") `->` type($result)";
}

def CHLO_AcosOp : CHLO_FloatFunction<"acos"> {
  let summary = "arc cosine";
  let description = [{
    `acos(x)`, in [0, pi]; NaN outside [-1, 1].
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_AcoshOp : CHLO_FloatFunction<"acosh"> {
  let summary = "inverse hyperbolic cosine";
  let description = [{
    `log(x + sqrt(x * x - 1))`; NaN below 1.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.acosh %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_AsinOp : CHLO_FloatFunction<"asin"> {
  let summary = "arc sine";
  let description = [{
    `asin(x)`, in [-pi/2, pi/2]; NaN outside [-1, 1].
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.asin %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_AsinhOp : CHLO_FloatFunction<"asinh"> {
  let summary = "inverse hyperbolic sine";
  let description = [{
    `log(x + sqrt(x * x + 1))`, odd.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.asinh %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_AtanOp : CHLO_FloatFunction<"atan"> {
  let summary = "arc tangent";
  let description = [{
    `atan(x)`, in [-pi/2, pi/2].
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.atan %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_AtanhOp : CHLO_FloatFunction<"atanh"> {
  let summary = "inverse hyperbolic tangent";
  let description = [{
    `log((1 + x) / (1 - x)) / 2`; infinite at -1 and 1, NaN outside.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.atanh %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_BesselI1eOp : CHLO_FloatFunction<"bessel_i1e"> {
  let summary = "scaled modified Bessel function";
  let description = [{
    `exp(-|x|) * I1(x)`, with I1 the modified Bessel function of the first kind of order 1.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.bessel_i1e %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_CoshOp : CHLO_FloatFunction<"cosh"> {
  let summary = "hyperbolic cosine";
  let description = [{
    `(exp(x) + exp(-x)) / 2`.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.cosh %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_DigammaOp : CHLO_FloatFunction<"digamma"> {
  let summary = "derivative of lgamma";
  let description = [{
    `d/dx log(gamma(x))`; NaN at 0 and the negative integers.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.digamma %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_ErfOp : CHLO_FloatFunction<"erf"> {
  let summary = "error function";
  let description = [{
    `2/sqrt(pi)` times the integral of `exp(-t*t)` from 0 to `x`.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_ErfInvOp : CHLO_FloatFunction<"erf_inv"> {
  let summary = "inverse of the error function";
  let description = [{
    The `y` with `erf(y) = x`; infinite at -1 and 1, NaN outside.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_ErfcOp : CHLO_FloatFunction<"erfc"> {
  let summary = "complement of the error function";
  let description = [{
    `1 - erf(x)`, precise also where that is tiny.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.erfc %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_LgammaOp : CHLO_FloatFunction<"lgamma"> {
  let summary = "logarithm of the gamma function";
  let description = [{
    `log(|gamma(x)|)`; infinite at 0 and the negative integers.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.lgamma %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_SinhOp : CHLO_FloatFunction<"sinh"> {
  let summary = "hyperbolic sine";
  let description = [{
    `(exp(x) - exp(-x)) / 2`.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.sinh %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_SquareOp : CHLO_UnaryOp<"square", StableHLO_Tensor, StableHLO_Tensor,
                                 [SameOperandsAndResultElementType]> {
  let summary = "square";
  let description = [{
    `x * x`.
    `operand` and `result`: the same shape and number type.

    ```mlir
    %y = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_TanOp : CHLO_FloatFunction<"tan"> {
  let summary = "tangent";
  let description = [{
    `sin(x) / cos(x)`.
    `operand` and `result`: the same shape and float type.

    ```mlir
    %y = chlo.tan %x : tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_IsInfOp : CHLO_FloatPredicate<"is_inf"> {
  let summary = "whether an element is infinite";
  let description = [{
    True where `x` is infinite of either sign.
    `operand`: any shape, float; `result`: the same shape, i1.

    ```mlir
    %y = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
    ```
  }];
}

def CHLO_IsNegInfOp : CHLO_FloatPredicate<"is_neg_inf"> {
  let summary = "whether an element is negative infinity";
  let description = [{
    True where `x` is negative infinity.
    `operand`: any shape, float; `result`: the same shape, i1.

    ```mlir
    %y = chlo.is_neg_inf %x : tensor<4xf32> -> tensor<4xi1>
    ```
  }];
}

def CHLO_IsPosInfOp : CHLO_FloatPredicate<"is_pos_inf"> {
  let summary = "whether an element is positive infinity";
  let description = [{
    True where `x` is positive infinity.
    `operand`: any shape, float; `result`: the same shape, i1.

    ```mlir
    %y = chlo.is_pos_inf %x : tensor<4xf32> -> tensor<4xi1>
    ```
  }];
}

def CHLO_NextAfterOp : CHLO_FloatFunction2<"next_after", "x", "y"> {
  let summary = "next representable number";
  let description = [{
    The number next to `x` in the direction of `y`: `x` itself where both are equal, NaN where either
    is.
    `x`, `y` and `result`: the same shape and float type.

    ```mlir
    %r = chlo.next_after %x, %y : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_PolygammaOp : CHLO_FloatFunction2<"polygamma", "n", "x"> {
  let summary = "derivatives of digamma";
  let description = [{
    The `n`-th derivative of digamma at `x`; `n` is a whole number held as a float, NaN otherwise.
    `n`, `x` and `result`: the same shape and float type.

    ```mlir
    %r = chlo.polygamma %n, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_ZetaOp : CHLO_FloatFunction2<"zeta", "x", "q"> {
  let summary = "Hurwitz zeta function";
  let description = [{
    The sum over `k` from 0 of `(q + k)` to the power `-x`.
    `x`, `q` and `result`: the same shape and float type.

    ```mlir
    %r = chlo.zeta %x, %q : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    ```
  }];
}

def CHLO_MulhiOp : CHLO_Op<"mulhi", [Commutative, Pure, Elementwise, SameOperandsAndResultShape,
                                     SameOperandsAndResultElementType]> {
  let summary = "high half of an integer product";
  let description = [{
    The upper N bits of the exact 2N-bit product of N-bit integers, signed or unsigned as the type
    is.
    `lhs`, `rhs` and `result`: the same shape and integer type.

    ```mlir
    %h = chlo.mulhi %a, %b : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
    ```
  }];
  let arguments = (ins StableHLO_IntTensor:$lhs, StableHLO_IntTensor:$rhs);
  let results = (outs StableHLO_IntTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
}

#endif // FORGE_DIALECT_STABLEHLO_CHLOMATHOPS_TD

// Elementwise ops whose operands are broadcast to a common shape first.
#ifndef FORGE_DIALECT_STABLEHLO_CHLOBROADCASTOPS_TD
#define FORGE_DIALECT_STABLEHLO_CHLOBROADCASTOPS_TD

include "forge/Dialect/StableHLO/IR/ChloBase.td"

// The StableHLO op of the same name after both operands were brought to one shape. Without
// broadcast_dimensions the shorter shape is padded with ones in front, as in NumPy; with it,
// dimension i of the operand of lower rank becomes dimension broadcast_dimensions[i] of the result.
class CHLO_BroadcastOp<string mnemonic, string what, string formula, list<Trait> traits = [],
                       Type operandType = StableHLO_Tensor, Type resultType = StableHLO_Tensor>
    : CHLO_Op<mnemonic, traits # [Pure]> {
  let summary = what # ", of operands that are broadcast";
  let description = "`" # formula # [{`, element by element, after `lhs` and
    `rhs` were broadcast to one shape. Without `broadcast_dimensions` the shorter shape gets ones in front; with them, dimension
    `i` of the operand of lower rank is dimension `broadcast_dimensions[i]` of the result.
    Dimensions of size 1 stretch.

    (C1) `broadcast_dimensions` has one entry per dimension of the operand of lower rank, in
    increasing order, within the rank of the other.
    (C2) Sizes that meet are equal, or one of them is 1; the result has the larger.

    ```mlir
    %r = chlo.}] # mnemonic # [{ %a, %b : (tensor<4x1xi32>, tensor<3xi32>) -> tensor<4x3xi32>
    ```
  }];
  let arguments = (ins operandType:$lhs, operandType:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let results = (outs resultType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}

class CHLO_BroadcastArithmeticOp<string mnemonic, string what, string formula,
                                 list<Trait> traits = []>
    : CHLO_BroadcastOp<mnemonic, what, formula, traits # [SameOperandsAndResultElementType]>;

def CHLO_BroadcastAddOp :
  CHLO_BroadcastArithmeticOp<"broadcast_add", "sum", "lhs + rhs", [Commutative]>;
def CHLO_BroadcastAtan2Op :
  CHLO_BroadcastArithmeticOp<"broadcast_atan2", "angle of a point", "atan2(lhs, rhs)">;
def CHLO_BroadcastDivOp : CHLO_BroadcastArithmeticOp<"broadcast_divide", "quotient", "lhs / rhs">;
def CHLO_BroadcastMaxOp :
  CHLO_BroadcastArithmeticOp<"broadcast_maximum", "maximum", "max(lhs, rhs)", [Commutative]>;
def CHLO_BroadcastMinOp :
  CHLO_BroadcastArithmeticOp<"broadcast_minimum", "minimum", "min(lhs, rhs)", [Commutative]>;
def CHLO_BroadcastMulOp :
  CHLO_BroadcastArithmeticOp<"broadcast_multiply", "product", "lhs * rhs", [Commutative]>;
def CHLO_BroadcastNextAfterOp :
  CHLO_BroadcastArithmeticOp<"broadcast_next_after", "next representable number",
                             "next_after(lhs, rhs)">;
def CHLO_BroadcastPolygammaOp :
  CHLO_BroadcastArithmeticOp<"broadcast_polygamma", "derivatives of digamma",
                             "polygamma(lhs, rhs)">;
def CHLO_BroadcastPowOp :
  CHLO_BroadcastArithmeticOp<"broadcast_power", "power", "lhs to the power rhs">;
def CHLO_BroadcastRemOp :
  CHLO_BroadcastArithmeticOp<"broadcast_remainder", "remainder",
                             "lhs modulo rhs, with the sign of lhs">;
def CHLO_BroadcastShiftLeftOp :
  CHLO_BroadcastArithmeticOp<"broadcast_shift_left", "left shift", "lhs << rhs">;
def CHLO_BroadcastShiftRightArithmeticOp :
  CHLO_BroadcastArithmeticOp<"broadcast_shift_right_arithmetic", "arithmetic right shift",
                             "lhs >> rhs">;
def CHLO_BroadcastShiftRightLogicalOp :
  CHLO_BroadcastArithmeticOp<"broadcast_shift_right_logical", "logical right shift", "lhs >>> rhs">;
def CHLO_BroadcastSubOp :
  CHLO_BroadcastArithmeticOp<"broadcast_subtract", "difference", "lhs - rhs">;
def CHLO_BroadcastZetaOp :
  CHLO_BroadcastArithmeticOp<"broadcast_zeta", "Hurwitz zeta function", "zeta(lhs, rhs)">;
def CHLO_BroadcastAndOp :
  CHLO_BroadcastArithmeticOp<"broadcast_and", "bitwise and", "lhs and rhs", [Commutative]>;
def CHLO_BroadcastOrOp :
  CHLO_BroadcastArithmeticOp<"broadcast_or", "bitwise or", "lhs or rhs", [Commutative]>;
def CHLO_BroadcastXorOp :
  CHLO_BroadcastArithmeticOp<"broadcast_xor", "bitwise exclusive or", "lhs xor rhs", [Commutative]>;

def CHLO_BroadcastCompareOp
    : CHLO_BroadcastOp<"broadcast_compare", "comparison", "lhs compared with rhs",
                       [SameOperandsElementType], StableHLO_Tensor, StableHLO_PredTensor> {
  let arguments = (ins StableHLO_Tensor:$lhs, StableHLO_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
    CHLO_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<CHLO_ComparisonTypeAttr>:$compare_type);
}

def CHLO_BroadcastSelectOp : CHLO_Op<"broadcast_select", [Pure]> {
  let summary = "selection, of operands that are broadcast";
  let description = [{
    `on_true` where `pred` holds, else `on_false`, after all three were broadcast to one shape as in
    NumPy. `pred`: i1; the others and the result: one element type.

    (C1) Sizes that meet are equal, or one of them is 1; the result has the larger.
    (C2) `on_true`, `on_false` and the result have one element type.

    ```mlir
    %r = chlo.broadcast_select %p, %a, %b
      : (tensor<3xi1>, tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins StableHLO_PredTensor:$pred, StableHLO_Tensor:$on_true,
    StableHLO_Tensor:$on_false);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:`
    `(` type($pred) `,` type($on_true) `,` type($on_false) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_CHLOBROADCASTOPS_TD

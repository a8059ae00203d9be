// Complex numbers from their parts, and back.
#ifndef FORGE_STABLEHLO_COMPLEXOPS_TD
#define FORGE_STABLEHLO_COMPLEXOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

// Other operations take and give tensors of complex numbers as StableHLO says; the first pass of
// the lowering, forge-split-complex, leaves none.
def StableHLO_ComplexOp : StableHLO_Op<"complex", [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = "complex numbers from their real and imaginary parts";
  let description = [{
    `result[i] = lhs[i] + i rhs[i]`.

    - `lhs`, `rhs`: parts, f32 or f64, `[D0, ..., Dn]`
    - `result`: complex numbers of that type, `[D0, ..., Dn]`

    Constraints:
    - (C1) `lhs` and `rhs` have one type, whose elements are the parts of those of `result`.

    Example:
    ```mlir
    %z = stablehlo.complex %re, %im : tensor<4xcomplex<f32>>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$lhs, StableHLO_FloatTensor:$rhs);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` custom<ComplexTypes>(type($lhs), type($rhs), type($result))
  }];
  let hasVerifier = 1;
}

class StableHLO_PartOp<string mnemonic, string part>
    : StableHLO_Op<mnemonic, [Pure, StableHLO_SameShapes, Elementwise]> {
  let summary = part # " part of each element";
  let description = "`result[i]` is the " # part # [{ part of `operand[i]`; of a real tensor, whose
    imaginary part is 0, too.

    - `operand`: complex numbers or floats, `[D0, ..., Dn]`
    - `result`: floats of the type of the parts, `[D0, ..., Dn]`

    Constraints:
    - (C1) The elements of `result` are of the type of the parts of `operand`.

    Example:
    ```mlir
    %result = stablehlo.}] # mnemonic # [{ %z : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$operand);
  let results = (outs StableHLO_FloatTensor:$result);
  let assemblyFormat =
    "$operand attr-dict `:` custom<SameTypeOrFunctional>(type($operand), type($result))";
  let hasVerifier = 1;
}
def StableHLO_RealOp : StableHLO_PartOp<"real", "real">;
def StableHLO_ImagOp : StableHLO_PartOp<"imag", "imaginary">;

#endif

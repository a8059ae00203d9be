// chlo.ragged_dot: products of groups of rows, as in mixtures of experts.
#ifndef FORGE_DIALECT_STABLEHLO_CHLORAGGEDDOTOP_TD
#define FORGE_DIALECT_STABLEHLO_CHLORAGGEDDOTOP_TD

include "forge/Dialect/StableHLO/IR/ChloBase.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"

def CHLO_PrecisionAttr : EnumAttr<CHLO_Dialect, StableHLO_Precision, "precision"> {
  let constBuilderCall = "::forge::chlo::PrecisionAttr::get($_builder.getContext(), $0)";
}

def CHLO_RaggedDotDimensionNumbers : AttrDef<CHLO_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "which dimensions of a ragged product are what";
  let description = [{
    Those of `#stablehlo.dot`, the ragged dimension of lhs, and the dimension of rhs that counts groups. Fields are in any order, empty
    ones are left out.

    ```mlir
    #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
                     lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
    ```
  }];
  let parameters = (ins
    StableHLO_Dims:$lhs_batching_dimensions,
    StableHLO_Dims:$rhs_batching_dimensions,
    StableHLO_Dims:$lhs_contracting_dimensions,
    StableHLO_Dims:$rhs_contracting_dimensions,
    StableHLO_Dims:$lhs_ragged_dimensions,
    StableHLO_Dims:$rhs_group_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def CHLO_RaggedDotOp : CHLO_Op<"ragged_dot", [Pure]> {
  let summary = "products of groups along a dimension";
  let description = [{
    `group_sizes` divides the ragged dimension of `lhs` into g groups, one after the other from its start; what is behind the last group is in none.
    By what the ragged dimension is to dot_general:

    - a free one (m): row i is multiplied with the matrix of `rhs` of its group; a row of no group gives zeros.
      lhs `[b..., m..., k...]`, rhs `[b..., g, k..., n...]`, result `[b..., m..., n...]`
    - a contracting one (k): each group is summed by itself.
      lhs `[b..., m..., k...]`, rhs `[b..., k..., n...]`, result `[g, b..., m..., n...]`
    - a batching one (b): dot_general of the two; `group_sizes` says nothing.

    - `group_sizes`: `[g]` integers, or `[p..., g]` with groups of its own for each index into the dimensions p of lhs: the batching ones, and
      those of its kind in front of the ragged one (of a batching one: the batching ones in front of it).

    Where the ragged dimension is free, products with the other groups' matrices are taken with zeros, as in frameworks' decompositions: an
    infinity in one matrix makes NaN of rows of other groups.

    Constraints:
    - (C1) those of dot_general on batching and contracting dimensions.
    - (C2) `lhs_ragged_dimensions` has one dimension of lhs.
    - (C3) `rhs_group_dimensions` has one free dimension of rhs where the ragged one is free, of size g, and none elsewhere.
    - (C4) `group_sizes` has integers and one of these shapes.
    - (C5) the result has the shape above; element types are of one kind.
    - (C6) all shapes are static.

    ```mlir
    %r = "chlo.ragged_dot"(%x, %w, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
        lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
        lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
        : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$lhs,
    StableHLO_Tensor:$rhs,
    StableHLO_IntTensor:$group_sizes,
    CHLO_RaggedDotDimensionNumbers:$ragged_dot_dimension_numbers,
    OptionalAttr<TypedArrayAttrBase<CHLO_PrecisionAttr, "one precision per operand">>:$precision_config);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// What the ragged dimension of lhs is to dot_general.
    enum class Kind { Free, Contracting, Batching };
    Kind getKind();
    /// The only ragged dimension of lhs, and the partner of a contracting or batching one in rhs.
    int64_t getLhsRaggedDimension() {
      return getRaggedDotDimensionNumbers().getLhsRaggedDimensions().front();
    }
    int64_t getRhsRaggedDimension();
    /// The dimensions of lhs, and for a contracting one of rhs, with whose index the groups may change.
    ::llvm::SmallVector<int64_t> getLhsPrefix();
    ::llvm::SmallVector<int64_t> getRhsPrefix();
  }];
}

#endif // FORGE_DIALECT_STABLEHLO_CHLORAGGEDDOTOP_TD

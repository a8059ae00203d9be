// Reading and writing at computed positions: gather, dynamic_gather, scatter.
#ifndef FORGE_DIALECT_STABLEHLO_INDEXINGOPS_TD
#define FORGE_DIALECT_STABLEHLO_INDEXINGOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"

def StableHLO_GatherOp : StableHLO_Op<"gather", [Pure]> {
  let summary = "slices read at computed positions";
  let description = [{
    Reads slices of `operand`. `start_indices` holds index vectors along `index_vector_dim` (single
    indices, where that is its rank); component `i` is a start along dimension `start_index_map[i]`,
    clamped so that the slice stays inside. The result has the slice along `offset_dims`, without
    the `collapsed_slice_dims`, and the place of the index vector along its other dimensions.
    `operand_batching_dims` go with `start_indices_batching_dims`: there, a slice is read where its
    index vector stands.

    - `operand`: elements, any shape
    - `start_indices`: integers, any shape
    - `result`: places of index vectors and slices, as above

    Constraints:
    - (C1) `offset_dims`, `collapsed_slice_dims` and `operand_batching_dims` are as many as the rank
      of `operand`. (C2) `index_vector_dim` is a dimension of `start_indices`, or its rank.
    - (C3) an index vector has one component per entry of `start_index_map`.
    - (C4), (C5) `offset_dims` are dimensions of the result, sorted, each once.
    - (C6) collapsed and batching dimensions are distinct; (C7), (C8), (C10), (C11) both are sorted
      and dimensions of `operand`. (C9), (C12) slices have size 0 or 1 there.
    - (C13), (C14) `start_indices_batching_dims` are dimensions of `start_indices`, each once, (C15)
      without `index_vector_dim`, (C16), (C17) as many as, and of the sizes of,
      `operand_batching_dims`.
    - (C18), (C19) `start_index_map` are dimensions of `operand`, each once, without batching ones.
    - (C20), (C21) `slice_sizes` has one entry per dimension of `operand`, from 0 to its size.
    - (C22) `result` has the shape above, (C23) and the element type of `operand`.

    Example, rows of a table:
    ```mlir
    %r = "stablehlo.gather"(%table, %ids) {
      dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                            start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 8>
    } : (tensor<100x8xf32>, tensor<4x1xi32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$operand,
    StableHLO_IntTensor:$start_indices,
    StableHLO_GatherDimensionNumbers:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_DynamicGatherOp : StableHLO_Op<"dynamic_gather", [Pure]> {
  let summary = "gather whose slice sizes are an operand";
  let description = [{
    gather with the slice sizes as a value.

    - `operand`, `start_indices`, `result`: as for gather
    - `slice_sizes`: `[rank of operand]`, integers

    Constraints: (C1) to (C14) say of this op what gather's say, as far as sizes are known; the rest
    is checked at run time.

    Example:
    ```mlir
    %r = "stablehlo.dynamic_gather"(%table, %ids, %sizes) {
      dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
                                            start_index_map = [0], index_vector_dim = 1>
    } : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$operand,
    StableHLO_IntTensor:$start_indices,
    StableHLO_IntTensor:$slice_sizes,
    StableHLO_GatherDimensionNumbers:$dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_ScatterOp : StableHLO_Op<"scatter", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "update windows combined into tensors at computed positions";
  let description = [{
    The inputs, with windows of `updates` combined into them. `scatter_indices` holds index vectors
    as gather's start indices; a window starts where its vector says and is along
    `update_window_dims` of the updates, `inserted_window_dims` being the input's dimensions that it
    has not. The elements of a window are combined: `update_computation` gets what the results hold
    there and then the updates. A window that is not inside in whole is skipped in whole, as XLA
    does and frameworks mean; the specification skips the elements that are outside alone. Forge
    goes through the updates in order.

    - `inputs`: N tensors, `[D0, ..., Dn]`
    - `scatter_indices`: integers, any shape
    - `updates`: N tensors, places of index vectors and windows
    - `results`: N tensors, the shapes of the inputs

    Constraints:
    - (C1) inputs have one shape. (C2) `update_window_dims`, `inserted_window_dims` and
      `input_batching_dims` are as many as its rank. (C3) updates have one shape, (C4) that of the
      places and of windows no larger than the input.
    - (C5) as many inputs as updates, one at least. (C6) an update has its input's element type.
    - (C7), (C8) `update_window_dims` are dimensions of the updates, sorted, each once.
    - (C9) inserted and batching dimensions are distinct, (C10) to (C13) sorted and the input's.
    - (C14), (C15) `scatter_indices_batching_dims` are dimensions of the indices, each once, (C16)
      without `index_vector_dim`, (C17), (C18) as many as, and of the sizes of,
      `input_batching_dims`.
    - (C19) an index vector has one component per entry of `scatter_dims_to_operand_dims`, (C20),
      (C21) which are dimensions of the input, each once, without batching ones.
    - (C22) `index_vector_dim` is a dimension of the indices, or their rank.
    - (C23) `update_computation` accumulates, as for reduce.
    - (C24) results have the shapes of the inputs, (C25) and the element types of the computation.

    Example, rows added to a table:
    ```mlir
    %r = "stablehlo.scatter"(%table, %ids, %rows) ({
    ^bb0(%old: tensor<f32>, %update: tensor<f32>):
      %sum = stablehlo.add %old, %update : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<100x8xf32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    StableHLO_IntTensor:$scatter_indices,
    Variadic<StableHLO_Tensor>:$updates,
    StableHLO_ScatterDimensionNumbers:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let regions = (region SizedRegion<1>:$update_computation);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_INDEXINGOPS_TD

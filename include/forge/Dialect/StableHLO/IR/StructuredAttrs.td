// Attributes of the structured ops: which dimension plays which part in a product, a convolution, a
// gather or a scatter, and what a custom call says about its operands.
#ifndef FORGE_DIALECT_STABLEHLO_STRUCTUREDATTRS_TD
#define FORGE_DIALECT_STABLEHLO_STRUCTUREDATTRS_TD

include "forge/Dialect/StableHLO/IR/StableHLOAttrs.td"

// A list of dimensions, written `[0, 2]`; left out when empty.
def StableHLO_Dims : OptionalArrayRefParameter<"int64_t", "dimensions"> {
  let parser = "::forge::stablehlo::parseDims($_parser)";
  let printer = "::forge::stablehlo::printDims($_printer, $_self)";
}

// The same list where it must be written even if it is empty.
def StableHLO_RequiredDims : ArrayRefParameter<"int64_t", "dimensions"> {
  let parser = "::forge::stablehlo::parseDims($_parser)";
  let printer = "::forge::stablehlo::printDims($_printer, $_self)";
}

class StableHLO_StructuredAttr<string name, string attrMnemonic>
    : AttrDef<StableHLO_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def StableHLO_DotDimensionNumbers : StableHLO_StructuredAttr<"DotDimensionNumbers", "dot"> {
  let summary = "batching and contracting dimensions of a product";
  let description = [{
    Dimension `lhs_batching_dimensions[i]` goes with `rhs_batching_dimensions[i]` and appears in the
    result; `lhs_contracting_dimensions[i]` goes with `rhs_contracting_dimensions[i]` and is summed
    over. Fields are in any order, empty ones are left out, a comma may follow the last.

    ```mlir
    #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
                   lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>
    ```
  }];
  let parameters = (ins
    StableHLO_Dims:$lhs_batching_dimensions,
    StableHLO_Dims:$rhs_batching_dimensions,
    StableHLO_Dims:$lhs_contracting_dimensions,
    StableHLO_Dims:$rhs_contracting_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_DotAlgorithm : StableHLO_StructuredAttr<"DotAlgorithm", "dot_algorithm"> {
  let summary = "how a product may be computed";
  let description = [{
    Names the types to which the operands are rounded, the type of the accumulator, into how many
    components each operand is split, and how many primitive products are taken. A request: Forge
    computes at least as precisely. It is one that some hardware has: one component, and

    | operands | accumulator | products |
    |---|---|---|
    | 8-bit floats, of any two formats | `f32`, imprecise or not | 1 |
    | `f16` | `f16`, `f32` | 1 |
    | `bf16` | `bf16` | 1 |
    | `bf16` | `f32` | 1, 3, 6, 9 |
    | `tf32` | `f32` | 1, 3 |
    | `f32` | `f32` | 1 |
    | `f64` | `f64` | 1 |

    ```mlir
    #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16,
      accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
      num_primitive_operations = 1, allow_imprecise_accumulation = false>
    ```
  }];
  let parameters = (ins
    "::mlir::Type":$lhs_precision_type,
    "::mlir::Type":$rhs_precision_type,
    "::mlir::Type":$accumulation_type,
    "int64_t":$lhs_component_count,
    "int64_t":$rhs_component_count,
    "int64_t":$num_primitive_operations,
    "bool":$allow_imprecise_accumulation);
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_ConvDimensionNumbers : StableHLO_StructuredAttr<"ConvDimensionNumbers", "conv"> {
  let summary = "which dimension of input, kernel and output is batch, feature or spatial";
  let description = [{
    Three lists, one letter or number per dimension: `b` batch, `f` feature, `i` and `o` the
    kernel's input and output feature, numbers the spatial dimensions in their order.

    ```mlir
    #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>
    ```

    Numbers that fit no such list (which a verifier rejects later) are written field by field:
    `#stablehlo.conv<raw input_batch_dimension = 0, ...>`.
  }];
  let parameters = (ins
    "int64_t":$input_batch_dimension,
    "int64_t":$input_feature_dimension,
    StableHLO_Dims:$input_spatial_dimensions,
    "int64_t":$kernel_input_feature_dimension,
    "int64_t":$kernel_output_feature_dimension,
    StableHLO_Dims:$kernel_spatial_dimensions,
    "int64_t":$output_batch_dimension,
    "int64_t":$output_feature_dimension,
    StableHLO_Dims:$output_spatial_dimensions);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_GatherDimensionNumbers
    : StableHLO_StructuredAttr<"GatherDimensionNumbers", "gather"> {
  let summary = "how gather reads its start indices and lays out its slices";
  let description = [{
    ```mlir
    #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0],
                      index_vector_dim = 1>
    ```
  }];
  let parameters = (ins
    StableHLO_Dims:$offset_dims,
    StableHLO_Dims:$collapsed_slice_dims,
    StableHLO_Dims:$operand_batching_dims,
    StableHLO_Dims:$start_indices_batching_dims,
    StableHLO_Dims:$start_index_map,
    DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_ScatterDimensionNumbers
    : StableHLO_StructuredAttr<"ScatterDimensionNumbers", "scatter"> {
  let summary = "how scatter reads its indices and where the update windows go";
  let description = [{
    ```mlir
    #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
                       scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
    ```
  }];
  let parameters = (ins
    StableHLO_Dims:$update_window_dims,
    StableHLO_Dims:$inserted_window_dims,
    StableHLO_Dims:$input_batching_dims,
    StableHLO_Dims:$scatter_indices_batching_dims,
    StableHLO_Dims:$scatter_dims_to_operand_dims,
    DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
  let hasCustomAssemblyFormat = 1;
}

def StableHLO_OutputOperandAlias
    : StableHLO_StructuredAttr<"OutputOperandAlias", "output_operand_alias"> {
  let summary = "a result of a custom call that shares the memory of an operand";
  let description = [{
    ```mlir
    #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,
                                    operand_tuple_indices = []>
    ```
  }];
  let parameters = (ins
    StableHLO_RequiredDims:$output_tuple_indices,
    "int64_t":$operand_index,
    StableHLO_RequiredDims:$operand_tuple_indices);
  let assemblyFormat = "`<` struct(params) `>`";
}

def StableHLO_ChannelHandle : StableHLO_StructuredAttr<"ChannelHandle", "channel_handle"> {
  let summary = "number and kind of a communication channel";
  let description = [{
    Kept on ops that carry it; Forge itself opens no channels.

    ```mlir
    #stablehlo.channel_handle<handle = 1, type = 0>
    ```
  }];
  let parameters = (ins "int64_t":$handle, "int64_t":$type);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // FORGE_DIALECT_STABLEHLO_STRUCTUREDATTRS_TD

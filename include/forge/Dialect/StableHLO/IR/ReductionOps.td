// Ops that apply a region along dimensions: reduce, reduce_window, select_and_scatter, sort, map.
#ifndef FORGE_DIALECT_STABLEHLO_REDUCTIONOPS_TD
#define FORGE_DIALECT_STABLEHLO_REDUCTIONOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"

def StableHLO_ReduceOp : StableHLO_Op<"reduce", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "folds dimensions away with a region";
  let description = [{
    Folds the elements along `dimensions`, starting from the initial values, with `body`, which gets
    what was accumulated for each operand and then an element of each. The order is free, and the
    initial values may take part any number of times.

    - `inputs`: N tensors, `[D0, ..., Dn]`
    - `init_values`: N scalars
    - `results`: N tensors, the sizes that are not in `dimensions`

    Constraints:
    - (C1) inputs have one shape. (C2) an initial value has its input's element type.
    - (C3) as many inputs as initial values and results, one at least.
    - (C4) `dimensions` are dimensions of the inputs, (C5) each once.
    - (C6) `body` takes `E0, ..., E0, ...` and returns `E0, ...`, where each input is promotable to
      its E.
    - (C7) results have the shape above, (C8) and the element types E.

    Example, with a body of one commutative op, and with any other:
    ```mlir
    %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
        : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %m:2 = stablehlo.reduce(%x init: %low), (%i init: %none) across dimensions = [0]
        : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
        reducer(%a: tensor<f32>, %b: tensor<f32>) (%ai: tensor<i32>, %bi: tensor<i32>) {
          %c = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          %v = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
          %j = stablehlo.select %c, %ai, %bi : tensor<i1>, tensor<i32>
          stablehlo.return %v, %j : tensor<f32>, tensor<i32>
        }
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    Variadic<StableHLO_Tensor>:$init_values,
    DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_ReduceWindowOp : StableHLO_Op<"reduce_window", [
    RecursiveMemoryEffects, SameVariadicOperandSize,
    SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "folds sliding windows with a region";
  let description = [{
    Folds each window with `body`, as reduce does. Inputs are laid out at distances `base_dilations`
    and padded with the initial values first (a negative padding cuts off); window `r` begins at `r
    * window_strides`, and its elements are `window_dilations` apart.

    - `inputs`: N tensors, `[D0, ..., Dn]`
    - `init_values`: N scalars
    - `results`: N tensors, the number of windows along each dimension

    Constraints:
    - (C1) as many inputs as initial values and results, one at least. (C2) inputs have one shape.
    - (C3) an initial value has its input's element type.
    - (C4), (C6), (C8), (C10) where given, the lists have one entry per dimension; (C5), (C7), (C9),
      (C11) the numbers are positive. (C12) `padding` has the shape `[rank, 2]`.
    - (C13) `body` accumulates, as for reduce.
    - (C14), (C15) results have the shape above, (C16) and the element types of `body`.

    Example:
    ```mlir
    %r = "stablehlo.reduce_window"(%x, %low) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}
      : (tensor<8x8xf32>, tensor<f32>) -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    Variadic<StableHLO_Tensor>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "sends each source element to the window element that a region selects";
  let description = [{
    The gradient of pooling. For each element of `source`, `select` is asked, element by element of
    its window of `operand`, whether the one selected so far stays; the source's element is then
    combined, by `scatter`, into the result at the place of the selected one. The result starts as
    `init_value`. Only elements inside `operand` are looked at; a window without any is skipped.

    - `operand`: `[D0, ..., Dn]`
    - `source`: the number of windows along each dimension
    - `init_value`: a scalar
    - `result`: the shape of `operand`

    Constraints:
    - (C1) `source` has the element type of `operand`. (C2) its shape is as above.
    - (C3) `init_value` is a scalar of that type.
    - (C4), (C6) `window_dimensions` and, where given, `window_strides` have one entry per
      dimension, (C5), (C7) positive. (C8) `padding` has the shape `[rank, 2]`.
    - (C9) `select` takes `E, E` and returns i1, with E the element type of `operand`.
    - (C10) `scatter` accumulates, as for reduce.
    - (C11) `result` has the shape of `operand`, (C12) and the element type of `scatter`.

    Example:
    ```mlir
    %r = "stablehlo.select_and_scatter"(%x, %grad, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %ge = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %ge : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}
      : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$operand,
    StableHLO_Tensor:$source,
    StableHLO_Tensor:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_SortOp : StableHLO_Op<"sort", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "sorts along one dimension by a comparator";
  let description = [{
    Sorts the lines along `dimension` of all inputs together: `comparator` gets an element of two
    places for each input in turn and tells whether the first place comes before the second. A
    negative `dimension` counts from the end. Forge's order is stable whether `is_stable` asks for
    it or not.

    - `inputs`: N tensors, `[D0, ..., Dn]`
    - `results`: the same types

    Constraints:
    - (C1) one input at least. (C2) results have the types of the inputs. (C3) all have one shape.
    - (C4) `-rank <= dimension < rank`.
    - (C5) `comparator` takes `E0, E0, E1, E1, ...` and returns i1.

    Example:
    ```mlir
    %r:2 = "stablehlo.sort"(%keys, %values) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %av: tensor<i32>, %bv: tensor<i32>):
      %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true}
      : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_MapOp : StableHLO_Op<"map", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "applies a scalar region element by element";
  let description = [{
    `result[i] = computation(inputs[i]...)`.

    - `inputs`: N tensors, `[D0, ..., Dn]`
    - `result`: the same shape

    Constraints:
    - (C1) inputs and result have one shape. (C2) one input at least.
    - (C3) `dimensions` are all dimensions in order.
    - (C4) `computation` takes the inputs' element types and returns the result's.

    Example:
    ```mlir
    %r = "stablehlo.map"(%x, %y) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %p = stablehlo.multiply %a, %b : tensor<i32>
      stablehlo.return %p : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$inputs,
    DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_REDUCTIONOPS_TD

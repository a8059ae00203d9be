// Communication between the devices that run one module, and which of them a device is.
#ifndef FORGE_DIALECT_STABLEHLO_COLLECTIVEOPS_TD
#define FORGE_DIALECT_STABLEHLO_COLLECTIVEOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "forge/Dialect/StableHLO/IR/StructuredAttrs.td"

// `replica_groups` has a group of devices per row. Rows may end with -1, for groups of different
// sizes; no group at all is one of all devices.

def StableHLO_AllGatherOp : StableHLO_Op<"all_gather", [Pure]> {
  let summary = "concatenates the operands of a group's devices";
  let description = [{
    Each result is the concatenation, along `all_gather_dim`, of the operand on each device of the group.

    - `operands`, `results`: as many tensors each, `[D0, ..., Dn]`
    - `replica_groups`: `[groups, devices of a group]`

    Constraints:
    - (C1) `all_gather_dim` is a dimension of the operands.
    - (C2), (C4) `replica_groups` has each device once, counted from 0.
    - (C5) with `use_global_device_ids`, `channel_handle` has a positive number.
    - (C6) results have the types of the operands, but `all_gather_dim` is as many times larger as a group has devices.

    Example:
    ```mlir
    %r = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}>
        : (tensor<2x3xf32>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$operands,
    I64Attr:$all_gather_dim,
    I64ElementsAttr:$replica_groups,
    OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
}

def StableHLO_AllReduceOp : StableHLO_Op<"all_reduce", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "folds the operands of a group's devices with a region";
  let description = [{
    Each result folds, element by element, the operand on each device of the group with `computation`, as reduce does.

    - `operands`, `results`: as many tensors each, of the same shapes
    - `replica_groups`: `[groups, devices of a group]`

    Constraints:
    - (C1), (C3) `replica_groups` has each device once, counted from 0.
    - (C4) with `use_global_device_ids`, `channel_handle` has a positive number.
    - (C5) `computation` takes `E, E` and returns E, which each operand is promotable to.
    - (C6) results have the shapes of the operands, (C7) and the element type E.

    Example:
    ```mlir
    %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$operands,
    I64ElementsAttr:$replica_groups,
    OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_AllToAllOp : StableHLO_Op<"all_to_all", [Pure]> {
  let summary = "every device of a group sends a part of its operands to every other";
  let description = [{
    Each operand is split along `split_dimension` into `split_count` parts; device i of the group gets part i of each
    device, and its result is their concatenation along `concat_dimension`.

    - `operands`, `results`: as many tensors each
    - `replica_groups`: `[groups, split_count]`

    Constraints:
    - (C1), (C3) both are dimensions of the operands.
    - (C2) `split_count` divides the size of `split_dimension`. (C4) It is positive.
    - (C5), (C7) `replica_groups` has each device once, counted from 0, (C8) and groups of `split_count` devices.
    - (C9) results have the types of the operands, with that size divided, and that of `concat_dimension` multiplied, by `split_count`.

    Example:
    ```mlir
    %r = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
        replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$operands,
    I64Attr:$split_dimension,
    I64Attr:$concat_dimension,
    I64Attr:$split_count,
    I64ElementsAttr:$replica_groups,
    OptionalAttr<StableHLO_ChannelHandle>:$channel_handle);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
}

def StableHLO_CollectiveBroadcastOp : StableHLO_Op<"collective_broadcast", [Pure]> {
  let summary = "the operands of a group's first device";
  let description = [{
    Each result is the operand on the first device of the group, and zero on a device that is in no group. With
    `has_dynamic_root` the last operand has no result: for each other operand it is the place, in the group, of the device
    whose operand is taken.

    - `operands`: tensors, and with `has_dynamic_root` one of type `[operands but the last]xi32`

    Constraints:
    - (C1), (C2) `replica_groups` has a device once at most, counted from 0.
    - (C3) results have the types of the operands.

    Example:
    ```mlir
    %r = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>}>
        : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$operands,
    I64ElementsAttr:$replica_groups,
    OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
    UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
}

def StableHLO_CollectiveReduceOp : StableHLO_Op<"collective_reduce", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "folds the operands of a group's devices on its first device";
  let description = [{
    On the first device of the group, each result is that of all_reduce; elsewhere it is unspecified. With
    `has_dynamic_root` the last operand has no result: for each other operand it is the place, in the group, of the device
    that has the result.

    - `operands`: tensors, and with `has_dynamic_root` one of type `[operands but the last]xi32`
    - `replica_groups`: `[groups, devices of a group]`

    Constraints: those of all_reduce.

    Example:
    ```mlir
    %r = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    ```
  }];
  let arguments = (ins
    Variadic<StableHLO_Tensor>:$operands,
    I64ElementsAttr:$replica_groups,
    OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids,
    UnitAttr:$has_dynamic_root);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def StableHLO_CollectivePermuteOp : StableHLO_Op<"collective_permute", [Pure]> {
  let summary = "devices send their operand to one other each";
  let description = [{
    The result is the operand on the device that is paired with this one, and zero on a device that is no target.

    - `source_target_pairs`: `[pairs, 2]`

    Constraints:
    - (C1) pairs have two devices. (C2) A device is source once at most, (C3) and target once at most; (C4) devices are
      counted from 0.
    - (C5) the result has the type of the operand.

    Example:
    ```mlir
    %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
        : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$operand,
    I64ElementsAttr:$source_target_pairs,
    OptionalAttr<StableHLO_ChannelHandle>:$channel_handle);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
}

def StableHLO_ReduceScatterOp : StableHLO_Op<"reduce_scatter", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "folds the operands of a group's devices, of which each keeps a part";
  let description = [{
    Folds as all_reduce does, and splits that along `scatter_dimension` into one part for each device of the group.

    - `operand`: `[D0, ..., Dn]`
    - `replica_groups`: `[groups, devices of a group]`

    Constraints:
    - (C1) the number of a group's devices divides the size of `scatter_dimension`, (C2) which is a dimension of the operand.
    - (C3), (C5) `replica_groups` has each device once, counted from 0.
    - (C6) with `use_global_device_ids`, `channel_handle` has a positive number.
    - (C7) `computation` takes `E, E` and returns E, which the operand is promotable to.
    - (C8) the result has the shape above, (C9) and the element type E.

    Example:
    ```mlir
    %r = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins
    StableHLO_Tensor:$operand,
    I64Attr:$scatter_dimension,
    I64ElementsAttr:$replica_groups,
    OptionalAttr<StableHLO_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs StableHLO_Tensor:$result);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

// The result of an async operation. The reader of artifacts makes it an OpaqueType (VhloTypes.cpp), which has no text form that MLIR parses.
def StableHLO_Future : Type<CPred<"::forge::stablehlo::isFuture($_self)">, "future">;

def StableHLO_AsyncStartOp : StableHLO_Op<"async_start", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "starts an operation between devices, and does not wait for it";
  let description = [{
    Starts what `body` does with the operands. On one device it is done at once. Read from portable artifacts of version
    1.15.0 on.

    - `operands`: any number of tensors
    - `result`: `!stablehlo.future<types...>`, the results to come

    Constraints:
    - (C1) `body` takes the operands.
    - (C2) `result` has the types that `body` returns.

    Example:
    ```mlir
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<4xf32>):
      %r = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}>
          : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %r : tensor<4xf32>
    }) : (tensor<4xf32>) -> !stablehlo.future<tensor<4xf32>>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$operands);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs StableHLO_Future:$result);
  let hasRegionVerifier = 1;
}

def StableHLO_AsyncDoneOp : StableHLO_Op<"async_done", [Pure]> {
  let summary = "waits for what async_start started";
  let description = [{
    - `future`: of an async_start
    - `results`: what it was to give

    Constraints:
    - (C1) the types of `results` are those of `future`.

    Example:
    ```mlir
    %r = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_Future:$future);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
}

class StableHLO_DeviceNumberOp<string mnemonic, string what>
    : StableHLO_Op<mnemonic, [Pure]> {
  let summary = "the number of the " # what # " that this device runs";
  let description = [{
    Counted from 0.

    Constraints:
    - (C1) the result is a scalar of ui32.

    Example:
    ```mlir
    }] # "%n = stablehlo." # mnemonic # [{ : tensor<ui32>
    ```
  }];
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def StableHLO_PartitionIdOp : StableHLO_DeviceNumberOp<"partition_id", "partition">;
def StableHLO_ReplicaIdOp : StableHLO_DeviceNumberOp<"replica_id", "replica">;

#endif

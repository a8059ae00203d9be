// The sdy dialect (Shardy): how frameworks write down what is on which device.
#ifndef FORGE_DIALECT_STABLEHLO_SDYOPS_TD
#define FORGE_DIALECT_STABLEHLO_SDYOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::forge::sdy";
  let summary = "where frameworks place tensors";
  let description = [{
    Placement changes no number, and on one device there is nothing to place: import drops all of it
    (`normalizeFrameworkAttributes`). What computes per device, `manual_computation` along axes of
    several devices, is read and printed, and refused by import. Attributes are kept as their text.
    Absent: what Shardy's passes make, which frameworks do not write (`all_gather` and its like).
  }];
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef name) const override;

  private:
    void addBytecodeInterface();
  public:
  }];
}

def Sdy_PlacementAttr : AttrDef<Sdy_Dialect, "Placement"> {
  let attrName = "sdy.placement"; // never written: the dialect prints the text alone
  let summary = "any attribute of the dialect";
  let description = "The attribute's text without `#sdy.`: `sharding<@mesh, [{\"x\"}, {}]>`.";
  let parameters = (ins StringRefParameter<"as it is written">:$text);
}

class Sdy_Op<string mnemonic, list<Trait> traits = []> : Op<Sdy_Dialect, mnemonic, traits>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol]> {
  let summary = "names devices";
  let description = [{
    `mesh` has the axes of the devices with their sizes, or the number of a single device.

    ```mlir
    sdy.mesh @mesh = <["x"=1, "y"=1]>
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Sdy_PlacementAttr:$mesh);
  let assemblyFormat = "$sym_name `=` custom<Mesh>($mesh) attr-dict";
  let extraClassDeclaration = [{
    /// How many devices there are along `axis`, as it is spelled between quotes; nothing if the
    /// mesh has no such axis.
    std::optional<int64_t> getAxisSize(::llvm::StringRef axis);
  }];
}

/// The result is `input`; `sharding` says where it is.
class Sdy_PlacingOp<string mnemonic> : Sdy_Op<mnemonic, [Pure, AllTypesMatch<["input", "result"]>]> {
  let arguments = (ins AnyType:$input, Sdy_PlacementAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input custom<Sharding>($sharding) attr-dict `:` type($result)";
}

def Sdy_ShardingConstraintOp : Sdy_PlacingOp<"sharding_constraint"> {
  let summary = "asks for a placement";
  let description = [{
    The result is `input`.

    ```mlir
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {} ]> : tensor<8x8xf32>
    ```
  }];
}

def Sdy_ReshardOp : Sdy_PlacingOp<"reshard"> {
  let summary = "moves a value to another placement";
  let description = [{
    The result is `input`.

    ```mlir
    %1 = sdy.reshard %0 <@mesh, [{}, {"x"} ]> : tensor<8x8xf32>
    ```
  }];
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "asks for one placement of all values with a number";
  let description = [{
    ```mlir
    sdy.sharding_group %0 group_id=3 : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `` `=` `` $group_id attr-dict `:` type($input)";
}

def Sdy_PropagationBarrierOp : Sdy_Op<"propagation_barrier", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "keeps placement from spreading to the result or to the operand";
  let description = [{
    The result is `input`. Placement spreads in `allowed_direction` (`NONE`, `FORWARD` or `BACKWARD`) only.

    ```mlir
    %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins AnyType:$input, I32Attr:$allowed_direction);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $input `allowed_direction` `` `=` `` custom<Direction>($allowed_direction) attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def Sdy_ReturnOp : Sdy_Op<"return", [Pure, Terminator]> {
  let summary = "ends a region of the dialect";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
}

def Sdy_ManualComputationOp : Sdy_Op<"manual_computation", [
    RecursiveMemoryEffects, IsolatedFromAbove, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "computes on each device with its part of the values";
  let description = [{
    Each device along `manual_axes` runs `body` on its part of `tensors`, by `in_shardings`; the results are put together
    from the parts that the devices return, by `out_shardings`. Along axes of one device the part is the whole.

    ```mlir
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {} ]>] out_shardings=[<@mesh, [{"x"}, {} ]>]
        manual_axes={"x"} (%a: tensor<2x8xf32>) {
      %2 = stablehlo.tanh %a : tensor<2x8xf32>
      sdy.return %2 : tensor<2x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$tensors, Sdy_PlacementAttr:$in_shardings,
                       Sdy_PlacementAttr:$out_shardings, Sdy_PlacementAttr:$manual_axes);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $tensors `)` `in_shardings` `` `=` `` custom<ShardingPerValue>($in_shardings)
    `out_shardings` `` `=` `` custom<ShardingPerValue>($out_shardings)
    `manual_axes` `` `=` `` custom<ManualAxes>($manual_axes) custom<Body>($body)
    attr-dict `:` functional-type($tensors, $results)
  }];
  let extraClassDeclaration = [{
    /// The names of the manual axes, as they are spelled between quotes.
    ::llvm::SmallVector<::llvm::StringRef> getAxisNames();
  }];
  let hasRegionVerifier = 1;
}

def Sdy_NamedComputationOp : Sdy_Op<"named_computation", [
    RecursiveMemoryEffects, IsolatedFromAbove, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "a group of operations with a name";
  let description = [{
    ```mlir
    %1 = sdy.named_computation<"block">(%0) (%a: tensor<8x8xf32>) {
      sdy.return %a : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$operands,
                       OptionalAttr<Sdy_PlacementAttr>:$in_shardings,
                       OptionalAttr<Sdy_PlacementAttr>:$out_shardings);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `<` $name `>` `` `(` $operands `)`
    (`in_shardings` `` `=` `` custom<ShardingPerValue>($in_shardings)^)?
    (`out_shardings` `` `=` `` custom<ShardingPerValue>($out_shardings)^)?
    custom<Body>($body) attr-dict `:` functional-type($operands, $results)
  }];
  let hasRegionVerifier = 1;
}

#endif // FORGE_DIALECT_STABLEHLO_SDYOPS_TD

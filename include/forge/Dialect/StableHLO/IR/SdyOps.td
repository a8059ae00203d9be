// The sdy dialect (Shardy): how frameworks write down what is on which device.
#ifndef FORGE_DIALECT_STABLEHLO_SDYOPS_TD
#define FORGE_DIALECT_STABLEHLO_SDYOPS_TD

include "forge/Dialect/StableHLO/IR/StableHLOBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::forge::sdy";
  let summary = "where frameworks place tensors";
  let description = [{
    Placement changes no number, and on one device there is nothing to place: import drops all of it
    (`normalizeFrameworkAttributes`), and refuses a mesh of several devices. Attributes are kept as
    their text. Absent: `manual_computation` and what else computes per device.
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
    /// How many devices the mesh has; nothing if that is more than 63 bits tell.
    std::optional<int64_t> countDevices();
  }];
}

def Sdy_ShardingConstraintOp : Sdy_Op<"sharding_constraint", [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = "asks for a placement";
  let description = [{
    The result is `input`.

    ```mlir
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {} ]> : tensor<8x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_Tensor:$input, Sdy_PlacementAttr:$sharding);
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "$input custom<Sharding>($sharding) attr-dict `:` type($result)";
}

#endif // FORGE_DIALECT_STABLEHLO_SDYOPS_TD

// Names that operations of the tile dialect print.
#ifndef FORGE_DIALECT_TILE_ENUMS_TD
#define FORGE_DIALECT_TILE_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "forge/Dialect/Tile/IR/TileDialect.td"

class Tile_Enum<string name, string description, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::forge::tile";
}

def Tile_CopyEngine : Tile_Enum<"CopyEngine", "what moves a copy", [
    I32EnumAttrCase<"Tma", 0, "tma">,
    I32EnumAttrCase<"CpAsync", 1, "cp_async">]>;

def Tile_DotKind : Tile_Enum<"DotKind", "the instruction of a product", [
    I32EnumAttrCase<"Fma", 0, "fma">,
    I32EnumAttrCase<"Wgmma", 1, "wgmma">,
    I32EnumAttrCase<"Mma", 2, "mma">,
    I32EnumAttrCase<"Mfma", 3, "mfma">,
    I32EnumAttrCase<"Wmma", 4, "wmma">]>;

def Tile_ReduceKind : Tile_Enum<"ReduceKind", "what two elements are reduced by", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">]>;

#endif // FORGE_DIALECT_TILE_ENUMS_TD

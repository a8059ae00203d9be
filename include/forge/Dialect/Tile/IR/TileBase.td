// What every operation of the tile dialect starts from.
#ifndef FORGE_DIALECT_TILE_BASE_TD
#define FORGE_DIALECT_TILE_BASE_TD

include "forge/Dialect/Tile/IR/TileAttributes.td"
include "forge/Dialect/Tile/IR/TileEnums.td"
include "forge/Dialect/Tile/IR/TileTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

// Types that passes make are not verified where they are made.
def Tile_Tile : Type<And<[IsRankedTensorTypePred, HasStaticShapePred,
                          CPred<"::forge::tile::fitsItsLayout(::llvm::cast<::mlir::RankedTensorType>($_self))">]>,
                     "tile that its layout divides", "::mlir::RankedTensorType">;
def Tile_TileOrScalar : AnyTypeOf<[Tile_Tile, AnySignlessIntegerOrIndex, AnyFloat], "tile or scalar">;
def Tile_Memory : AnyTypeOf<[AnyMemRef, Tile_Shared], "global or shared memory">;

#endif // FORGE_DIALECT_TILE_BASE_TD

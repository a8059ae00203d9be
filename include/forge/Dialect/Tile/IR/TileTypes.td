// Types of the tile dialect.
#ifndef FORGE_DIALECT_TILE_TYPES_TD
#define FORGE_DIALECT_TILE_TYPES_TD

include "forge/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_Shared : Tile_Type<"Shared", "shared"> {
  let summary = "a buffer in shared memory";
  let description = [{
    `!tile.shared<128x64xbf16, sw128>`. The last dimension is contiguous. With `sw128` (64, 32) it is cut into panels
    of 128 (64, 32) bytes, one behind the other, and in each the 16-byte units are XORed with the row, as the tensor
    memory accelerator does: a column of units then touches all banks. With `pad 16` rows are 16 bytes further apart.

    Constraints: the shape is static and has one to five dimensions of one element or more; elements are whole bytes.
    With a swizzle there are two dimensions or more, a row is a multiple of the pattern's bytes, and there
    is a multiple of 8 rows. `pad` is a multiple of 4 bytes.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        DefaultValuedParameter<"int64_t", "0", "bytes of the pattern, or 0">:$swizzle,
                        DefaultValuedParameter<"int64_t", "0", "bytes between rows">:$pad);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return static_cast<int64_t>(getShape().size()); }
    int64_t getElementBytes() const;
    /// All of it, with what padding adds.
    int64_t getBytes() const;
  }];
}

def Tile_Ring : Tile_Type<"Ring", "ring"> {
  let summary = "a channel between roles: slots of shared buffers, used in turn";
  let description = [{
    `!tile.ring<4, !A, !B>`: four slots, each an `!A` and a `!B`, which are types `!tile.shared`.

    Constraints: 1 to 64 slots of at least one buffer.
  }];
  let parameters = (ins "int64_t":$slots, ArrayRefParameter<"::mlir::Type">:$buffers);
  let assemblyFormat = "`<` $slots `,` $buffers `>`";
  let genVerifyDecl = 1;
}

def Tile_Slot : Tile_Type<"Slot", "slot"> {
  let summary = "a full slot of a ring, held until it is dropped";
}

#endif // FORGE_DIALECT_TILE_TYPES_TD

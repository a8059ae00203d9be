// The layout of a register tile.
#ifndef FORGE_DIALECT_TILE_TILEATTRIBUTES_TD
#define FORGE_DIALECT_TILE_TILEATTRIBUTES_TD

include "forge/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/TensorEncoding.td"

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout", [
    DeclareAttrInterfaceMethods<VerifiableTensorEncoding>, OpAsmAttrInterface]> {
  let mnemonic = "layout";
  let summary = "which thread of a block holds which elements of a register tile";
  let description = [{
    `#tile.layout<reg = [y1, x8], lane = [y2, y4, x1, x2, x4], warp = [x16, x32]>` is the layout of a wgmma accumulator. It is
    the encoding of a tile's type: `tensor<64x256xf32, #layout>`.

    An entry says what one bit of the register number, of the lane number or of the warp number adds to the coordinates of
    an element: a dimension, `x`, `y`, `z` or `w` for the first to the fourth, and a step that is a power of two. Entries of
    a list are given from bit 0 upwards. `_` adds nothing: the lanes or warps that differ in this bit hold the same elements,
    with equal bits (_replicas_).

    The steps of a dimension are 1, 2, 4 and so on, each once, over all three lists together. Their product is the extent of
    the _atom_ in this dimension; it is 1 where a dimension has no entry. The extents of a tile are multiples of the atom's.
    Registers above those of one atom enumerate the atoms of the tile in row-major order.

    The layout has as many dimensions as its entries mention. A last dimension without an entry is written as
    `rank = 2`. The form is minimal: register entries at the end that only continue the enumeration of atoms in the last
    dimension are dropped when the attribute is made, so `[y1, x8, y8]` above is read as `[y1, x8]`.

    Constraints: at most 6 lane and 5 warp entries, 4 dimensions, 1024 elements a thread.
  }];
  let parameters = (ins
    "int64_t":$rank,
    ArrayRefParameter<"::forge::tile::LayoutEntry", "entries of the register number">:$reg,
    ArrayRefParameter<"::forge::tile::LayoutEntry", "entries of the lane number">:$lane,
    ArrayRefParameter<"::forge::tile::LayoutEntry", "entries of the warp number">:$warp);
  let skipDefaultBuilders = 1;
  let builders = [
    // Makes the form minimal.
    AttrBuilder<(ins "int64_t":$rank, "::llvm::ArrayRef<::forge::tile::LayoutEntry>":$reg,
                     "::llvm::ArrayRef<::forge::tile::LayoutEntry>":$lane,
                     "::llvm::ArrayRef<::forge::tile::LayoutEntry>":$warp), [{
      return $_get($_ctxt, rank, ::forge::tile::dropRepeats(rank, reg, lane, warp), lane, warp);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The extents of the atom.
    ::llvm::SmallVector<int64_t> getAtom() const;
    int64_t getLanes() const { return int64_t(1) << getLane().size(); }
    int64_t getWarps() const { return int64_t(1) << getWarp().size(); }
    /// The bits of the lane and of the warp number that are replicated.
    int64_t getReplicatedLanes() const;
    int64_t getReplicatedWarps() const;

    // For a tile of `shape`, which is a multiple of the atom:

    /// The elements each thread holds.
    int64_t getRegisters(::llvm::ArrayRef<int64_t> shape) const;
    /// The element that a thread holds in a register.
    ::llvm::SmallVector<int64_t> getCoordinates(::llvm::ArrayRef<int64_t> shape, int64_t reg,
                                                int64_t lane = 0, int64_t warp = 0) const;
    /// Where an element is: the representative, whose replicated bits are 0.
    ::forge::tile::LayoutPlace getPlace(::llvm::ArrayRef<int64_t> shape,
                                        ::llvm::ArrayRef<int64_t> coordinates) const;

    /// The layout of what a reduction over `dims` leaves: their registers vanish, their lanes and warps
    /// become replicas.
    LayoutAttr dropDimensions(::llvm::ArrayRef<int64_t> dims) const;
    /// Of two dimensions: the entries of each are the other's. Registers above one atom are numbered
    /// by the new order of dimensions.
    LayoutAttr swapDimensions() const;
    /// Of tiles of which dimension `dim` is several, of these extents, the outermost first: powers of
    /// two, whose product is the atom's extent in it.
    LayoutAttr splitDimension(int64_t dim, ::llvm::ArrayRef<int64_t> extents) const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let genMnemonicAlias = 1;
}

#endif // FORGE_DIALECT_TILE_TILEATTRIBUTES_TD

// Layouts and shapes that RapidCheck draws.
#ifndef FORGE_UNITTESTS_DIALECT_TILE_RANDOMLAYOUT_H
#define FORGE_UNITTESTS_DIALECT_TILE_RANDOMLAYOUT_H

#include "forge/Dialect/Tile/IR/Tile.h"

/// A context that knows the dialect.
mlir::MLIRContext &tileContext();

/// A number from `first` up to `end`, evenly: RapidCheck alone starts with small ones.
int64_t drawNumber(int64_t first, int64_t end);

/// Any layout of `rank` dimensions on 2^laneBits lanes and 2^warpBits warps.
forge::tile::LayoutAttr drawLayout(int64_t rank, unsigned laneBits, unsigned warpBits);

/// A shape that all of `layouts` have: a small multiple, not always a power of two.
llvm::SmallVector<int64_t> drawShape(llvm::ArrayRef<forge::tile::LayoutAttr> layouts);

std::string toString(mlir::Attribute attribute);

#endif // FORGE_UNITTESTS_DIALECT_TILE_RANDOMLAYOUT_H

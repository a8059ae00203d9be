// All operations of the tile dialect.
#ifndef FORGE_DIALECT_TILE_OPS_TD
#define FORGE_DIALECT_TILE_OPS_TD

include "forge/Dialect/Tile/IR/TileMemoryOps.td"
include "forge/Dialect/Tile/IR/TileProgramOps.td"
include "forge/Dialect/Tile/IR/TileThreadOps.td"
include "forge/Dialect/Tile/IR/TileValueOps.td"

#endif // FORGE_DIALECT_TILE_OPS_TD

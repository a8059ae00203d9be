// The tile dialect.
#ifndef FORGE_DIALECT_TILE_DIALECT_TD
#define FORGE_DIALECT_TILE_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::forge::tile";
  let summary = "kernels as programs on tiles";
  let description = [{
    A kernel function at phase `blocks`: what one block of threads does, on tiles instead of elements. A tile is a
    tensor of static shape whose encoding, a `#tile.layout`, says which lane of which warp holds which element in which
    register; elementwise operations on tiles are those of `arith` and `math`. Global memory is memrefs, shared memory
    `!tile.shared`. Concurrent parts of a block are roles, which hand buffers to each other through rings.

    A tile program is a kernel function (`forge.kernel`) with these attributes:

    | attribute | meaning |
    |---|---|
    | `tile.grid = array<i64: 32, 8>` | blocks, in up to three dimensions |
    | `tile.warps = 4` | warps of a block; absent where the body is roles, each of which has its own |

    A loop of constant bounds with `tile.unroll` is written out, so that its index is a constant.

    The language has no barriers: lowering derives them from the data flow. It has no atomics: layouts give the order of sums.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
}

#endif // FORGE_DIALECT_TILE_DIALECT_TD

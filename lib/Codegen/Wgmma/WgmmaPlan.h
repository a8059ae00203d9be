// Which products strategy "wgmma" takes, with which tiles, and when it is faster than the library.
#ifndef FORGE_LIB_CODEGEN_WGMMA_WGMMAPLAN_H
#define FORGE_LIB_CODEGEN_WGMMA_WGMMAPLAN_H

#include "WgmmaTile.h"

namespace forge {

/// Whether strategy "wgmma" takes `product`, on tensors or buffers, on this chip.
bool takesProduct(const WgmmaProduct &product, const GPUChip &chip);

/// Fails where another way is sure to be better, and says why.
mlir::LogicalResult isWorthWgmma(const WgmmaProduct &product, const GPUChip &chip, WhyNot whyNot);

/// Columns of a tile are multiples of this.
int64_t columnStep(const WgmmaProduct &product);
/// Whether the parts of `tile` have whole steps of columns, and divide what a placement's columns
/// are apart.
bool canHaveParts(const WgmmaProduct &product, const WgmmaTile &tile);

WgmmaTile planWgmma(const WgmmaProduct &product, const GPUChip &chip, ScheduleAttr given = {});

/// Seconds beyond those of its multiplications or of reading its factors, as strategy "wgmma"
/// computes it; what the library does as fast behind a product does not count. Nothing if sizes are
/// not known.
std::optional<double> secondsLost(const WgmmaProduct &product, const GPUChip &chip);

/// Seconds that its tiles take, without what follows, of so many columns or of those it chooses;
/// nothing if sizes are not known.
std::optional<double> secondsOfTiles(const WgmmaProduct &product, const GPUChip &chip,
                                     std::optional<int64_t> columns = std::nullopt);

/// Whether a kernel of strategy "wgmma" takes no longer than cuBLASLt and, where that does not
/// compute what follows, an elementwise kernel behind it: from what was measured
/// (docs/gpu-h200.md).
bool beatsLibrary(const WgmmaProduct &product, const GPUChip &chip);

} // namespace forge

#endif // FORGE_LIB_CODEGEN_WGMMA_WGMMAPLAN_H

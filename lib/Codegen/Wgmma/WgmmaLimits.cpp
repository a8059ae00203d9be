// What tensor maps and matrix units need of a product.
#include "MapDims.h"
#include "WgmmaProduct.h"

#include "../Strategy/PlacementOnTiles.h"
#include "../Strategy/ProductFollow.h"

using namespace mlir;
using namespace forge;

/// Dimensions of a tensor map; bytes that its strides stay below; elements of a dimension (CUDA
/// Driver API, cuTensorMapEncodeTiled).
static constexpr size_t kMapDims = 5;
static constexpr int64_t kMapStride = int64_t(1) << 40, kMapSize = int64_t(1) << 32;

static const char *whyNoMap(const ProductAxes &axes, const ProductOperand &operand,
                            std::optional<unsigned> tiled) {
  int64_t bytes = getElementTypeOrSelf(operand.value).getIntOrFloatBitWidth() / 8;
  SmallVector<MapDim, 5> dims = mapDims(axes, operand);
  if (dims.empty() && !operand.places.empty())
    return "zeros around dimensions of sizes that steps divide, and in front of what is side by "
           "side multiples of 16 bytes";
  if (dims.size() + (tiled ? 0 : 1) > kMapDims)
    return "factors of at most 5 dimensions that cannot be joined";
  for (const MapDim &dim : ArrayRef(dims).drop_front(dims.empty() ? 0 : 1))
    if (!dim.stride.isMultipleOf(kMapBytes / bytes))
      return "factors whose rows are multiples of 16 bytes apart";
  if (!operand.view.beginsAtMultipleOf(kMapBytes / bytes))
    return "factors that begin at multiples of 16 bytes";
  if (operand.view.dependsOnElements())
    return "slices at places that the host knows";
  for (const ProductOperand::Place &place : ArrayRef(operand.places).drop_back())
    if (!place.stride.isMultipleOf(kMapBytes / bytes))
      return "factors whose rows are multiples of 16 bytes apart";
  for (const ProductOperand::Place &place : operand.places)
    if (place.stride.known >= kMapStride / bytes || axes.axes[place.axis].size > kMapSize)
      return "factors of fewer than 2^40 bytes";
  return nullptr;
}

const char *forge::whyNotWgmma(const WgmmaProduct &product, const GPUChip &chip) {
  if (!chip.warpgroupProducts)
    return "a chip with products by warpgroups";
  Type in = product.factorType();
  if (!in.isBF16() && !in.isF16() && !product.isOfBytes())
    return "factors of bf16 or f16, or of 8-bit floats or signed integers";
  if (product.isOfBytes() && !(product.leftAlongTerms() && product.rightAlongTerms()))
    return "factors of 8 bits whose terms are contiguous";
  if (const char *why = whyNoMap(product.axes(), product.axes().left, product.tiled.row))
    return why;
  if (llvm::any_of(product.parts,
                   [](const WgmmaPart &part) { return part.axes.right.hasWindows(); }) ||
      (product.axes().left.hasWindows() && !product.leftAlongTerms()))
    return "windows of the left factor only, its terms side by side in memory";
  for (const WgmmaPart &part : product.parts) {
    if (const char *why = whyNoMap(part.axes, part.axes.right, product.tiled.column))
      return why;
    for (const ProductOperand &piece : part.leftRest)
      if (const char *why = whyNoMap(part.axes, piece, product.tiled.row))
        return why;
    for (const ProductOperand &piece : part.rightRest)
      if (const char *why = whyNoMap(part.axes, piece, product.tiled.column))
        return why;
  }
  auto isStored = [](Value result) {
    Type type = getElementTypeOrSelf(result);
    return type.isIntOrFloat() && llvm::is_contained({8, 16, 32, 64}, type.getIntOrFloatBitWidth());
  };
  if (!llvm::all_of(product.results(), isStored))
    return "results of 8, 16, 32 or 64 bits";
  if (product.follow)
    if (const char *why = whyNotOnTiles(product.follow))
      return why;
  if (!product.placement)
    return nullptr;
  if (product.columnsApart() && *product.columnsApart() % product.partStep() != 0)
    return "places that read columns as far apart as parts of a tile are wide";
  return whyNotOnTiles(*product.placement);
}

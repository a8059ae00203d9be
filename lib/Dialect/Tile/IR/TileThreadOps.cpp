#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace forge::tile;

LogicalResult StampOp::verify() {
  // stamp_c1
  if (getRows() < 1 || getFirst() < 0)
    return emitOpError("expected one row or more from 0 on, but got ")
           << getRows() << " from " << getFirst();
  return success();
}

LogicalResult WgmmaOp::verify() {
  // wgmma_c1
  int64_t columns = getColumns();
  if (columns < 8 || columns > 256 || columns % 8 != 0)
    return emitOpError("expected 8 to 256 columns in eights, but got ") << columns;
  auto sums = dyn_cast<LLVM::LLVMStructType>(getType());
  if (!sums || sums.isOpaque() || static_cast<int64_t>(sums.getBody().size()) != columns / 2 ||
      !llvm::all_of(sums.getBody(), [](Type type) { return type.isF32(); }))
    return emitOpError("expected a struct of ") << columns / 2 << " f32, but got " << getType();
  // wgmma_c2
  if (!getElement().isBF16() && !getElement().isF16())
    return emitOpError("expected bf16 or f16, but got ") << getElement();
  // wgmma_c3
  if (getLeft().size() != 4)
    return emitOpError("expected 4 words of the left factor, but got ") << getLeft().size();
  return success();
}

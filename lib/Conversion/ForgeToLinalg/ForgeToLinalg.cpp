#include "FftLines.h"

#include "forge/Conversion/ForgeToLinalg/Passes.h"
#include "forge/Dialect/Forge/IR/FftPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTFORGETOLINALGPASS
#include "forge/Conversion/ForgeToLinalg/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "convert-forge-to-linalg"

using namespace mlir;
using namespace forge;

/// Without imaginary parts that nothing reads.
static FftLinesOp withoutUnreadParts(FftLinesOp op) {
  if (op.getNumResults() == 1 || !op.getResult(1).use_empty())
    return op;
  OpBuilder builder(op);
  auto real = FftLinesOp::create(builder, op.getLoc(), TypeRange(op.getResult(0).getType()),
                                 op->getOperands(), op->getAttrs());
  op.getResult(0).replaceAllUsesWith(real.getResult(0));
  op.erase();
  return real;
}

/// The first slice of the results, if all that reads them are slices of the first numbers of all
/// lines, as many of each; null otherwise.
static tensor::ExtractSliceOp firstNumbers(FftLinesOp op) {
  tensor::ExtractSliceOp first;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.getType() != (first ? first : slice).getType())
      return {};
    first = slice;
    RankedTensorType from = slice.getSourceType(), to = slice.getType();
    if (from.getRank() != to.getRank() ||
        !llvm::all_of(slice.getMixedOffsets(), [](OpFoldResult at) { return isZeroInteger(at); }) ||
        !llvm::all_of(slice.getMixedStrides(), [](OpFoldResult at) { return isOneInteger(at); }))
      return {};
    for (int64_t dim = 0; dim < from.getRank(); ++dim)
      if (dim != static_cast<int64_t>(op.getDim()) && from.getDimSize(dim) != to.getDimSize(dim))
        return {};
  }
  return first && first.getType().hasStaticShape() ? first : tensor::ExtractSliceOp();
}

/// What no slice keeps is not written.
static void keepFirstNumbers(FftLinesOp op) {
  tensor::ExtractSliceOp slice = firstNumbers(op);
  if (!slice)
    return;
  for (Value result : op->getResults())
    for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
      user->getResult(0).replaceAllUsesWith(result);
      if (user != slice)
        user->erase();
    }
  for (Value result : op->getResults())
    result.setType(slice.getType());
  slice.erase();
}

namespace {
struct ConvertForgeToLinalgPass
    : public forge::impl::ConvertForgeToLinalgPassBase<ConvertForgeToLinalgPass> {
  using ConvertForgeToLinalgPassBase::ConvertForgeToLinalgPassBase;

  void runOnOperation() override {
    SmallVector<FftLinesOp> transforms;
    getOperation().walk([&](FftLinesOp op) { transforms.push_back(op); });
    for (FftLinesOp op : transforms) {
      op = withoutUnreadParts(op);
      keepFirstNumbers(op);
      auto type = cast<RankedTensorType>(op.getParts().front().getType());
      int64_t bytes =
          fftLineBytes(static_cast<int64_t>(op.getLength()), type.getElementTypeBitWidth() / 8);
      if (bytes > blockBytes) {
        op.emitError("expected lines of at most ")
            << int64_t(blockBytes) << " bytes in the memory of a block, but one of "
            << op.getLength() << " numbers takes " << bytes;
        return signalPassFailure();
      }
      OpBuilder builder(op);
      op.replaceAllUsesWith(createFftLines(builder, op, blockBytes));
      op.erase();
    }
  }
};
} // namespace

#include "Lanes.h"

using namespace mlir;
using namespace forge;

/// Threads that are to be left: some blocks for every multiprocessor.
static constexpr int64_t kEnoughThreads = int64_t(1) << 16;

bool Lanes::differ(linalg::LinalgOp op, OpOperand &operand) const {
  return isa<MemRefType>(operand.get().getType()) &&
         op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop);
}

/// The loop that the last dimension of more than one element of `operand` is, if elements of that
/// are side by side; nothing where the operand is no buffer or is read by windows there. Loops of
/// one iteration, as those of a window of one place, do not matter.
static std::optional<unsigned> innermostLoop(linalg::LinalgOp op, OpOperand &operand,
                                             ArrayRef<int64_t> sizes) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type || !type.getLayout().isIdentity() || !type.hasStaticShape())
    return std::nullopt;
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [loop, size] : llvm::enumerate(sizes))
    dims.push_back(size == 1 ? getAffineConstantExpr(0, context)
                             : getAffineDimExpr(static_cast<unsigned>(loop), context));
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim)
    if (type.getDimSize(dim) != 1) {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(dim).replaceDims(dims));
      return loop ? std::optional(loop.getPosition()) : std::nullopt;
    }
  return std::nullopt;
}

/// Bytes of the narrowest element that differs between lanes of `loop`; nothing where one of them
/// is not side by side with its neighbour, or an output has all lanes in one element.
static std::optional<int64_t> narrowestBytes(linalg::LinalgOp op, unsigned loop,
                                             ArrayRef<int64_t> sizes) {
  int64_t narrowest = kLaneBytes;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!Lanes{2, loop}.differ(op, operand)) {
      if (op.isDpsInit(&operand))
        return std::nullopt;
      continue;
    }
    Type element = getElementTypeOrSelf(operand.get());
    if (innermostLoop(op, operand, sizes) != loop || !element.isIntOrFloat() ||
        element.getIntOrFloatBitWidth() % 8 != 0)
      return std::nullopt;
    narrowest = std::min<int64_t>(narrowest, element.getIntOrFloatBitWidth() / 8);
  }
  return narrowest;
}

Lanes forge::chooseLanes(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (op.getNumReductionLoops() == 0 || llvm::is_contained(sizes, ShapedType::kDynamic))
    return {};
  std::optional<unsigned> loop = innermostLoop(op, *op.getDpsInitOperand(0), sizes);
  if (!loop || op.getIteratorTypesArray()[*loop] != utils::IteratorType::parallel)
    return {};
  std::optional<int64_t> narrowest = narrowestBytes(op, *loop, sizes);
  if (!narrowest)
    return {};
  int64_t total = 1;
  for (auto [size, type] : llvm::zip_equal(sizes, op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel && llvm::MulOverflow(total, size, total))
      return {};
  // A thread's results are in registers.
  for (int64_t count = kLaneBytes / std::max<int64_t>(*narrowest, 2); count > 1; count /= 2)
    if (sizes[*loop] % count == 0 && total / count >= kEnoughThreads)
      return {count, *loop};
  return {};
}

bool forge::isInnermost(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  Type element = getElementTypeOrSelf(operand.get());
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 == 0 &&
         innermostLoop(op, operand, op.getStaticLoopRanges()) == loop;
}

int64_t forge::chooseSteps(linalg::LinalgOp op, unsigned loop) {
  int64_t size = op.getStaticLoopRanges()[loop], narrowest = kLaneBytes;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isInnermost(op, *input, loop))
      narrowest = std::min<int64_t>(narrowest,
                                    getElementTypeOrSelf(input->get()).getIntOrFloatBitWidth() / 8);
  // A thread's values are in registers.
  int64_t count = kLaneBytes / std::max<int64_t>(narrowest, 2);
  while (ShapedType::isDynamic(size) ? count > 1 : size % count != 0)
    count /= 2;
  return count;
}

#include "forge/Target/NVVM/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace forge {
#define GEN_PASS_DEF_PACKROUNDINGSPASS
#include "forge/Target/NVVM/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-pack-roundings"

using namespace mlir;

static bool isRounding(LLVM::FPTruncOp op) {
  return op.getArg().getType().isF32() && (op.getType().isBF16() || op.getType().isF16());
}

static bool isBefore(Value value, Operation *first) {
  Operation *made = value.getDefiningOp();
  return !made || made->getBlock() != first->getBlock() || made->isBeforeInBlock(first);
}

/// Whether the operand of `op` is there before `first`, of the same block, or taken out of what is.
static bool isKnownAt(LLVM::FPTruncOp op, LLVM::FPTruncOp first) {
  auto part = op.getArg().getDefiningOp<LLVM::ExtractValueOp>();
  return isBefore(part ? part.getContainer() : op.getArg(), first);
}

/// Both in place of the first, by the instruction: LLVM takes a rounding of a vector apart. Its
/// first operand becomes the upper half.
static void pack(LLVM::FPTruncOp first, LLVM::FPTruncOp second) {
  if (!isBefore(second.getArg(), first))
    second.getArg().getDefiningOp()->moveBefore(first);
  OpBuilder b(first);
  Location loc = first.getLoc();
  StringAttr name = b.getStringAttr(first.getType().isBF16() ? "llvm.nvvm.ff2bf16x2.rn"
                                                             : "llvm.nvvm.ff2f16x2.rn");
  Value rounded = LLVM::CallIntrinsicOp::create(b, loc, VectorType::get({2}, first.getType()), name,
                                                ValueRange{second.getArg(), first.getArg()})
                      .getResults();
  auto half = [&](int64_t number) -> Value {
    Value place = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(number));
    return LLVM::ExtractElementOp::create(b, loc, rounded, place);
  };
  first.replaceAllUsesWith(half(0));
  second.replaceAllUsesWith(half(1));
}

namespace {
/// Each rounding together with the next one of its block whose operand is known by then.
struct PackRoundingsPass : public forge::impl::PackRoundingsPassBase<PackRoundingsPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      bool hasProducts =
          function.walk([](NVVM::WgmmaFenceAlignedOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      for (Block &block : function.getBody())
        if (hasProducts)
          packIn(block);
    }
  }

  static void packIn(Block &block) {
    SmallVector<LLVM::FPTruncOp> roundings;
    for (auto op : block.getOps<LLVM::FPTruncOp>())
      if (isRounding(op))
        roundings.push_back(op);
    for (size_t i = 0; i < roundings.size(); ++i)
      for (size_t other = i + 1; roundings[i] && other < roundings.size(); ++other)
        if (roundings[other] && roundings[other].getType() == roundings[i].getType() &&
            isKnownAt(roundings[other], roundings[i])) {
          pack(roundings[i], roundings[other]);
          roundings[i].erase();
          roundings[other].erase();
          roundings[i] = roundings[other] = nullptr;
        }
  }
};
} // namespace

#include "forge/Target/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#define DEBUG_TYPE "forge-free-buffers"

namespace forge {
#define GEN_PASS_DEF_FREEBUFFERSPASS
#include "forge/Target/CPU/Passes.h.inc"
} // namespace forge

using namespace mlir;

/// Bytes of a buffer of static shape; nothing for dynamic shapes and element types of no known
/// width.
static std::optional<int64_t> staticBytes(MemRefType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  Type element = type.getElementType();
  int64_t count = type.getNumElements();
  if (auto vector = dyn_cast<VectorType>(element)) {
    count *= vector.getNumElements();
    element = vector.getElementType();
  }
  if (element.isIndex())
    return count * 8;
  if (!element.isIntOrFloat())
    return std::nullopt;
  return count * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

namespace {
/// Where the uses of a buffer lie, seen from the block that makes it.
struct Extent {
  /// The last operation of the block that may touch the buffer, itself or inside of its regions.
  Operation *last;
  /// The buffer is handed to the outside by the block's terminator.
  bool leaves = false;
};
} // namespace

static Extent extentOf(Value buffer, const BufferViewFlowAnalysis &flow) {
  Operation *maker = buffer.getDefiningOp();
  Block *home = maker->getBlock();
  Extent extent{maker};
  for (Value alias : flow.resolve(buffer))
    for (Operation *use : alias.getUsers()) {
      Operation *user = home->findAncestorOpInBlock(*use);
      if (!user || user == home->getTerminator())
        extent.leaves = true;
      else if (extent.last->isBeforeInBlock(user))
        extent.last = user;
    }
  return extent;
}

/// The outermost of the counted loops directly around `alloc`, through all of which one buffer
/// serves; null if there is none, or if the buffer's size is not known before it.
static scf::ForOp loopsAround(memref::AllocOp alloc) {
  scf::ForOp outermost;
  for (auto loop = dyn_cast<scf::ForOp>(alloc->getParentOp()); loop;
       loop = dyn_cast<scf::ForOp>(loop->getParentOp())) {
    if (!llvm::all_of(alloc->getOperands(),
                      [&](Value size) { return loop.isDefinedOutsideOfLoop(size); }))
      break;
    outermost = loop;
  }
  return outermost;
}

namespace {
/// 1. Inner blocks first: an scf.if whose branches all yield buffers of their own is, outside, like
///    an allocation.
/// 2. Every allocation, and such result, that does not leave its block is freed after its last use,
///    or moved to the stack. One made anew in each iteration of a loop is made once before it,
///    unless it is large: the threads that run such loops would meet at the arena's lock again and
///    again.
struct FreeBuffersPass : public forge::impl::FreeBuffersPassBase<FreeBuffersPass> {
  using FreeBuffersPassBase::FreeBuffersPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    ownBranches(function);
    BufferViewFlowAnalysis flow(function);
    SmallVector<Value> buffers;
    function.walk([&](Operation *op) {
      if (isa<memref::AllocOp>(op))
        buffers.push_back(op->getResult(0));
      else if (isa<scf::IfOp>(op))
        for (Value result : op->getResults())
          if (owned.contains(result))
            buffers.push_back(result);
    });
    int64_t budget = stackBudget;
    for (Value buffer : buffers)
      release(function, buffer, flow, budget);
  }

  void release(func::FuncOp function, Value buffer, const BufferViewFlowAnalysis &flow,
               int64_t &budget) {
    if (isFreed(buffer))
      return;
    Extent extent = extentOf(buffer, flow);
    if (extent.leaves)
      return;
    auto alloc = buffer.getDefiningOp<memref::AllocOp>();
    std::optional<int64_t> bytes = staticBytes(cast<MemRefType>(buffer.getType()));
    if (alloc && bytes && *bytes <= stackBytes && *bytes <= budget) {
      budget -= *bytes;
      OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
      auto stack = memref::AllocaOp::create(builder, alloc.getLoc(), alloc.getType(),
                                            alloc.getAlignmentAttr());
      alloc.replaceAllUsesWith(stack.getResult());
      alloc.erase();
      return;
    }
    Operation *last = extent.last;
    scf::ForOp loop = alloc && bytes && *bytes <= hoistBytes ? loopsAround(alloc) : scf::ForOp();
    if (loop) {
      alloc->moveBefore(loop);
      last = loop;
    }
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfter(last);
    memref::DeallocOp::create(builder, buffer.getLoc(), buffer);
  }

  static bool isFreed(Value buffer) {
    return llvm::any_of(buffer.getUsers(),
                        [](Operation *user) { return isa<memref::DeallocOp>(user); });
  }

  /// Finds the results of scf.if that are buffers made in every branch, copying in branches that
  /// yield another.
  void ownBranches(func::FuncOp function) {
    function.walk([&](scf::IfOp branch) {
      for (OpResult result : branch.getResults())
        if (isa<MemRefType>(result.getType()))
          ownResult(branch, result);
    });
  }

  /// True if `operand`, yielded by a branch, is a buffer made in the branch which nothing else
  /// hands on.
  bool isOwned(OpOperand &operand) {
    Operation *maker = operand.get().getDefiningOp();
    if (!maker || maker->getBlock() != operand.getOwner()->getBlock())
      return false;
    if (!isa<memref::AllocOp>(maker) && !owned.contains(operand.get()))
      return false;
    return llvm::count_if(operand.getOwner()->getOperands(),
                          [&](Value v) { return v == operand.get(); }) == 1;
  }

  void ownResult(scf::IfOp branch, OpResult result) {
    OpOperand &first = branch.thenYield()->getOpOperand(result.getResultNumber());
    OpOperand &second = branch.elseYield()->getOpOperand(result.getResultNumber());
    bool ownFirst = isOwned(first), ownSecond = isOwned(second);
    if (!ownFirst && !ownSecond)
      return;
    if (!ownFirst && !copyYielded(first))
      return;
    if (!ownSecond && !copyYielded(second))
      return;
    owned.insert(result);
  }

  /// Yields a copy; false if the type has a layout, which an allocation does not.
  bool copyYielded(OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !type.getLayout().isIdentity())
      return false;
    OpBuilder builder(operand.getOwner());
    Location loc = operand.getOwner()->getLoc();
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(memref::DimOp::create(builder, loc, operand.get(), dim));
    Value copy = memref::AllocOp::create(builder, loc, type, sizes, builder.getI64IntegerAttr(64));
    memref::CopyOp::create(builder, loc, operand.get(), copy);
    operand.set(copy);
    return true;
  }

  llvm::DenseSet<Value> owned;
};
} // namespace

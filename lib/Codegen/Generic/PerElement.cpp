#include "ElementEmitter.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace forge;

/// Tiles that a launch has a thread each for, at most.
static constexpr int64_t kMostTiles = int64_t(1) << 30;

namespace {
// 1. The parallel loops, as the first output orders them, are one range of `total` tiles; thread
//    t of T does the tiles t, t + T, t + 2T ...
// 2. A tile is one element; or where neighbours of an element are neighbours in all operands that
//    differ between them (the features of pooled images), several, which a thread reads and stores
//    at once; and where windows overlap, several of those, which share what they read.
// 3. Where steps of the innermost reduction loop are neighbours in an input (the states of a scan),
//    a thread reads several at once.
// 4. The epilogue is computed from the results in registers. Outputs are stored once.
class PerElement : ElementEmitter {
public:
  PerElement(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
             std::optional<Epilogue> after)
      : ElementEmitter(op, threads, std::move(after)), inits(inits) {}

  OpFoldResult emit() {
    tile = chooseThreadTile(op, accesses(), !readsWhatIsWritten());
    if (!reductions.empty()) {
      llvm::erase(reductions, tile.stepLoop);
      reductions.push_back(tile.stepLoop);
    }
    OpFoldResult total = totalElements();
    OpFoldResult blocks = numBlocks(total, threads);
    emitTiles(total, blocks);
    return blocks;
  }

private:
  /// Whether an element that is written is read, too, as where the result replaces an operand.
  bool readsWhatIsWritten() {
    linalg::LinalgOp last = epilogue ? epilogue->op : op;
    for (auto [at, output] : llvm::enumerate(last.getDpsInitsMutable())) {
      Value start = epilogue ? epilogue->inits[at] : inits[at];
      if (!start && (last.getNumReductionLoops() > 0 || last.payloadUsesValueFromOperand(&output)))
        return true;
      for (const Access &access : accesses())
        if (!access.isOutput && bufferOf(access.operand) == bufferOf(output.get()))
          return true;
    }
    return epilogue && !inits.front();
  }

  static Value bufferOf(Value value) {
    while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
      value = view.getViewSource();
    return value;
  }

  /// Of operands in memory: what the epilogue reads of the result is in registers.
  SmallVector<Access> accesses() {
    SmallVector<Access> found;
    auto add = [&](linalg::LinalgOp from, bool isLast) {
      for (OpOperand &operand : from->getOpOperands())
        if (bool isOutput = from.isDpsInit(&operand);
            isa<ShapedType>(operand.get().getType()) && (isLast || !isOutput) &&
            (from == op || operand.get() != op.getDpsInits().front()))
          found.push_back({operand.get(), maps.lookup(&operand), isOutput});
    };
    add(op, !epilogue);
    if (epilogue)
      add(epilogue->op, true);
    return found;
  }

  void emitTiles(OpFoldResult total, OpFoldResult blocks) {
    std::optional<int64_t> count = getConstantIntValue(total), number = getConstantIntValue(blocks);
    bool isOnce = count && *count <= *number * threads;
    isNarrow = isOnce && *count <= kMostTiles;
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value perBlock = constant(threads);
    Value first = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, block, perBlock), thread);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, total);
    if (isOnce && *count % threads == 0)
      return emitTile(first);
    OpBuilder::InsertionGuard guard(builder);
    if (isOnce) {
      Value isInside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first, end);
      auto branch = scf::IfOp::create(builder, loc, isInside, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
      return emitTile(first);
    }
    Value all = getValueOrCreateConstantIndexOp(builder, loc, blocks);
    Value by = arith::MulIOp::create(builder, loc, all, perBlock);
    auto loop = scf::ForOp::create(builder, loc, first, end, by);
    builder.setInsertionPointToStart(loop.getBody());
    emitTile(loop.getInductionVar());
  }

  void emitTile(Value number) {
    setIndices(number);
    storeResults(emitEpilogue(emitReductions(0, loadStarts(op, inits))));
  }

  ArrayRef<Value> inits;
};
} // namespace

OpFoldResult forge::emitPerElement(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
                                   std::optional<Epilogue> epilogue) {
  linalg::LinalgOp after = epilogue ? epilogue->op : linalg::LinalgOp();
  OpFoldResult blocks = PerElement(op, inits, threads, std::move(epilogue)).emit();
  if (after)
    after->erase();
  op->erase();
  return blocks;
}

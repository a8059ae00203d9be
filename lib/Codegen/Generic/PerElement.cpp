#include "Generic.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

/// Blocks of one launch: within what every driver takes, and more than any device runs at once.
static constexpr int64_t kMaxBlocks = 1 << 22;

namespace {
// 1. The parallel loops, as the first output orders them, are one range of `total` elements; thread
// t of T does the
//    elements t, t + T, t + 2T ...
// 2. An element's number gives the loops' indices by division; in 32 bits where the sizes allow it.
// 3. Reduction loops run inside, in the order of the operation, with the outputs in registers.
// 4. Outputs are stored once.
// 5. An input that a producer computes is not loaded: the producer's element with these indices is
//    computed by 3, and nothing of it is stored.
class PerElement {
public:
  PerElement(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
             std::optional<forge::InlineProducer> producer = std::nullopt)
      : op(op), inits(inits), threads(threads), builder(op), loc(op.getLoc()), producer(producer) {}

  OpFoldResult emit() {
    for (Range range : op.createLoopRanges(builder, loc))
      extents.push_back(range.size);
    indices.resize(extents.size());
    orderLoops();
    OpFoldResult total = totalElements();
    OpFoldResult blocks = numBlocks(total);
    emitElements(total, blocks);
    op->erase();
    return blocks;
  }

private:
  /// The element of the one output with these indices, computed where `where` inserts.
  Value emitOne(OpBuilder &where, ArrayRef<Value> place) {
    builder.setInsertionPoint(where.getInsertionBlock(), where.getInsertionPoint());
    for (Range range : op.createLoopRanges(builder, loc))
      extents.push_back(range.size);
    indices.resize(extents.size());
    orderLoops();
    OpOperand *output = op.getDpsInitOperand(0);
    for (auto [expr, index] :
         llvm::zip_equal(op.getMatchingIndexingMap(output).getResults(), place))
      indices[cast<AffineDimExpr>(expr).getPosition()] = index;
    Value start = inits.front() ? inits.front() : load(*output);
    return emitReductions(0, {start}).front();
  }

  void orderLoops() {
    AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    auto types = op.getIteratorTypesArray();
    for (AffineExpr result : output.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        parallel.push_back(dim.getPosition());
    for (auto [dim, type] : llvm::enumerate(types)) {
      if (type == utils::IteratorType::reduction)
        reductions.push_back(dim);
      else if (!llvm::is_contained(parallel, dim))
        parallel.insert(parallel.begin(), dim);
    }
  }

  OpFoldResult multiply(OpFoldResult a, OpFoldResult b) {
    auto x = getConstantIntValue(a), y = getConstantIntValue(b);
    if (x && y)
      return builder.getIndexAttr(*x * *y);
    Value left = getValueOrCreateConstantIndexOp(builder, loc, a);
    Value right = getValueOrCreateConstantIndexOp(builder, loc, b);
    return arith::MulIOp::create(builder, loc, left, right).getResult();
  }

  OpFoldResult totalElements() {
    OpFoldResult total = builder.getIndexAttr(1);
    for (unsigned dim : parallel)
      total = multiply(total, extents[dim]);
    return total;
  }

  OpFoldResult numBlocks(OpFoldResult total) {
    if (auto count = getConstantIntValue(total))
      return builder.getIndexAttr(
          std::min(llvm::divideCeil(*count, threads), uint64_t(kMaxBlocks)));
    Value all = getValueOrCreateConstantIndexOp(builder, loc, total);
    Value perBlock = arith::ConstantIndexOp::create(builder, loc, threads);
    Value blocks = arith::CeilDivUIOp::create(builder, loc, all, perBlock);
    Value most = arith::ConstantIndexOp::create(builder, loc, kMaxBlocks);
    return arith::MinUIOp::create(builder, loc, blocks, most).getResult();
  }

  void emitElements(OpFoldResult total, OpFoldResult numBlocks) {
    std::optional<int64_t> count = getConstantIntValue(total);
    bool once = count && *count <= kMaxBlocks * threads;
    narrow = once;
    Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    Value perBlock = arith::ConstantIndexOp::create(builder, loc, threads);
    Value first = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, block, perBlock), thread);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, total);
    if (once && *count % threads == 0)
      return emitElement(first);
    OpBuilder::InsertionGuard guard(builder);
    if (once) {
      Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first, end);
      auto branch = scf::IfOp::create(builder, loc, inside, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
      return emitElement(first);
    }
    Value blocks = getValueOrCreateConstantIndexOp(builder, loc, numBlocks);
    Value step = arith::MulIOp::create(builder, loc, blocks, perBlock);
    auto loop = scf::ForOp::create(builder, loc, first, end, step);
    builder.setInsertionPointToStart(loop.getBody());
    emitElement(loop.getInductionVar());
  }

  /// The loops' indices of element `number`: the last loop's is its remainder, and so on outwards.
  void setIndices(Value number) {
    Type type = narrow ? builder.getI32Type() : Type(builder.getIndexType());
    auto toType = [&](Value value) -> Value {
      return narrow ? arith::IndexCastOp::create(builder, loc, type, value).getResult() : value;
    };
    Value rest = toType(number);
    for (auto [position, dim] : llvm::reverse(llvm::enumerate(parallel))) {
      Value index = rest;
      if (position > 0) {
        Value size = toType(getValueOrCreateConstantIndexOp(builder, loc, extents[dim]));
        index = arith::RemUIOp::create(builder, loc, rest, size);
        rest = arith::DivUIOp::create(builder, loc, rest, size);
      }
      indices[dim] =
          narrow
              ? arith::IndexCastOp::create(builder, loc, builder.getIndexType(), index).getResult()
              : index;
    }
  }

  SmallVector<Value> place(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<Value> results;
    for (AffineExpr expression : map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expression)) {
        results.push_back(indices[dim.getPosition()]);
        continue;
      }
      AffineMap single = AffineMap::get(map.getNumDims(), 0, expression);
      results.push_back(affine::AffineApplyOp::create(builder, loc, single, indices));
    }
    return results;
  }

  Value load(OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    if (producer && op.isDpsInput(&operand) &&
        operand.get() == producer->op.getDpsInits().front()) {
      SmallVector<Value> indicesThere = place(operand);
      return PerElement(producer->op, producer->init, threads).emitOne(builder, indicesThere);
    }
    return memref::LoadOp::create(builder, loc, operand.get(), place(operand));
  }

  void emitElement(Value number) {
    setIndices(number);
    SmallVector<Value> values;
    for (auto [output, init] : llvm::zip_equal(op.getDpsInitsMutable(), inits)) {
      bool isRead = op.payloadUsesValueFromOperand(&output) || !reductions.empty();
      values.push_back(init ? init : isRead ? load(output) : Value());
    }
    values = emitReductions(0, values);
    for (auto [output, value] : llvm::zip_equal(op.getDpsInitsMutable(), values))
      memref::StoreOp::create(builder, loc, value, output.get(), place(output));
  }

  SmallVector<Value> emitReductions(unsigned level, ArrayRef<Value> values) {
    if (level == reductions.size())
      return emitBody(values);
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, extents[reductions[level]]);
    auto loop = scf::ForOp::create(builder, loc, zero, end, one, values);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    indices[reductions[level]] = loop.getInductionVar();
    SmallVector<Value> next =
        emitReductions(level + 1, SmallVector<Value>(loop.getRegionIterArgs()));
    builder.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(builder, loc, next);
    return SmallVector<Value>(loop.getResults());
  }

  SmallVector<Value> emitBody(ArrayRef<Value> values) {
    Block *body = op.getBlock();
    IRMapping mapping;
    for (OpOperand *input : op.getDpsInputOperands())
      if (BlockArgument argument = op.getMatchingBlockArgument(input); !argument.use_empty())
        mapping.map(argument, load(*input));
    for (auto [output, value] : llvm::zip_equal(op.getDpsInitsMutable(), values))
      if (value)
        mapping.map(op.getMatchingBlockArgument(&output), value);
    for (Operation &inner : body->without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
        mapping.map(index.getResult(), indices[index.getDim()]);
        continue;
      }
      Operation *clone = builder.clone(inner, mapping);
      clone->walk([&](linalg::IndexOp index) {
        index.replaceAllUsesWith(indices[index.getDim()]);
        index.erase();
      });
    }
    return llvm::map_to_vector(body->getTerminator()->getOperands(),
                               [&](Value value) { return mapping.lookupOrDefault(value); });
  }

  linalg::LinalgOp op;
  ArrayRef<Value> inits;
  int64_t threads;
  OpBuilder builder;
  Location loc;
  SmallVector<OpFoldResult> extents;
  /// Loop numbers: outermost first.
  SmallVector<unsigned> parallel, reductions;
  SmallVector<Value> indices;
  bool narrow = false;
  std::optional<forge::InlineProducer> producer;
};
} // namespace

OpFoldResult forge::emitPerElement(linalg::LinalgOp op, ArrayRef<Value> inits, int64_t threads,
                                   std::optional<InlineProducer> producer) {
  OpFoldResult blocks = PerElement(op, inits, threads, producer).emit();
  if (producer)
    producer->op->erase();
  return blocks;
}

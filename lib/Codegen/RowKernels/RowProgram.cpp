#include "RowProgram.h"
#include "BodyReads.h"

#include "RowAxes.h"
#include "RowLinks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace forge {
namespace {

/// Builds a RowProgram:
/// 1. Forwards, each operation is linked to what its operands' buffers hold at that moment
///    (RowLinks).
/// 2. Backwards, every loop finds the dimension of the row space it runs over (RowAxes).
/// 3. Operands become reads of values of the row space, or of memory under a map from the row
///    space.
/// 4. What arguments hold at the end is what the kernel writes.
class ProgramBuilder {
public:
  ProgramBuilder(ArrayRef<unsigned> rowLoops, std::string &why) : rowLoops(rowLoops), why(why) {}

  FailureOr<RowProgram> run(ArrayRef<Operation *> ops) {
    FailureOr<RowLinks> links = RowLinks::build(ops, why);
    if (failed(links))
      return failure();
    linked = std::move(*links);
    if (failed(assignAxes(linked, rowLoops, program, why)) || failed(makeStages()) ||
        failed(makeWrites()))
      return failure();
    return std::move(program);
  }

private:
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  /// `map` of an operand of `link`, from the row space.
  AffineMap fromRowSpace(const RowLink &link, AffineMap map) {
    MLIRContext *context = map.getContext();
    SmallVector<AffineExpr> dims;
    for (int axis : link.axes)
      dims.push_back(getAffineDimExpr(axis, context));
    return map.replaceDimsAndSymbols(dims, {}, rowLoops.size() + 1, 0);
  }

  LogicalResult makeStages() {
    unsigned column = rowLoops.size();
    for (RowLink &link : linked.links) {
      RowStage stage;
      stage.op = link.op;
      stage.axes.assign(link.axes.begin(), link.axes.end());
      bool reduces =
          llvm::is_contained(link.op.getIteratorTypesArray(), utils::IteratorType::reduction);
      stage.kind = reduces                                  ? RowStage::Reduction
                   : llvm::is_contained(stage.axes, column) ? RowStage::PerColumn
                                                            : RowStage::PerRow;
      if (reduces) {
        FailureOr<RowReduction> reduction = RowReduction::match(link.op, why);
        if (failed(reduction))
          return failure();
        stage.reduction = std::move(*reduction);
        if (failed(checkInitial(link, stage)))
          return failure();
      }
      for (auto [content, operand] : llvm::zip_equal(link.operands, link.op->getOpOperands())) {
        FailureOr<RowRead> read = makeRead(link, content, operand);
        if (failed(read))
          return failure();
        stage.reads.push_back(*read);
      }
      program.stages.push_back(std::move(stage));
    }
    return success();
  }

  /// What a reduction goes on from is in memory that its result replaces: only the thread that
  /// writes may read it, and the others need something to start from.
  LogicalResult checkInitial(const RowLink &link, RowStage &stage) {
    auto initial = ArrayRef(link.operands).drop_front(stage.op.getNumDpsInputs());
    bool isMemory = llvm::any_of(
        initial, [](const RowContent &content) { return content.kind == RowContent::Memory; });
    // A maximum may begin with what it goes on from in every thread, or with the least number.
    SmallVector<TypedAttr> &neutral = stage.reduction.neutral;
    if (isMemory && neutral.size() == 1 && !neutral[0] && stage.reduction.combiner.size() == 1)
      neutral[0] = arith::getNeutralElement(stage.reduction.combiner.front()).value_or(TypedAttr());
    bool canBegin =
        llvm::none_of(
            initial, [](const RowContent &content) { return content.kind == RowContent::Stage; }) &&
        llvm::all_of(stage.reduction.neutral, [](TypedAttr neutral) { return neutral != nullptr; });
    return isMemory && !canBegin ? fail("a reduction that goes on from what it replaces")
                                 : success();
  }

  FailureOr<RowRead> makeRead(const RowLink &link, const RowContent &content, OpOperand &operand) {
    linalg::GenericOp op = link.op;
    RowRead read;
    if (op.isDpsInit(&operand) && !op.payloadUsesValueFromOperand(&operand))
      return read;
    read.map = fromRowSpace(link, op.getMatchingIndexingMap(&operand));
    switch (content.kind) {
    case RowContent::Splat:
      read.splat = content.splat;
      return read;
    case RowContent::Stage:
      read.stage = content.stage;
      read.result = content.result;
      return read;
    case RowContent::Memory:
      read.memref = RowLinks::baseOf(operand.get());
      if (!linked.isGiven(read.memref))
        return fail("a temporary that is read before it is written");
      return read;
    }
    llvm_unreachable("all kinds handled");
  }

  LogicalResult makeWrites() {
    SmallVector<std::pair<Value, Value>> targets; // what holds it, where it is written
    for (auto [value, content] : linked.holds)
      if (content.kind != RowContent::Memory && linked.results.empty() && linked.isGiven(value))
        targets.push_back({value, value});
    llvm::sort(targets, [](auto a, auto b) { return orderOf(a.first) < orderOf(b.first); });
    for (Value result : linked.results)
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !linked.members.contains(user) || user->hasTrait<OpTrait::IsTerminator>();
          }))
        targets.push_back({result, Value()});
    for (auto [held, memory] : targets)
      if (failed(makeWrite(linked.holds.lookup(held), memory)))
        return failure();
    return program.writes.empty() ? fail("no result") : success();
  }

  static unsigned orderOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? argument.getArgNumber() : ~0u;
  }

  LogicalResult makeWrite(const RowContent &content, Value memory) {
    if (content.kind == RowContent::Splat)
      return fail("a result that is only filled");
    RowLink &link = linked.links[content.stage];
    RowWrite write;
    write.memref = memory;
    write.value.stage = content.stage;
    write.value.result = content.result;
    write.map = fromRowSpace(
        link, link.op.getMatchingIndexingMap(link.op.getDpsInitOperand(content.result)));
    write.perColumn = program.stages[content.stage].kind == RowStage::PerColumn;
    // Every row must write places of its own.
    for (unsigned axis = 0; axis < rowLoops.size() + write.perColumn; ++axis)
      if ((axis == rowLoops.size() || program.rows[axis].size != 1) &&
          !write.map.getResultPosition(getAffineDimExpr(axis, write.map.getContext())))
        return fail("a result that several rows write");
    program.writes.push_back(write);
    return success();
  }

  ArrayRef<unsigned> rowLoops;
  std::string &why;
  RowLinks linked;
  RowProgram program;
};

} // namespace

/// True if neighbouring columns are neighbours in memory, or the same place, apart from the ends of
/// runs: where `map` leads from the column, or from the quotient or remainder of a collapsed one.
static bool walksAlongMemory(AffineMap map, unsigned column) {
  if (!map.isFunctionOfDim(column))
    return true;
  AffineExpr last = map.getResults().back();
  auto isPart = [](AffineExpr expr) {
    return expr.getKind() == AffineExprKind::Mod || expr.getKind() == AffineExprKind::FloorDiv;
  };
  while (isPart(last))
    last = cast<AffineBinaryOpExpr>(last).getLHS();
  return last == getAffineDimExpr(column, map.getContext());
}

/// Elements of which a row need not be side by side: they stay in the second cache.
static constexpr int64_t kCachedElements = 1 << 18;

/// The same of what a body reads by itself.
static bool walksAlongMemory(const BodyRead &read, const RowStage &stage, unsigned column) {
  auto type = cast<ShapedType>(read.values.getType());
  llvm::SmallBitVector all = read.allLoops(), innermost = read.innermostLoops();
  if (all.count() < 2 || !type.hasStaticShape() || type.getNumElements() <= kCachedElements)
    return true;
  auto isOfColumn = [&](unsigned loop) { return stage.axes[loop] == column; };
  return llvm::none_of(all.set_bits(), isOfColumn) ||
         llvm::any_of(innermost.set_bits(), isOfColumn);
}

bool RowProgram::reducesAlongMemory() const {
  return llvm::all_of(stages, [&](const RowStage &stage) {
    if (stage.kind != RowStage::Reduction)
      return true;
    return llvm::all_of(stage.reads,
                        [&](const RowRead &read) {
                          return !read.memref || walksAlongMemory(read.map, columnAxis());
                        }) &&
           llvm::all_of(bodyReadsOf(stage.op), [&](const BodyRead &read) {
             return walksAlongMemory(read, stage, columnAxis());
           });
  });
}

Value RowProgram::Extent::sizeValue(OpBuilder &b, Location loc) const {
  if (!ShapedType::isDynamic(size))
    return arith::ConstantIndexOp::create(b, loc, size);
  // Temporaries go with what they held.
  if (auto alloc = memref.getDefiningOp<memref::AllocOp>())
    return alloc.getDynamicSizes()[alloc.getType().getDynamicDimIndex(dim)];
  return memref::DimOp::create(b, loc, memref, dim);
}

FailureOr<RowProgram> RowProgram::build(ArrayRef<Operation *> ops, std::string &why) {
  linalg::GenericOp root;
  for (Operation *op : ops)
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      root = generic;
  if (!root || root.getNumDpsInits() == 0) {
    why = "no operation with a result";
    return failure();
  }
  SmallVector<unsigned> parallel, outer;
  root.getParallelDims(parallel);
  AffineMap written = root.getMatchingIndexingMap(root.getDpsInitOperand(0));
  llvm::copy_if(parallel, std::back_inserter(outer), [&](unsigned loop) {
    return written.getNumResults() == 0 ||
           written.getResults().back() != getAffineDimExpr(loop, root.getContext());
  });
  if (root.getNumReductionLoops() == 0) {
    FailureOr<RowProgram> program = ProgramBuilder(outer, why).run(ops);
    if (succeeded(program))
      return program;
  }
  return ProgramBuilder(parallel, why).run(ops);
}

} // namespace forge

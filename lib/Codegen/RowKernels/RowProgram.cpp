#include "RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;

namespace forge {
namespace {

constexpr int kUnknown = -1;

/// Builds a RowProgram:
/// 1. Forwards, each operation is linked to what its operands' buffers hold at that moment.
/// 2. Backwards from the last operation, whose row loops are given, every loop finds the dimension
/// of the row space it
///    runs over: through buffers from consumer to producer. A loop that is only reduced runs over
///    the column.
/// 3. Operands become reads of values of the row space, or of memory under a map from the row
/// space.
/// 4. What arguments hold at the end is what the kernel writes.
class Builder {
public:
  Builder(ArrayRef<Operation *> ops, ArrayRef<unsigned> rowLoops, std::string &why)
      : ops(ops), members(ops.begin(), ops.end()), rowLoops(rowLoops), why(why) {}

  FailureOr<RowProgram> run() {
    for (Operation *op : ops)
      if (failed(visit(*op)))
        return failure();
    for (Link &link : links)
      for (Value init : link.op.getDpsInits())
        if (readBefore.contains(baseOf(init)))
          return fail("an element of what the rows write, read before them");
    if (failed(assignAxes()) || failed(makeStages()) || failed(makeWrites()))
      return failure();
    return std::move(program);
  }

private:
  /// What a buffer holds.
  struct Content {
    enum { Memory, Splat, Stage } kind = Memory;
    Value splat;
    int stage = -1;
    unsigned result = 0;
  };
  struct Link {
    linalg::GenericOp op;
    SmallVector<Content> operands;
    SmallVector<int> axes;
  };

  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  static Value baseOf(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (!isa<memref::CastOp, tensor::CastOp>(op))
        break;
      value = op->getOperand(0);
    }
    return value;
  }

  /// True for memory from before: not a temporary, and not computed here.
  bool isGiven(Value value) const {
    Operation *op = baseOf(value).getDefiningOp();
    return !op ||
           (!isa<memref::AllocOp>(op) && !(members.contains(op) && isa<linalg::LinalgOp>(op)));
  }

  /// Bodies may load from memory that the kernel was given (an embedding's table), and have no
  /// other effect.
  bool readsOnlyGiven(linalg::GenericOp op) const {
    return llvm::all_of(op.getBody()->without_terminator(), [&](Operation &inner) {
      if (auto load = dyn_cast<memref::LoadOp>(inner))
        return isGiven(load.getMemRef());
      if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
        return isGiven(extract.getTensor());
      return inner.getNumRegions() == 0 && isMemoryEffectFree(&inner);
    });
  }

  /// `value` now holds `content`: the buffer that an operation writes, or the tensor it returns.
  void hold(Operation *op, unsigned output, Content content) {
    bool onTensors = op->getNumResults() > 0;
    Value target =
        onTensors ? Value(op->getResult(output)) : cast<linalg::LinalgOp>(op).getDpsInits()[output];
    holds[baseOf(target)] = content;
    if (onTensors)
      results.push_back(op->getResult(output));
  }

  LogicalResult visit(Operation &op) {
    if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      hold(fill, 0, {Content::Splat, fill.getInputs()[0], -1, 0});
      return success();
    }
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      Content content = holds.lookup(baseOf(copy.getSource()));
      if (content.kind == Content::Memory)
        return fail("a copy of an argument");
      holds[baseOf(copy.getTarget())] = content;
      return success();
    }
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      if (!readsOnlyGiven(generic))
        return fail("a body that reads a temporary, or has regions");
      Link link{generic, {}, SmallVector<int>(generic.getNumLoops(), kUnknown)};
      for (Value operand : generic->getOperands())
        link.operands.push_back(holds.lookup(baseOf(operand)));
      for (unsigned i = 0; i < generic.getNumDpsInits(); ++i)
        hold(generic, i, {Content::Stage, Value(), static_cast<int>(links.size()), i});
      links.push_back(std::move(link));
      return success();
    }
    if (isa<linalg::LinalgOp>(op) || op.getNumRegions() > 0)
      return fail("an operation " + op.getName().getStringRef());
    // An element read before the rows: of memory that no row writes.
    if (isa<tensor::ExtractOp, memref::LoadOp>(op)) {
      Value source = baseOf(op.getOperand(0));
      readBefore.insert(source);
      return isGiven(source) ? success() : fail("an element of a temporary, read before the rows");
    }
    return isPure(&op) || isa<memref::AllocOp, memref::DeallocOp>(op) ||
                   op.hasTrait<OpTrait::IsTerminator>()
               ? success()
               : fail("an operation " + op.getName().getStringRef());
  }

  /// Sets the axis of loop `loop`; false if it had another.
  static bool setAxis(int &slot, int axis) {
    if (slot != kUnknown && slot != axis)
      return false;
    slot = axis;
    return true;
  }

  LogicalResult assignAxes() {
    Link &root = links.back();
    int column = static_cast<int>(rowLoops.size());
    for (auto [axis, loop] : llvm::enumerate(rowLoops))
      root.axes[loop] = static_cast<int>(axis);
    for (int &axis : root.axes)
      if (axis == kUnknown)
        axis = column;
    for (Link &link : llvm::reverse(links)) {
      if (failed(axesFromConsumers(link)))
        return failure();
      for (auto [loop, axis] : llvm::enumerate(link.axes)) {
        bool reduced = link.op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
        if (axis == kUnknown && reduced)
          axis = column;
        if (axis == kUnknown)
          return fail("a loop that nobody reads by rows");
        if (reduced && axis != column)
          return fail("a reduction over rows");
      }
      if (llvm::count(link.axes, column) > 1)
        return fail("two loops over columns");
      for (int row = 0; row < column; ++row)
        if (llvm::count(link.axes, row) > 1)
          return fail("two loops over one row dimension");
    }
    program.rows.resize(rowLoops.size());
    program.column.size = 1;
    for (Link &link : links)
      for (auto [loop, axis] : llvm::enumerate(link.axes))
        if (failed(recordExtent(link, loop, axis == column ? program.column : program.rows[axis],
                                axis == column)))
          return failure();
    return checkColumns();
  }

  /// The loop of `link` over columns, if it has one.
  std::optional<unsigned> columnLoop(const Link &link) const {
    const int *found = llvm::find(link.axes, static_cast<int>(rowLoops.size()));
    if (found == link.axes.end())
      return std::nullopt;
    return static_cast<unsigned>(found - link.axes.begin());
  }

  /// Rows of different lengths are no row space: the loops over columns have one static length, or
  /// all run over values that they share, one with the next.
  LogicalResult checkColumns() {
    llvm::EquivalenceClasses<int> shared;
    llvm::DenseMap<std::pair<Value, unsigned>, int> readers;
    std::optional<int64_t> length;
    bool oneLength = true;
    for (auto [self, link] : llvm::enumerate(links)) {
      std::optional<unsigned> loop = columnLoop(link);
      if (!loop)
        continue;
      int number = static_cast<int>(self);
      shared.insert(number);
      int64_t size = link.op.getStaticLoopRanges()[*loop];
      oneLength &= !ShapedType::isDynamic(size) && length.value_or(size) == size;
      length = size;
      AffineExpr wanted = getAffineDimExpr(*loop, link.op.getContext());
      for (auto [content, operand] : llvm::zip_equal(link.operands, link.op->getOpOperands())) {
        auto position = link.op.getMatchingIndexingMap(&operand).getResultPosition(wanted);
        if (!position)
          continue;
        if (content.kind == Content::Stage && columnLoop(links[content.stage]))
          shared.unionSets(number, content.stage);
        else if (content.kind == Content::Memory)
          shared.unionSets(
              number,
              readers.try_emplace({baseOf(operand.get()), *position}, number).first->second);
      }
    }
    if (oneLength || shared.getNumClasses() <= 1)
      return success();
    return fail("rows whose lengths may differ");
  }

  /// The axes that later operations read the results of `link` along.
  LogicalResult axesFromConsumers(Link &link) {
    int self = static_cast<int>(&link - links.data());
    for (Link &user : llvm::drop_begin(links, self + 1))
      for (auto [content, operand] : llvm::zip_equal(user.operands, user.op->getOpOperands())) {
        if (content.kind != Content::Stage || content.stage != self)
          continue;
        AffineMap read = user.op.getMatchingIndexingMap(&operand);
        AffineMap written =
            link.op.getMatchingIndexingMap(link.op.getDpsInitOperand(content.result));
        for (auto [from, to] : llvm::zip_equal(read.getResults(), written.getResults())) {
          auto loop = dyn_cast<AffineDimExpr>(to);
          if (!loop)
            return fail("a result that is not written loop by loop");
          if (auto reader = dyn_cast<AffineDimExpr>(from)) {
            if (!setAxis(link.axes[loop.getPosition()], user.axes[reader.getPosition()]))
              return fail("operations that read a value along different dimensions");
          } else {
            return fail("an operation that reads a value at a computed place");
          }
        }
      }
    return success();
  }

  /// Notes where the size of a dimension of the row space is found: at a memref argument.
  LogicalResult recordExtent(Link &link, unsigned loop, RowProgram::Extent &extent, bool isColumn) {
    AffineExpr wanted = getAffineDimExpr(loop, link.op.getContext());
    for (OpOperand &operand : link.op->getOpOperands()) {
      AffineMap map = link.op.getMatchingIndexingMap(&operand);
      std::optional<unsigned> position = map.getResultPosition(wanted);
      if (!position)
        continue;
      int64_t size = cast<ShapedType>(operand.get().getType()).getDimSize(*position);
      Value base = baseOf(operand.get());
      bool isArgument = isGiven(base);
      bool known = extent.memref || !ShapedType::isDynamic(extent.size);
      if (!known || (isColumn && !extent.memref && extent.size == 1) ||
          (ShapedType::isDynamic(extent.size) && !ShapedType::isDynamic(size))) {
        if (!isArgument && ShapedType::isDynamic(size))
          continue;
        extent = {size, isArgument ? base : Value(), *position};
      }
    }
    return success();
  }

  /// `map` of an operand of `link`, from the row space.
  AffineMap fromRowSpace(const Link &link, AffineMap map) {
    MLIRContext *context = map.getContext();
    SmallVector<AffineExpr> dims;
    for (int axis : link.axes)
      dims.push_back(getAffineDimExpr(axis, context));
    return map.replaceDimsAndSymbols(dims, {}, rowLoops.size() + 1, 0);
  }

  LogicalResult makeStages() {
    unsigned column = rowLoops.size();
    for (Link &link : links) {
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

  FailureOr<RowRead> makeRead(const Link &link, const Content &content, OpOperand &operand) {
    linalg::GenericOp op = link.op;
    RowRead read;
    if (op.isDpsInit(&operand) && !op.payloadUsesValueFromOperand(&operand))
      return read;
    read.map = fromRowSpace(link, op.getMatchingIndexingMap(&operand));
    switch (content.kind) {
    case Content::Splat:
      read.splat = content.splat;
      return read;
    case Content::Stage:
      read.stage = content.stage;
      read.result = content.result;
      return read;
    case Content::Memory:
      read.memref = baseOf(operand.get());
      if (!isGiven(read.memref))
        return fail("a temporary that is read before it is written");
      return read;
    }
    llvm_unreachable("all kinds handled");
  }

  LogicalResult makeWrites() {
    SmallVector<std::pair<Value, Value>> targets; // what holds it, where it is written
    for (auto [value, content] : holds)
      if (content.kind != Content::Memory && results.empty() && isGiven(value))
        targets.push_back({value, value});
    llvm::sort(targets, [](auto a, auto b) { return orderOf(a.first) < orderOf(b.first); });
    for (Value result : results)
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user) || user->hasTrait<OpTrait::IsTerminator>();
          }))
        targets.push_back({result, Value()});
    for (auto [held, memory] : targets)
      if (failed(makeWrite(holds.lookup(held), memory)))
        return failure();
    return program.writes.empty() ? fail("no result") : success();
  }

  static unsigned orderOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument ? argument.getArgNumber() : ~0u;
  }

  LogicalResult makeWrite(const Content &content, Value memory) {
    if (content.kind == Content::Splat)
      return fail("a result that is only filled");
    Link &link = links[content.stage];
    RowWrite write;
    write.memref = memory;
    write.value.stage = content.stage;
    write.value.result = content.result;
    write.map = fromRowSpace(
        link, link.op.getMatchingIndexingMap(link.op.getDpsInitOperand(content.result)));
    write.perColumn = program.stages[content.stage].kind == RowStage::PerColumn;
    // Every row must write places of its own.
    for (unsigned axis = 0; axis < rowLoops.size() + write.perColumn; ++axis)
      if (!write.map.getResultPosition(getAffineDimExpr(axis, write.map.getContext())))
        return fail("a result that several rows write");
    program.writes.push_back(write);
    return success();
  }

  ArrayRef<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 16> members;
  SmallVector<Value> results;
  llvm::DenseSet<Value> readBefore;
  ArrayRef<unsigned> rowLoops;
  std::string &why;
  llvm::DenseMap<Value, Content> holds;
  SmallVector<Link> links;
  RowProgram program;
};

} // namespace

bool RowProgram::reducesAlongMemory() const {
  return llvm::all_of(stages, [&](const RowStage &stage) {
    return stage.kind != RowStage::Reduction || llvm::all_of(stage.reads, [&](const RowRead &read) {
             return !read.memref || !read.map.isFunctionOfDim(columnAxis()) ||
                    read.map.getResults().back() ==
                        getAffineDimExpr(columnAxis(), read.map.getContext());
           });
  });
}

FailureOr<RowProgram> RowProgram::build(ArrayRef<Operation *> ops, std::string &why) {
  linalg::GenericOp root;
  for (Operation *op : ops)
    if (auto generic = dyn_cast<linalg::GenericOp>(op))
      root = generic;
  if (!root) {
    why = "no operation";
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
    FailureOr<RowProgram> program = Builder(ops, outer, why).run();
    if (succeeded(program))
      return program;
  }
  return Builder(ops, parallel, why).run();
}

} // namespace forge

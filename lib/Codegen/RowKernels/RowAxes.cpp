#include "RowAxes.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;

namespace forge {
namespace {

/// Backwards from the last operation, whose row loops are given, every loop finds the dimension of
/// the row space it runs over: through buffers from consumer to producer, or, where the kernel
/// reads a result nowhere, from what it is computed of. A loop that is only reduced runs over the
/// column.
class AxisAssigner {
  /// Operations between a result that the kernel only writes and one that it reads, at most.
  static constexpr int kMostProducers = 8;

public:
  AxisAssigner(RowLinks &linked, ArrayRef<unsigned> rowLoops, RowProgram &program, std::string &why)
      : linked(linked), links(linked.links), rowLoops(rowLoops), program(program), why(why) {}

  LogicalResult run() {
    RowLink &root = links.back();
    int column = static_cast<int>(rowLoops.size());
    for (auto [axis, loop] : llvm::enumerate(rowLoops))
      root.axes[loop] = static_cast<int>(axis);
    for (int &axis : root.axes)
      if (axis == kUnknownAxis)
        axis = column;
    for (RowLink &link : llvm::reverse(links)) {
      if (failed(axesFromConsumers(link)) || failed(axesFromProducers(link, kMostProducers)))
        return failure();
      for (auto [loop, axis] : llvm::enumerate(link.axes)) {
        bool reduced = link.op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
        if (axis == kUnknownAxis && reduced)
          axis = column;
        if (axis == kUnknownAxis)
          return fail("a loop that nothing reads by rows");
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
    for (RowLink &link : links)
      for (auto [loop, axis] : llvm::enumerate(link.axes))
        if (failed(recordExtent(link, loop, axis == column ? program.column : program.rows[axis],
                                axis == column)))
          return failure();
    return checkColumns();
  }

private:
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  /// Sets the axis of loop `loop`; false if it had another.
  static bool setAxis(int &slot, int axis) {
    if (slot != kUnknownAxis && slot != axis)
      return false;
    slot = axis;
    return true;
  }

  /// The loop of `link` over columns, if it has one.
  std::optional<unsigned> columnLoop(const RowLink &link) const {
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
        if (content.kind == RowContent::Stage && columnLoop(links[content.stage]))
          shared.unionSets(number, content.stage);
        else if (content.kind == RowContent::Memory)
          shared.unionSets(number,
                           readers.try_emplace({RowLinks::baseOf(operand.get()), *position}, number)
                               .first->second);
      }
    }
    if (oneLength || shared.getNumClasses() <= 1)
      return success();
    return fail("rows whose lengths may differ");
  }

  /// The axes that later operations read the results of `link` along.
  LogicalResult axesFromConsumers(RowLink &link) {
    int self = static_cast<int>(&link - links.data());
    for (RowLink &user : llvm::drop_begin(links, self + 1))
      for (auto [content, operand] : llvm::zip_equal(user.operands, user.op->getOpOperands())) {
        if (content.kind != RowContent::Stage || content.stage != self)
          continue;
        AffineMap read = user.op.getMatchingIndexingMap(&operand);
        AffineMap written =
            link.op.getMatchingIndexingMap(link.op.getDpsInitOperand(content.result));
        for (auto [from, to] : llvm::zip_equal(read.getResults(), written.getResults())) {
          auto loop = dyn_cast<AffineDimExpr>(to);
          if (!loop)
            return fail("a result that is not written loop by loop");
          if (auto reader = dyn_cast<AffineDimExpr>(from)) {
            int axis = user.axes[reader.getPosition()];
            if (axis != kUnknownAxis && !setAxis(link.axes[loop.getPosition()], axis))
              return fail("operations that read a value along different dimensions");
          } else {
            return fail("an operation that reads a value at a computed place");
          }
        }
      }
    return success();
  }

  /// The axes of what `link` reads, for loops that still have none: what others in the kernel read
  /// that along, or in turn what it reads, `depth` operations deep.
  LogicalResult axesFromProducers(RowLink &link, int depth) {
    if (depth == 0 || !llvm::is_contained(link.axes, kUnknownAxis))
      return success();
    for (auto [content, operand] : llvm::zip_equal(link.operands, link.op->getOpOperands())) {
      if (content.kind != RowContent::Stage)
        continue;
      RowLink &maker = links[content.stage];
      if (failed(axesFromConsumers(maker)) || failed(axesFromProducers(maker, depth - 1)))
        return failure();
      AffineMap read = link.op.getMatchingIndexingMap(&operand);
      AffineMap written =
          maker.op.getMatchingIndexingMap(maker.op.getDpsInitOperand(content.result));
      for (auto [from, to] : llvm::zip_equal(read.getResults(), written.getResults())) {
        auto reader = dyn_cast<AffineDimExpr>(from), loop = dyn_cast<AffineDimExpr>(to);
        int axis = reader && loop ? maker.axes[loop.getPosition()] : kUnknownAxis;
        if (axis != kUnknownAxis && link.axes[reader.getPosition()] == kUnknownAxis)
          link.axes[reader.getPosition()] = axis;
      }
    }
    return success();
  }

  /// Notes where the size of a dimension of the row space is found: at a memref argument, or else
  /// at a temporary.
  LogicalResult recordExtent(RowLink &link, unsigned loop, RowProgram::Extent &extent,
                             bool isColumn) {
    AffineExpr wanted = getAffineDimExpr(loop, link.op.getContext());
    for (OpOperand &operand : link.op->getOpOperands()) {
      AffineMap map = link.op.getMatchingIndexingMap(&operand);
      std::optional<unsigned> position = map.getResultPosition(wanted);
      if (!position)
        continue;
      int64_t size = cast<ShapedType>(operand.get().getType()).getDimSize(*position);
      Value base = RowLinks::baseOf(operand.get());
      bool isArgument = linked.isGiven(base);
      bool known = extent.memref || !ShapedType::isDynamic(extent.size);
      bool isBetter = isArgument && extent.memref && !linked.isGiven(extent.memref);
      if (!known || isBetter || (isColumn && !extent.memref && extent.size == 1) ||
          (ShapedType::isDynamic(extent.size) && !ShapedType::isDynamic(size)))
        extent = {size, isArgument || ShapedType::isDynamic(size) ? base : Value(), *position};
    }
    return success();
  }

  RowLinks &linked;
  SmallVector<RowLink> &links;
  ArrayRef<unsigned> rowLoops;
  RowProgram &program;
  std::string &why;
};

} // namespace

LogicalResult assignAxes(RowLinks &links, ArrayRef<unsigned> rowLoops, RowProgram &program,
                         std::string &why) {
  return AxisAssigner(links, rowLoops, program, why).run();
}

} // namespace forge

#include "AttentionMemory.h"

#include "AttentionGraph.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace forge {
namespace {

class Finder {
public:
  Finder(AttentionProgram &program, const RowLinks &links, std::string &why)
      : program(program), links(links), why(why) {}

  /// Sizes that are not static are those of memory that an operation reads.
  LogicalResult findExtents() {
    program.extents.resize(program.columnAxis() + 1);
    for (AttentionStage &stage : program.stages) {
      SmallVector<int64_t> ranges = cast<linalg::LinalgOp>(*stage.op).getStaticLoopRanges();
      for (auto [loop, axis] : llvm::enumerate(stage.axes)) {
        AttentionProgram::Extent &extent = program.extents[axis];
        if (!ShapedType::isDynamic(ranges[loop])) {
          if (!ShapedType::isDynamic(extent.size) && extent.size != ranges[loop])
            return fail("an axis of two sizes");
          extent.size = ranges[loop];
        }
        AffineExpr dim = getAffineDimExpr(loop, stage.op.getContext());
        for (unsigned i = 0; i < stage.op.getNumDpsInputs(); ++i) {
          auto place = stage.op.getIndexingMapsArray()[i].getResultPosition(dim);
          if (!extent.memref && place && stage.operands[i].kind == RowContent::Memory) {
            extent.memref = stage.op->getOperand(i);
            extent.dim = *place;
          }
        }
      }
    }
    for (auto [axis, extent] : llvm::enumerate(program.extents)) {
      bool mayBeDynamic =
          axis < program.isRow.size() ? !program.isRow[axis] : axis == program.keyAxis();
      if (ShapedType::isDynamic(extent.size) && !mayBeDynamic)
        return fail("rows, depth or columns of run-time size");
      if (ShapedType::isDynamic(extent.size) && !extent.memref)
        return fail("a size that nothing read has");
    }
    return success();
  }

  /// The memory that the factor of `contraction` is read from along `axis`: contiguous there.
  FailureOr<AttentionRead> findRead(int contraction, unsigned operand, unsigned axis) {
    AttentionRead read{contraction, operand};
    const RowContent &content = program.stages[contraction].operands[operand];
    if (content.kind == RowContent::Splat)
      return fail("a factor that is one number");
    if (content.kind == RowContent::Stage) {
      read.stage = content.stage;
      SmallVector<AttentionRead> found = readsOf(read.stage, axis);
      if (found.size() != 1)
        return fail("a factor that is not read from one place");
      read = found.front();
    }
    return read.extract ? checkExtract(read, axis) : checkOperand(read, axis);
  }

  /// What the body of a stage reads along an axis.
  SmallVector<AttentionRead> readsOf(int number, unsigned axis) {
    SmallVector<AttentionRead> found;
    const AttentionStage &stage = program.stages[number];
    for (unsigned i = 0; i < stage.op.getNumDpsInputs(); ++i)
      if (reads(stage, i, axis))
        found.push_back({number, i});
    AttentionGraph graph(program);
    for (Operation &op : *stage.op.getBody())
      if (isa<tensor::ExtractOp, memref::LoadOp>(op) &&
          graph.dependsOnAxis({number, op.getResult(0)}, axis))
        found.push_back({number, 0, &op});
    return found;
  }

  FailureOr<AttentionRead> checkOperand(const AttentionRead &read, unsigned axis) {
    const AttentionStage &stage = program.stages[read.stage];
    if (stage.operands[read.operand].kind != RowContent::Memory)
      return fail("a factor of a factor");
    AffineMap map = stage.op.getIndexingMapsArray()[read.operand];
    auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
    if (!last || stage.axes[last.getPosition()] != axis || !map.isProjectedPermutation())
      return fail("a factor that does not lie along its depth or columns");
    return read;
  }

  /// The last index is the axis, and no other depends on it.
  FailureOr<AttentionRead> checkExtract(const AttentionRead &read, unsigned axis) {
    const AttentionStage &stage = program.stages[read.stage];
    OperandRange indices = read.extract->getOperands().drop_front();
    auto last =
        indices.empty() ? linalg::IndexOp() : indices.back().getDefiningOp<linalg::IndexOp>();
    AttentionGraph graph(program);
    bool lies = last && stage.axes[last.getDim()] == axis &&
                llvm::none_of(indices.drop_back(), [&](Value index) {
                  return graph.dependsOnAxis({read.stage, index}, axis);
                });
    if (!lies)
      return fail("a factor that does not lie along its depth or columns");
    return read;
  }

  static bool reads(const AttentionStage &stage, unsigned operand, unsigned axis) {
    AffineMap map = stage.op.getIndexingMapsArray()[operand];
    for (auto [loop, other] : llvm::enumerate(stage.axes))
      if (other == axis && map.isFunctionOfDim(loop))
        return true;
    return false;
  }

  LogicalResult findReads(unsigned keyOperand, unsigned weightOperand) {
    auto query = findRead(program.scores, 1 - keyOperand, program.depthAxis());
    auto key = findRead(program.scores, keyOperand, program.depthAxis());
    auto value = findRead(program.weighted, 1 - weightOperand, program.columnAxis());
    if (failed(query) || failed(key) || failed(value))
      return failure();
    program.query = *query;
    program.key = *key;
    program.value = *value;
    if (!isReadAlong(*value, program.keyAxis()))
      return fail("the same value for all keys");
    for (const AttentionRead &read : {*key, *value})
      for (auto [axis, row] : llvm::enumerate(program.isRow))
        if (row && isReadAlong(read, axis))
          return fail("keys or values of their own for each row");
    return success();
  }

  bool isReadAlong(const AttentionRead &read, unsigned axis) {
    const AttentionStage &stage = program.stages[read.stage];
    if (!read.extract)
      return reads(stage, read.operand, axis);
    return AttentionGraph(program).dependsOnAxis({read.stage, read.extract->getResult(0)}, axis);
  }

  LogicalResult findWrites() {
    SmallVector<std::pair<RowContent, Value>> targets;
    for (auto [held, content] : links.holds)
      if (content.kind == RowContent::Stage && links.results.empty() && links.isGiven(held))
        targets.push_back({content, held});
    llvm::sort(targets, [](const auto &a, const auto &b) {
      return std::pair(a.first.stage, a.first.result) < std::pair(b.first.stage, b.first.result);
    });
    for (Value result : links.results) {
      RowContent content = links.holds.lookup(result);
      // What others start from too, they fill themselves.
      auto isGoal = [&](Operation *user) {
        return links.members.contains(user) ? user->hasTrait<OpTrait::IsTerminator>()
                                            : content.kind == RowContent::Stage;
      };
      if (llvm::none_of(result.getUsers(), isGoal))
        continue;
      if (content.kind != RowContent::Stage)
        return fail("a result that is one number");
      targets.push_back({content, Value()});
    }
    for (auto [content, memref] : targets) {
      const AttentionStage &stage = program.stages[content.stage];
      AttentionWrite write{content.stage, content.result, stage.runsOver(program.columnAxis()),
                           memref};
      AffineMap map = stage.op.getMatchingIndexingMap(stage.op.getDpsInitOperand(content.result));
      bool coversRows = llvm::all_of(llvm::seq<unsigned>(program.isRow.size()),
                                     [&](unsigned axis) { return stage.runsOver(axis); });
      bool isKnown = content.stage == program.weighted || stage.op.getNumReductionLoops() == 0;
      bool ofKeys = stage.runsOver(program.keyAxis()) && content.stage != program.weighted;
      if (ofKeys || stage.runsOver(program.depthAxis()) || !isKnown || !coversRows ||
          !map.isProjectedPermutation())
        return fail("a result that is not one of rows, or of rows and columns");
      program.writes.push_back(write);
    }
    return program.writes.empty() ? fail("no result") : success();
  }

private:
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  AttentionProgram &program;
  const RowLinks &links;
  std::string &why;
};

} // namespace

Value alignedRoot(Value memory) {
  Operation *op = memory.getDefiningOp();
  if (!op || !isa<tensor::ExtractSliceOp, memref::SubViewOp>(op))
    return memory;
  auto part = cast<OffsetSizeAndStrideOpInterface>(op);
  Value root = op->getOperand(0);
  auto type = cast<ShapedType>(root.getType());
  auto isOne = [](int64_t stride) { return stride == 1; };
  if (!type.hasStaticShape() || ShapedType::isDynamicShape(part.getStaticOffsets()) ||
      !llvm::all_of(part.getStaticStrides(), isOne))
    return Value();
  constexpr int64_t kAccessBytes = 16;
  int64_t bytes = type.getElementTypeBitWidth() / 8, offset = 0;
  for (auto [size, start] : llvm::zip_equal(type.getShape(), part.getStaticOffsets()))
    offset = offset * size + start;
  bool isAligned = bytes > 0 && type.getRank() > 0 && offset * bytes % kAccessBytes == 0 &&
                   type.getShape().back() * bytes % kAccessBytes == 0;
  return isAligned ? root : Value();
}

LogicalResult findAttentionMemory(AttentionProgram &program, const RowLinks &links,
                                  unsigned keyOperand, unsigned weightOperand, std::string &why) {
  Finder finder(program, links, why);
  return success(succeeded(finder.findExtents()) &&
                 succeeded(finder.findReads(keyOperand, weightOperand)) &&
                 succeeded(finder.findWrites()));
}

} // namespace forge

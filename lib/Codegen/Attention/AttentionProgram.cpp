#include "AttentionProgram.h"

#include "AttentionGraph.h"
#include "AttentionMemory.h"

#include "../Library/LibraryProduct.h"
#include "../Strategy/RowReduction.h"

#include "forge/Codegen/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace forge {

int64_t AttentionProgram::numRows() const {
  int64_t rows = 1;
  for (auto [axis, row] : llvm::enumerate(isRow))
    if (row)
      rows *= extents[axis].size;
  return rows;
}

Value AttentionProgram::memoryOf(const AttentionRead &read) const {
  return read.extract ? read.extract->getOperand(0)
                      : stages[read.stage].op->getOperand(read.operand);
}

Value AttentionProgram::RowFactor::applyTo(ImplicitLocOpBuilder &b, Value number, Value ofRow,
                                           Value zero) const {
  switch (kind) {
  case Divides:
    return arith::DivFOp::create(b, number, ofRow);
  case Multiplies:
    return arith::MulFOp::create(b, number, ofRow);
  case ZeroIf:
    return arith::SelectOp::create(b, ofRow, zero, number);
  case ZeroUnless:
    return arith::SelectOp::create(b, ofRow, number, zero);
  }
  llvm_unreachable("all kinds handled");
}

namespace {

/// 1. Every operation is linked to what its operands hold (RowLinks). 2. The two contractions are
/// found, and between them the maximum, the exponentials and their sum. 3. From the scores on,
/// every loop finds its axis, by what operations hand to one another. 4. What is between is
/// checked to be computable key by key: logits from scores alone, the base from the maximum alone,
/// results from row values. 5. Sizes, the memory that is read along a dimension, and what is
/// written.
class Builder {
public:
  explicit Builder(std::string &why) : why(why) {}

  FailureOr<AttentionProgram> run(ArrayRef<Operation *> ops) {
    FailureOr<RowLinks> built = RowLinks::build(ops, why);
    if (failed(built))
      return failure();
    links = std::move(*built);
    if (failed(findContractions()) || failed(findReductions()) || failed(assignAxes()))
      return failure();
    for (RowLink &link : links.links) {
      AttentionStage stage{link.op, link.operands, {}};
      stage.axes.assign(link.axes.begin(), link.axes.end());
      program.stages.push_back(std::move(stage));
    }
    if (failed(matchSoftmax()) || failed(checkDomains()) ||
        failed(findAttentionMemory(program, links, keyOperand, weightOperand, why)))
      return failure();
    return std::move(program);
  }

private:
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  static bool startsFromZero(const RowLink &link) {
    const RowContent &start = link.operands.back();
    return start.kind == RowContent::Splat && matchPattern(start.splat, m_AnyZeroFloat());
  }

  static bool isProduct(const RowLink &link) {
    linalg::GenericOp op = link.op;
    return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
           op.getNumReductionLoops() == 1 && addsProduct(*op.getBody()) && startsFromZero(link) &&
           getElementTypeOrSelf(op.getDpsInits()[0]).isF32();
  }

  LogicalResult findContractions() {
    for (auto [number, link] : llvm::enumerate(links.links))
      if (isProduct(link)) {
        if (program.weighted >= 0)
          return fail("a third product");
        (program.scores < 0 ? program.scores : program.weighted) = static_cast<int>(number);
      }
    if (program.weighted < 0)
      return fail("no two products");
    for (unsigned i : {0u, 1u})
      if (const RowContent &content = links.links[program.weighted].operands[i];
          content.kind == RowContent::Stage && isNeededFor(content.stage)) {
        program.weights = content.stage;
        weightOperand = i;
      }
    return program.weights < 0 ? fail("no weights that follow from the scores") : success();
  }

  /// True if the result of stage `number` follows from the scores.
  bool isNeededFor(int number) const {
    return number == program.scores ||
           llvm::any_of(links.links[number].operands, [&](const RowContent &content) {
             return content.kind == RowContent::Stage && isNeededFor(content.stage);
           });
  }

  /// What `link` takes the maximum of, from -inf; null if it is no maximum. A maximum of narrow
  /// floats rounds nothing.
  static Value elementOfMaximum(const RowLink &link) {
    linalg::GenericOp op = link.op;
    const RowContent &start = link.operands.back();
    if (op.getNumReductionLoops() != 1 || op.getNumDpsInits() != 1 ||
        start.kind != RowContent::Splat || !matchPattern(start.splat, m_NegInfFloat()))
      return {};
    auto bare = [](Value value) {
      while (Operation *cast = value.getDefiningOp()) {
        if (!isa<arith::TruncFOp, arith::ExtFOp>(cast))
          break;
        value = cast->getOperand(0);
      }
      return value;
    };
    auto maximum =
        bare(op.getBody()->getTerminator()->getOperand(0)).getDefiningOp<arith::MaximumFOp>();
    if (!maximum)
      return {};
    for (unsigned i : {0u, 1u})
      if (bare(maximum->getOperand(i)) == op.getRegionOutputArgs().front())
        return maximum->getOperand(1 - i);
    return {};
  }

  LogicalResult findReductions() {
    for (auto [number, link] : llvm::enumerate(links.links)) {
      int index = static_cast<int>(number);
      if (index == program.scores || index == program.weighted ||
          link.op.getNumReductionLoops() == 0)
        continue;
      if (Value element = elementOfMaximum(link)) {
        if (program.largest >= 0)
          return fail("a second maximum");
        program.largest = index;
        largestElement = element;
        continue;
      }
      std::string ignored;
      FailureOr<RowReduction> reduction = RowReduction::match(link.op, ignored);
      if (failed(reduction) || reduction->combiner.size() != 1 || reduction->elements.size() != 1 ||
          link.op.getNumReductionLoops() != 1)
        return fail("a reduction that is no maximum and no sum");
      bool isSum = isa<arith::AddFOp>(reduction->combiner.front()) && startsFromZero(link);
      if (!isSum || program.sums >= 0)
        return fail("a reduction that is not the maximum or the sum of the softmax");
      program.sums = index;
      sumElement = reduction->elements.front();
    }
    return program.sums < 0 || program.largest < 0 ? fail("no softmax") : success();
  }

  //===--- axes ---===//

  /// Keys are what the maximum runs over, and the other axes those of its result, in their order: a
  /// product of keys and queries may have its dimensions in any.
  LogicalResult startAxes() {
    RowLink &largest = links.links[program.largest], &scores = links.links[program.scores];
    auto rows = loopsOf(largest.op.getMatchingIndexingMap(largest.op.getDpsInitOperand(0)));
    if (!rows)
      return fail("a maximum whose result is not plainly indexed");
    program.isRow.resize(rows->size());
    for (auto [axis, loop] : llvm::enumerate(*rows))
      largest.axes[loop] = static_cast<int>(axis);
    SmallVector<unsigned> reduced;
    largest.op.getReductionDims(reduced);
    largest.axes[reduced.front()] = static_cast<int>(program.keyAxis());
    if (failed(links.joinAxes(why)))
      return failure();
    SmallVector<AffineMap> maps = scores.op.getIndexingMapsArray();
    auto a = loopsOf(maps[0]), c = loopsOf(maps[1]), out = loopsOf(maps[2]);
    if (!a || !c || !out)
      return fail("scores whose operands are not plainly indexed");
    const auto *keys = llvm::find_if(*out, [&](unsigned loop) {
      return scores.axes[loop] == static_cast<int>(program.keyAxis());
    });
    if (keys == out->end() || out->size() != rows->size() + 1)
      return fail("a maximum that does not run over a dimension of the scores");
    keyOperand = llvm::is_contained(*a, *keys) ? 0 : 1;
    ArrayRef<unsigned> key = keyOperand == 0 ? *a : *c, query = keyOperand == 0 ? *c : *a;
    if (llvm::is_contained(query, *keys))
      return fail("keys that are queries");
    for (unsigned loop : *out) {
      if (loop == *keys)
        continue;
      if (scores.axes[loop] == kUnknownAxis || !llvm::is_contained(query, loop))
        return fail("more than one dimension of keys");
      program.isRow[scores.axes[loop]] = !llvm::is_contained(key, loop);
    }
    for (int &axis : scores.axes)
      if (axis == kUnknownAxis)
        axis = static_cast<int>(program.depthAxis());
    return success();
  }

  /// The columns are the one loop of the weighted sum's result that the weights do not have.
  LogicalResult startColumns() {
    RowLink &link = links.links[program.weighted];
    SmallVector<AffineMap> maps = link.op.getIndexingMapsArray();
    auto weights = loopsOf(maps[weightOperand]), out = loopsOf(maps[2]);
    if (!weights || !out)
      return fail("a weighted sum whose operands are not plainly indexed");
    unsigned found = 0;
    for (unsigned loop : *out)
      if (!llvm::is_contained(*weights, loop)) {
        link.axes[loop] = static_cast<int>(program.columnAxis());
        ++found;
      }
    return found == 1 ? success() : fail("values without columns");
  }

  LogicalResult assignAxes() {
    if (failed(startAxes()) || failed(startColumns()) || failed(links.joinAxes(why)))
      return failure();
    for (RowLink &link : links.links) {
      llvm::SmallDenseSet<int> seen;
      for (int axis : link.axes)
        if (axis == kUnknownAxis || !seen.insert(axis).second)
          return fail("an operation that is not part of the attention");
    }
    auto reduces = [&](int stage, unsigned axis) {
      RowLink &link = links.links[stage];
      SmallVector<unsigned> loops;
      link.op.getReductionDims(loops);
      return link.axes[loops.front()] == static_cast<int>(axis);
    };
    bool alongKeys = reduces(program.largest, program.keyAxis()) &&
                     reduces(program.sums, program.keyAxis()) &&
                     reduces(program.weighted, program.keyAxis());
    return alongKeys ? success() : fail("a reduction that does not run over the keys");
  }

  //===--- what is computed ---===//

  /// Whether `place` is a number of its row, computed of the maximum and the sum alone.
  bool isOfRow(const AttentionGraph &graph, AttentionGraph::Place place) const {
    return !graph.dependsOnAxis(place, program.keyAxis()) &&
           !graph.dependsOnAxis(place, program.columnAxis()) &&
           !graph.dependsOn(place, {program.scores, program.weighted});
  }

  /// Takes a number of its row off `weight`, which becomes what it multiplies or divides, or what
  /// there is if it is not zero for the row; false if there is none.
  bool takeRowFactor(const AttentionGraph &graph, AttentionGraph::Place &weight) {
    using Factor = AttentionProgram::RowFactor;
    Operation *op = weight.value.getDefiningOp();
    if (auto select = dyn_cast_or_null<arith::SelectOp>(op)) {
      AttentionGraph::Place condition{weight.stage, select.getCondition()};
      bool isZeroIf = isZero(weight.stage, select.getTrueValue());
      if (!(isZeroIf || isZero(weight.stage, select.getFalseValue())) || !isOfRow(graph, condition))
        return false;
      program.rowFactors.push_back(
          {weight.stage, condition.value, isZeroIf ? Factor::ZeroIf : Factor::ZeroUnless});
      weight = graph.unrounded(
          {weight.stage, isZeroIf ? select.getFalseValue() : select.getTrueValue()});
      return true;
    }
    if (!isa_and_nonnull<arith::DivFOp, arith::MulFOp>(op))
      return false;
    bool divides = isa<arith::DivFOp>(op);
    for (unsigned i : {1u, 0u}) {
      AttentionGraph::Place row{weight.stage, op->getOperand(i)};
      if ((i == 0 && divides) || !isOfRow(graph, row))
        continue;
      program.rowFactors.push_back(
          {weight.stage, row.value, divides ? Factor::Divides : Factor::Multiplies});
      weight = graph.unrounded({weight.stage, op->getOperand(1 - i)});
      return true;
    }
    return false;
  }

  /// Whether `value`, in the body of `stage`, is zero everywhere.
  bool isZero(int stage, Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      const AttentionStage &reader = program.stages[stage];
      if (argument.getOwner() != reader.op.getBody())
        return false;
      const RowContent &content = reader.operands[argument.getArgNumber()];
      return content.kind == RowContent::Splat && matchPattern(content.splat, m_AnyZeroFloat());
    }
    return matchPattern(value, m_AnyZeroFloat());
  }

  /// weight = exp(logit - base), perhaps divided by the sum, multiplied by others of the row, or
  /// zero for it;
  /// the maximum is that of the logits, the sum that of the exponentials.
  LogicalResult matchSoftmax() {
    const RowContent &content = program.stages[program.weighted].operands[weightOperand];
    AttentionGraph graph(program);
    AttentionGraph::Place weight{
        program.weights,
        program.stages[program.weights].op.getBody()->getTerminator()->getOperand(content.result)};
    // Narrow weights, and what they are computed of, may stay as they are in f32.
    weight = graph.unrounded(weight);
    while (takeRowFactor(graph, weight)) {
    }
    std::reverse(program.rowFactors.begin(), program.rowFactors.end());
    auto exponential = weight.value.getDefiningOp<math::ExpOp>();
    if (!exponential || !weight.value.getType().isF32())
      return fail("weights that are not exponentials in f32");
    AttentionGraph::Place argument = graph.unrounded({weight.stage, exponential.getOperand()});
    auto difference = argument.value.getDefiningOp<arith::SubFOp>();
    if (!difference || argument.stage != weight.stage || !difference.getType().isF32())
      return fail("weights that are not exponentials of differences");
    program.exponentials = weight.stage;
    program.logit = difference.getLhs();
    program.base = difference.getRhs();
    AttentionGraph::Place logit{weight.stage, program.logit}, base{weight.stage, program.base};
    if (!graph.isSame(graph.unrounded(logit), graph.unrounded({program.largest, largestElement})))
      return fail("a maximum of other numbers than the logits");
    if (!graph.isSame(weight, graph.unrounded({program.sums, sumElement})))
      return fail("a sum of other numbers than the weights");
    if (graph.dependsOn(logit, {program.largest, program.sums, program.weighted}) ||
        graph.dependsOn(base, {program.scores, program.sums, program.weighted}) ||
        graph.dependsOnAxis(base, program.keyAxis()))
      return fail("a logit that follows from the maximum, or a base that follows from one key");
    return success();
  }

  /// What is between the five is computed for a key (of scores), for a factor's element, or for
  /// a row or a row's column (of the three that are known at the end).
  LogicalResult checkDomains() {
    AttentionGraph graph(program);
    for (auto [number, stage] : llvm::enumerate(program.stages)) {
      int index = static_cast<int>(number);
      if (llvm::is_contained(
              {program.scores, program.largest, program.weights, program.sums, program.weighted},
              index))
        continue;
      bool ofKey = stage.runsOver(program.keyAxis()), ofDepth = stage.runsOver(program.depthAxis());
      bool ofColumn = stage.runsOver(program.columnAxis());
      for (Value result : stage.op.getBody()->getTerminator()->getOperands()) {
        AttentionGraph::Place place{index, result};
        bool ofFactor = ofDepth || (ofKey && ofColumn);
        if (ofFactor && graph.dependsOn(place, {program.scores, program.weighted}))
          return fail("a factor that follows from the scores");
        if (!ofFactor && !ofKey && graph.dependsOn(place, {program.scores, program.weights}))
          return fail("a result that follows from one score");
        if (!ofFactor && ofKey && graph.dependsOn(place, {program.sums, program.weighted}))
          return fail("a number of each key that follows from the sum");
      }
    }
    return success();
  }

  std::string &why;
  RowLinks links;
  AttentionProgram program;
  unsigned keyOperand = 0, weightOperand = 0;
  Value largestElement, sumElement;
};

} // namespace

FailureOr<AttentionProgram> AttentionProgram::build(ArrayRef<Operation *> ops, std::string &why) {
  return Builder(why).run(ops);
}

} // namespace forge

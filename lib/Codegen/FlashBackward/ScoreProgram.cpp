#include "ScoreProgram.h"

#include "../Strategy/ProductAxes.h"
#include "../Strategy/RowReduction.h"

#include "forge/Codegen/Contraction.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

bool forge::sumsProducts(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 && op.getNumReductionLoops() > 0 &&
         op->getNumRegions() == 1 && addsProduct(op->getRegion(0).front()) && isMatrixProduct(op) &&
         getElementTypeOrSelf(op.getDpsInits()[0]).isF32();
}

namespace {
/// 1. Every operation is linked to what its operands hold. Sums of products of memory are products,
///    others, of what follows from these, are sums.
/// 2. The first product's loops are outer axes, rows, keys and depth; the others' follow from what
///    they hand to one another.
/// 3. Sizes; what is written.
class ScoreBuilder {
public:
  explicit ScoreBuilder(std::string &why) : why(why) {}

  FailureOr<ScoreProgram> run(ArrayRef<Operation *> ops) {
    FailureOr<RowLinks> built = RowLinks::build(ops, why);
    if (failed(built))
      return failure();
    links = std::move(*built);
    for (RowLink &link : links.links)
      program.graph.stages.push_back({link.op, link.operands, {}});
    if (failed(findProducts()) || failed(startAxes()) || failed(links.joinAxes(why)) ||
        failed(nameInnerAxes()) || failed(links.joinAxes(why)))
      return failure();
    for (auto [link, stage] : llvm::zip_equal(links.links, program.graph.stages)) {
      llvm::SmallDenseSet<int> seen;
      for (int axis : link.axes) {
        if (axis == kUnknownAxis || !seen.insert(axis).second)
          return fail("an operation that is not on rows and keys");
        stage.axes.push_back(static_cast<unsigned>(axis));
      }
    }
    if (failed(findExtents()) || failed(finishRoles()))
      return failure();
    findWrites();
    return std::move(program);
  }

private:
  LogicalResult fail(const Twine &reason) {
    why = reason.str();
    return failure();
  }

  bool isProductOp(const RowLink &link) const {
    const RowContent &start = link.operands.back();
    return sumsProducts(link.op) && start.kind == RowContent::Splat &&
           matchPattern(start.splat, m_AnyZeroFloat());
  }

  bool followsFromProduct(int number) {
    auto [entry, isNew] = follows.try_emplace(number, false);
    if (!isNew)
      return entry->second;
    const RowLink &link = links.links[number];
    bool any = isProductOp(link) || llvm::any_of(link.operands, [&](const RowContent &content) {
                 return content.kind == RowContent::Stage && followsFromProduct(content.stage);
               });
    return follows[number] = any;
  }

  LogicalResult findProducts() {
    for (auto [index, link] : llvm::enumerate(links.links)) {
      int number = static_cast<int>(index);
      if (link.op.getNumReductionLoops() == 0)
        continue;
      if (!isProductOp(link)) {
        program.reductions.push_back(number);
        continue;
      }
      bool isNumber[2] = {false, false};
      for (unsigned i : {0u, 1u})
        isNumber[i] = link.operands[i].kind == RowContent::Stage &&
                      followsFromProduct(link.operands[i].stage);
      if (isNumber[0] && isNumber[1])
        return fail("a product of what follows from products");
      if (isNumber[0] || isNumber[1]) {
        unsigned at = isNumber[0] ? 0 : 1;
        program.sums.push_back({number, at, 1 - at, false, 0});
        continue;
      }
      if (link.op.getNumReductionLoops() != 1)
        return fail("a product over several dimensions");
      program.products.push_back({number, 0, 1, 0});
    }
    constexpr size_t mostProducts = 2;
    return program.products.empty() || program.products.size() > mostProducts
               ? fail("no scores, or more than two products of rows and keys")
               : success();
  }

  /// Loops of the scores in the order of those of the first operation that reads them: a product of
  /// keys and queries may have its dimensions in any.
  std::optional<SmallVector<unsigned>> readOrder(int scores, ArrayRef<unsigned> out) const {
    for (const RowLink &link : links.links)
      for (unsigned i = 0; i < link.op.getNumDpsInputs(); ++i) {
        if (link.operands[i].kind != RowContent::Stage || link.operands[i].stage != scores)
          continue;
        auto read = loopsOf(link.op.getIndexingMapsArray()[i]);
        if (!read || read->size() != out.size() || link.op.getNumLoops() != out.size())
          return std::nullopt;
        SmallVector<unsigned> order(out.size());
        for (auto [loop, at] : llvm::zip_equal(out, *read))
          order[at] = loop;
        return order;
      }
    return std::nullopt;
  }

  /// Keys are the last of them.
  LogicalResult startAxes() {
    ScoreProgram::Product &scores = program.products.front();
    program.graph.scores = scores.stage;
    RowLink &link = links.links[scores.stage];
    SmallVector<AffineMap> maps = link.op.getIndexingMapsArray();
    auto a = loopsOf(maps[0]), c = loopsOf(maps[1]), out = loopsOf(maps[2]);
    if (!a || !c || !out || out->empty())
      return fail("scores whose operands are not plainly indexed");
    std::optional<SmallVector<unsigned>> order = readOrder(scores.stage, *out);
    if (!order)
      return fail("scores that no operation reads once each");
    unsigned keys = order->back();
    scores.key = llvm::is_contained(*a, keys) ? 0 : 1;
    scores.row = 1 - scores.key;
    ArrayRef<unsigned> key = scores.key == 0 ? *a : *c, row = scores.key == 0 ? *c : *a;
    if (llvm::is_contained(row, keys))
      return fail("keys that are queries");
    AttentionProgram &graph = program.graph;
    for (unsigned loop : ArrayRef(*order).drop_back()) {
      if (!llvm::is_contained(row, loop))
        return fail("more than one dimension of keys");
      link.axes[loop] = static_cast<int>(graph.isRow.size());
      graph.isRow.push_back(!llvm::is_contained(key, loop));
    }
    link.axes[keys] = static_cast<int>(graph.keyAxis());
    nameRest(link, graph.depthAxis());
    scores.inner = graph.depthAxis();
    return success();
  }

  static void nameRest(RowLink &link, unsigned axis) {
    for (int &other : link.axes)
      if (other == kUnknownAxis)
        other = static_cast<int>(axis);
  }

  LogicalResult nameInnerAxes() {
    const AttentionProgram &graph = program.graph;
    SmallVector<int> others = program.productStages();
    llvm::erase(others, graph.scores);
    for (ScoreProgram::Product &product : llvm::drop_begin(program.products)) {
      RowLink &link = links.links[product.stage];
      nameRest(link, graph.columnAxis());
      product.inner = graph.columnAxis();
    }
    for (ScoreProgram::Sum &sum : program.sums) {
      bool followsFromOther = AttentionGraph(graph).dependsOn(program.numberOf(sum), others);
      sum.inner = followsFromOther ? graph.depthAxis() : graph.columnAxis();
      nameRest(links.links[sum.stage], sum.inner);
    }
    return success();
  }

  LogicalResult findExtents() {
    AttentionProgram &graph = program.graph;
    graph.extents.resize(graph.columnAxis() + 1);
    for (AttentionStage &stage : graph.stages) {
      SmallVector<int64_t> ranges = cast<linalg::LinalgOp>(*stage.op).getStaticLoopRanges();
      for (auto [range, axis] : llvm::zip_equal(ranges, stage.axes)) {
        int64_t &size = graph.extents[axis].size;
        if (ShapedType::isDynamic(range) || range < 1 ||
            (!ShapedType::isDynamic(size) && size != range))
          return fail("axes of other than one known size");
        size = range;
      }
    }
    // Without a second product or sum there are no columns.
    if (int64_t &columns = graph.extents[graph.columnAxis()].size; ShapedType::isDynamic(columns))
      columns = graph.extents[graph.depthAxis()].size;
    return success();
  }

  bool reads(int stage, unsigned operand, unsigned axis) const {
    const AttentionStage &of = program.graph.stages[stage];
    AffineMap map = of.op.getIndexingMapsArray()[operand];
    for (auto [loop, other] : llvm::enumerate(of.axes))
      if (other == axis && map.isFunctionOfDim(loop))
        return true;
    return false;
  }

  /// The axes that `stage` sums over.
  llvm::SmallDenseSet<unsigned> summedAxes(int stage) const {
    const AttentionStage &of = program.graph.stages[stage];
    SmallVector<unsigned> loops;
    of.op.getReductionDims(loops);
    llvm::SmallDenseSet<unsigned> axes;
    for (unsigned loop : loops)
      axes.insert(of.axes[loop]);
    return axes;
  }

  /// Heads that share keys are places of their own where gradients of keys are added up for each of
  /// them, as of keys that the module repeats.
  void separateHeads() {
    for (const ScoreProgram::Sum &sum : program.sums) {
      llvm::SmallDenseSet<unsigned> over = summedAxes(sum.stage);
      if (over.contains(program.graph.keyAxis()))
        continue;
      for (auto [axis, isRow] : llvm::enumerate(program.graph.isRow))
        isRow &= over.contains(axis);
    }
  }

  /// Which factors are the rows' and the keys', and what sums run over.
  LogicalResult finishRoles() {
    separateHeads();
    const AttentionProgram &graph = program.graph;
    for (ScoreProgram::Product &product : program.products) {
      if (reads(product.stage, product.row, graph.keyAxis()))
        std::swap(product.row, product.key);
      if (reads(product.stage, product.row, graph.keyAxis()) ||
          !reads(product.stage, product.key, graph.keyAxis()))
        return fail("a product that is not one of rows and keys");
      for (auto [axis, isRow] : llvm::enumerate(graph.isRow))
        if (isRow && reads(product.stage, product.key, axis))
          return fail("keys or values of their own for each row");
    }
    for (ScoreProgram::Sum &sum : program.sums) {
      llvm::SmallDenseSet<unsigned> over = summedAxes(sum.stage);
      sum.overKeys = over.contains(graph.keyAxis());
      unsigned count = sum.overKeys ? 1 : llvm::count(graph.isRow, true);
      bool all = over.size() == count;
      for (auto [axis, isRow] : llvm::enumerate(graph.isRow))
        all &= over.contains(axis) == (!sum.overKeys && isRow);
      if (!all || !reads(sum.stage, sum.memory, sum.inner))
        return fail("a sum that runs over other than all rows or keys");
    }
    return success();
  }

  void findWrites() {
    SmallVector<std::pair<RowContent, Value>> targets;
    for (auto [held, content] : links.holds)
      if (content.kind == RowContent::Stage && links.results.empty() && links.isGiven(held))
        targets.push_back({content, held});
    for (Value result : links.results) {
      RowContent content = links.holds.lookup(result);
      // What nothing uses yet is used once it replaces something.
      bool leaves =
          result.use_empty() || llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !links.members.contains(user) || user->hasTrait<OpTrait::IsTerminator>();
          });
      if (content.kind == RowContent::Stage && leaves)
        targets.push_back({content, Value()});
    }
    llvm::sort(targets, [](const auto &a, const auto &b) {
      return std::pair(a.first.stage, a.first.result) < std::pair(b.first.stage, b.first.result);
    });
    for (auto [content, memref] : targets)
      program.writes.push_back({content.stage, content.result, /*perColumn=*/true, memref});
  }

  std::string &why;
  RowLinks links;
  ScoreProgram program;
  llvm::DenseMap<int, bool> follows;
};
} // namespace

FailureOr<ScoreProgram> ScoreProgram::build(ArrayRef<Operation *> ops, std::string &why) {
  return ScoreBuilder(why).run(ops);
}

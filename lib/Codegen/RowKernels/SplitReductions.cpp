#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "../Strategy/RowReduction.h"
#include "SplitPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-split-reductions"

using namespace mlir;

namespace {
/// 1. Each dimension that is divided becomes two, the first of which numbers parts; one whose parts
///    are single elements stays. Of two that are reduced, the inner one becomes one of the partial
///    results.
/// 2. Each part is reduced by the body, from the combiner's neutral element, or from the initial
///    value where joining that several times does no harm.
/// 3. The combiner joins the parts' results, beginning with the initial value.
struct SplitReductionsPass : public forge::impl::SplitReductionsPassBase<SplitReductionsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<std::pair<linalg::GenericOp, forge::Split>> reductions;
    getOperation().walk([&](linalg::GenericOp op) {
      std::optional<forge::Split> split =
          op.hasPureTensorSemantics() ? forge::planSplit(op) : std::nullopt;
      if (split)
        reductions.emplace_back(op, *split);
    });
    for (auto [op, plan] : reductions) {
      std::string why;
      FailureOr<forge::RowReduction> reduction = forge::RowReduction::match(op, why);
      if (succeeded(reduction))
        split(op, *reduction, plan);
    }
  }

  /// `input` with two dimensions where a divided loop alone goes over one, and the map of that.
  static std::pair<Value, AffineMap> splitInput(OpBuilder &b, linalg::GenericOp op,
                                                OpOperand &operand, const forge::Split &plan) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> indices =
        llvm::map_to_vector(llvm::seq<unsigned>(op.getNumLoops()),
                            [&](unsigned loop) { return plan.indexOf(loop, b.getContext()); });
    Value input = operand.get();
    SmallVector<AffineExpr> results;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int64_t> shape;
    auto type = dyn_cast<RankedTensorType>(input.getType());
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      groups.push_back({static_cast<int64_t>(shape.size())});
      shape.push_back(type.getDimSize(dim));
      auto loop = dyn_cast<AffineDimExpr>(result);
      const forge::Division *division = loop ? plan.find(loop.getPosition()) : nullptr;
      if (!division || !division->hasLoop()) {
        results.push_back(result.replaceDims(indices));
        continue;
      }
      unsigned number = plan.numberOf(division->loop);
      results.push_back(b.getAffineDimExpr(number));
      results.push_back(b.getAffineDimExpr(number + 1));
      groups.back().push_back(shape.size());
      shape.back() = division->parts;
      shape.push_back(division->elementsOfPart);
    }
    if (shape.size() > map.getNumResults())
      input = tensor::ExpandShapeOp::create(
          b, op.getLoc(), RankedTensorType::get(shape, type.getElementType()), input, groups);
    return {input, AffineMap::get(plan.numLoops(op), 0, results, b.getContext())};
  }

  /// What partial results begin with, by part, then as the result, then by the inner loop; and the
  /// map of that.
  static std::pair<Value, AffineMap> partialStart(OpBuilder &b, linalg::GenericOp op,
                                                  OpOperand &init, TypedAttr neutral,
                                                  const forge::Split &plan) {
    Location loc = op.getLoc();
    TypedAttr constant = neutral ? neutral : forge::splatOf(init.get());
    Value scalar = constant ? arith::ConstantOp::create(b, loc, constant).getResult()
                            : init.get().getDefiningOp<linalg::FillOp>().getInputs().front();
    AffineMap map = op.getMatchingIndexingMap(&init);
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> places;
    auto add = [&](unsigned loop, int64_t size) {
      places.push_back(b.getAffineDimExpr(plan.numberOf(loop)));
      shape.push_back(size);
    };
    for (const forge::Division &division : plan.divisions)
      add(division.loop, division.parts);
    for (auto [result, size] :
         llvm::zip_equal(map.getResults(), cast<RankedTensorType>(init.get().getType()).getShape()))
      add(cast<AffineDimExpr>(result).getPosition(), size);
    if (plan.inner)
      add(*plan.inner, op.getStaticLoopRanges()[*plan.inner]);
    Value empty = tensor::EmptyOp::create(b, loc, shape, scalar.getType());
    return {linalg::FillOp::create(b, loc, scalar, empty).getResult(0),
            AffineMap::get(plan.numLoops(op), 0, places, b.getContext())};
  }

  /// The indices that the body of `partial` reads are those of the new loops: makes them the old
  /// ones'.
  static void rewriteIndices(OpBuilder &b, linalg::GenericOp partial, const forge::Split &plan) {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<linalg::IndexOp> reads;
    partial.getBody()->walk([&](linalg::IndexOp index) { reads.push_back(index); });
    for (linalg::IndexOp read : reads) {
      b.setInsertionPoint(read);
      unsigned loop = read.getDim(), number = plan.numberOf(loop);
      Value index = linalg::IndexOp::create(b, read.getLoc(), number);
      if (const forge::Division *division = plan.find(loop); division && division->hasLoop()) {
        Value size = arith::ConstantIndexOp::create(b, read.getLoc(), division->elementsOfPart);
        Value inPart = linalg::IndexOp::create(b, read.getLoc(), number + 1);
        index = arith::AddIOp::create(b, read.getLoc(),
                                      arith::MulIOp::create(b, read.getLoc(), index, size), inPart);
      }
      read.replaceAllUsesWith(index);
      read.erase();
    }
  }

  static SmallVector<Value> partialResults(OpBuilder &b, linalg::GenericOp op,
                                           const forge::RowReduction &reduction,
                                           const forge::Split &plan) {
    SmallVector<Value> inputs, starts;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto [input, map] = splitInput(b, op, *operand, plan);
      inputs.push_back(input);
      maps.push_back(map);
    }
    for (auto [init, neutral] : llvm::zip_equal(op.getDpsInitsMutable(), reduction.neutral)) {
      auto [start, map] = partialStart(b, op, init, neutral, plan);
      starts.push_back(start);
      maps.push_back(map);
    }
    SmallVector<utils::IteratorType> loops;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      const forge::Division *division = plan.find(loop);
      bool isParallel = division || loop == plan.inner;
      loops.push_back(isParallel ? utils::IteratorType::parallel : type);
      if (division && division->hasLoop())
        loops.push_back(utils::IteratorType::reduction);
    }
    auto partial =
        linalg::GenericOp::create(b, op.getLoc(), TypeRange(starts), inputs, starts, maps, loops);
    IRMapping mapping;
    op.getRegion().cloneInto(&partial.getRegion(), mapping);
    rewriteIndices(b, partial, plan);
    SmallVector<Value> results(partial.getResults());
    if (plan.divisions.size() > 1)
      for (Value &result : results)
        result = numberParts(b, op.getLoc(), result, plan.divisions.size());
    return results;
  }

  /// `value` with one dimension for the first `divisions`.
  static Value numberParts(OpBuilder &b, Location loc, Value value, size_t divisions) {
    SmallVector<ReassociationIndices> groups(1);
    for (int64_t dim = 0, rank = cast<RankedTensorType>(value.getType()).getRank(); dim < rank;
         ++dim) {
      if (dim >= static_cast<int64_t>(divisions))
        groups.emplace_back();
      groups.back().push_back(dim);
    }
    return tensor::CollapseShapeOp::create(b, loc, value, groups);
  }

  static void split(linalg::GenericOp op, const forge::RowReduction &reduction,
                    const forge::Split &plan) {
    OpBuilder b(op);
    SmallVector<Value> partial = partialResults(b, op, reduction, plan);
    // The first dimension of the partial results numbers parts, the last one is the inner loop's;
    // the others are the results'.
    int64_t rank = cast<RankedTensorType>(partial.front().getType()).getRank();
    SmallVector<AffineMap> maps(partial.size(), b.getMultiDimIdentityMap(rank));
    AffineMap results = b.getMultiDimIdentityMap(rank);
    SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
    if (plan.inner) {
      loops.back() = utils::IteratorType::reduction;
      results = results.dropResult(rank - 1);
    }
    if (!plan.divisions.empty()) {
      loops.front() = utils::IteratorType::reduction;
      results = results.dropResult(0);
    }
    maps.append(partial.size(), results);
    auto whole = linalg::GenericOp::create(
        b, op.getLoc(), op->getResultTypes(), partial, op.getDpsInits(), maps, loops,
        [&](OpBuilder &inner, Location loc, ValueRange values) {
          size_t count = partial.size();
          linalg::YieldOp::create(
              inner, loc,
              reduction.combine(inner, op, values.drop_front(count), values.take_front(count)));
        });
    op->replaceAllUsesWith(whole);
    op->erase();
  }
};
} // namespace

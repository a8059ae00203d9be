#include "PieceProducts.h"

#include "../Strategy/ProductAxes.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace forge {
#define GEN_PASS_DEF_SINKRESHAPESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-sink-reshapes"

using namespace mlir;
using forge::isReshape;

/// Whether `value` is the result of a product of two factors that has no other use.
static bool isProduct(Value value) {
  auto product = value.getDefiningOp<linalg::LinalgOp>();
  return product && value.hasOneUse() && product.getNumReductionLoops() > 0 &&
         product.getNumDpsInputs() == 2 && product->getNumRegions() == 1 &&
         forge::addsProduct(product->getRegion(0).front());
}

/// The same where `value` is perhaps reshaped.
static bool isOfProduct(Value value) {
  while (isReshape(value.getDefiningOp()) && value.hasOneUse())
    value = value.getDefiningOp()->getOperand(0);
  return isProduct(value);
}

/// Whether a kernel for rows might join `op`, whose loops a reshape behind it would hide. One that
/// reads narrow results rather than wide sums is better off by itself.
static bool isForRows(linalg::GenericOp op, Value sums) {
  auto bitsOf = [](Value value) { return getElementTypeOrSelf(value).getIntOrFloatBitWidth(); };
  return bitsOf(op->getResult(0)) >= bitsOf(sums) &&
         llvm::any_of(op->getUsers(), [](Operation *user) {
           auto consumer = dyn_cast<linalg::LinalgOp>(user);
           return consumer && consumer.getNumReductionLoops() > 0 &&
                  !(consumer->getNumRegions() == 1 &&
                    forge::addsProduct(consumer->getRegion(0).front()));
         });
}

/// The input that is a reshape of a product's result, of an operation that computes each element of
/// its one result from the element at the same place there, and perhaps from other operands.
static OpOperand *reshapedProduct(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      op.hasIndexSemantics() || !op.getRegionOutputArgs().front().use_empty() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); }))
    return nullptr;
  if (!getElementTypeOrSelf(op->getResult(0)).isIntOrFloat())
    return nullptr;
  auto isIdentity = [&](OpOperand *input) { return op.getMatchingIndexingMap(input).isIdentity(); };
  // Of two products, one is reshaped: the operation stays with that of its own shape.
  for (OpOperand *input : op.getDpsInputOperands())
    if (isIdentity(input) && isProduct(input->get()))
      return nullptr;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isIdentity(input) && isReshape(input->get().getDefiningOp()) && isOfProduct(input->get()))
      return input;
  return nullptr;
}

namespace {
/// How an operand is read before the reshape: its dimensions, joined or divided in these groups,
/// and the map of the loops there.
struct Reading {
  SmallVector<ReassociationIndices> dims;
  AffineMap map;
};
} // namespace

/// By loops each of which is a group of the loops there are; nothing where `map` reads a part of a
/// group, or a group in another order.
static std::optional<Reading> readJoined(AffineMap map, ArrayRef<ReassociationIndices> groups) {
  std::optional<SmallVector<unsigned>> loops = forge::loopsOf(map);
  if (!loops)
    return std::nullopt;
  Reading reading;
  SmallVector<AffineExpr> results;
  for (size_t dim = 0; dim < loops->size();) {
    const auto *group = llvm::find_if(
        groups, [&](const ReassociationIndices &group) { return group.front() == (*loops)[dim]; });
    if (group == groups.end() || dim + group->size() > loops->size() ||
        !llvm::equal(*group, ArrayRef(*loops).slice(dim, group->size())))
      return std::nullopt;
    reading.dims.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(dim, dim + group->size())));
    results.push_back(getAffineDimExpr(group - groups.begin(), map.getContext()));
    dim += group->size();
  }
  reading.map = AffineMap::get(groups.size(), 0, results, map.getContext());
  return reading;
}

/// By `numLoops` loops, groups of which are the loops there are.
static std::optional<Reading> readDivided(AffineMap map, ArrayRef<ReassociationIndices> groups,
                                          unsigned numLoops) {
  std::optional<SmallVector<unsigned>> loops = forge::loopsOf(map);
  if (!loops)
    return std::nullopt;
  Reading reading;
  SmallVector<AffineExpr> results;
  for (unsigned loop : *loops) {
    reading.dims.emplace_back();
    for (int64_t dim : groups[loop]) {
      reading.dims.back().push_back(static_cast<int64_t>(results.size()));
      results.push_back(getAffineDimExpr(static_cast<unsigned>(dim), map.getContext()));
    }
  }
  reading.map = AffineMap::get(numLoops, 0, results, map.getContext());
  return reading;
}

/// `value` with the dimensions of `reading`; `sizes` of its loops.
static Value reshaped(OpBuilder &builder, Location loc, Value value, const Reading &reading,
                      ArrayRef<int64_t> sizes) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || (reading.map.getNumResults() == type.getRank() &&
                reading.dims.size() == static_cast<size_t>(type.getRank())))
    return value;
  // Of two products, what one is read through undoes the other's reshape.
  SmallVector<ReassociationIndices> dims(reading.dims);
  if (reading.map.getNumResults() < type.getRank()) {
    if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
        expand && expand.getReassociationIndices() == dims)
      return expand.getSrc();
    return tensor::CollapseShapeOp::create(builder, loc, value, dims);
  }
  SmallVector<int64_t> shape = llvm::map_to_vector(reading.map.getResults(), [&](AffineExpr loop) {
    return sizes[cast<AffineDimExpr>(loop).getPosition()];
  });
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>();
      collapse && collapse.getReassociationIndices() == dims &&
      collapse.getSrcType().getShape() == ArrayRef(shape))
    return collapse.getSrc();
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value, dims);
}

namespace {
/// elementwise(reshape(product), others) becomes reshape(elementwise(product, others reshaped)).
struct SinkReshape : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op, PatternRewriter &rewriter) const override {
    OpOperand *input = reshapedProduct(op);
    if (!input)
      return rewriter.notifyMatchFailure(op, "no reshape of a product's result");
    if (isForRows(op, input->get()))
      return rewriter.notifyMatchFailure(op, "a kernel for rows might join it");
    Operation *reshape = input->get().getDefiningOp();
    Value source = reshape->getOperand(0);
    auto from = cast<RankedTensorType>(source.getType());
    auto to = cast<RankedTensorType>(op.getResultTypes().front());
    if (!from.hasStaticShape() || !to.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "sizes known at run time only");
    // 1. The operands as they are read before the reshape.
    Location loc = op.getLoc();
    auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape);
    SmallVector<ReassociationIndices> groups =
        expand ? expand.getReassociationIndices()
               : cast<tensor::CollapseShapeOp>(reshape).getReassociationIndices();
    SmallVector<Reading> readings;
    SmallVector<AffineMap> maps;
    for (OpOperand *other : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(other);
      std::optional<Reading> reading =
          expand ? readJoined(map, groups)
                 : readDivided(map, groups, static_cast<unsigned>(from.getRank()));
      if (!reading)
        return rewriter.notifyMatchFailure(op, "an operand has a part of a reshaped dimension");
      maps.push_back(reading->map);
      readings.push_back(std::move(*reading));
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(static_cast<unsigned>(from.getRank())));
    SmallVector<Value> inputs;
    for (auto [other, reading] : llvm::zip_equal(op.getDpsInputOperands(), readings))
      inputs.push_back(other == input
                           ? source
                           : reshaped(rewriter, loc, other->get(), reading, from.getShape()));
    // 2. The operation there, and the reshape of its result.
    auto type = RankedTensorType::get(from.getShape(), to.getElementType());
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
    SmallVector<utils::IteratorType> loops(static_cast<size_t>(from.getRank()),
                                           utils::IteratorType::parallel);
    auto moved = linalg::GenericOp::create(rewriter, loc, type, inputs, empty, maps, loops);
    rewriter.inlineRegionBefore(op.getRegion(), moved.getRegion(), moved.getRegion().begin());
    if (expand)
      rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(op, to, moved.getResult(0), groups);
    else
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(op, to, moved.getResult(0), groups);
    return success();
  }
};

struct SinkReshapesPass : public forge::impl::SinkReshapesPassBase<SinkReshapesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkReshape>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

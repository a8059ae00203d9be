// Reductions of a few terms that are computed rather than read become elementwise operations.
#include "Expansions.h"

#include "forge/Codegen/Fusion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace forge {
namespace {

bool isFilled(Value init) {
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill && !isa<RankedTensorType>(fill.getInputs().front().getType());
}

/// Whether `op` is a reduction of a few terms that are computed rather than read.
bool isShortReduction(linalg::GenericOp op) {
  constexpr int64_t kMostTerms = 8, kMostOps = 768, kLeastResults = 1 << 12;
  if (op.getNumReductionLoops() == 0 || !mayCompute(op) || !expands(op) ||
      !llvm::all_of(op.getDpsInits(), isFilled) ||
      !llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
        return op.getMatchingIndexingMap(&init).getNumResults() == op.getNumParallelLoops();
      }))
    return false;
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  int64_t terms = 1;
  for (unsigned loop : loops)
    terms = llvm::SaturatingMultiply<uint64_t>(terms, op.getStaticLoopRanges()[loop]);
  if (terms == 0 || terms > kMostTerms || stepsOf(op) / terms < kLeastResults ||
      terms * static_cast<int64_t>(op.getBody()->getOperations().size()) > kMostOps)
    return false;
  // What is computed elsewhere and might be here first.
  return llvm::none_of(op.getDpsInputs(), [&](Value input) {
    auto maker = input.getDefiningOp<linalg::GenericOp>();
    return maker && isExpansion(maker) && paysToRepeat(maker);
  });
}

/// 1. Each operand that has reduced loops becomes a slice for each term.
/// 2. The body is repeated for each term, in order, beginning with what the reduction begins with.
void unrollReduction(IRRewriter &b, linalg::GenericOp op) {
  b.setInsertionPoint(op);
  MLIRContext *context = op.getContext();
  Location loc = op.getLoc();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges(), newLoop;
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  int64_t numLoops = 0, terms = 1;
  for (unsigned loop = 0; loop < ranges.size(); ++loop)
    newLoop.push_back(llvm::is_contained(reduced, loop) ? -1 : numLoops++);
  for (unsigned loop : reduced)
    terms *= ranges[loop];
  auto placeOf = [&](int64_t term, unsigned loop) {
    for (unsigned other : llvm::reverse(reduced)) {
      if (other == loop)
        return term % ranges[other];
      term /= ranges[other];
    }
    llvm_unreachable("expected a reduced loop");
  };
  auto reducedMap = [&](AffineMap map) {
    SmallVector<AffineExpr> exprs;
    for (AffineExpr expr : map.getResults())
      if (int64_t loop = newLoop[cast<AffineDimExpr>(expr).getPosition()]; loop >= 0)
        exprs.push_back(getAffineDimExpr(loop, context));
    return AffineMap::get(numLoops, 0, exprs, context);
  };
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  // For each term and each input, which operand it is.
  SmallVector<SmallVector<unsigned>> operandOf(terms);
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    bool isReduced =
        type && llvm::any_of(reduced, [&](unsigned loop) { return map.isFunctionOfDim(loop); });
    SmallVector<std::pair<SmallVector<int64_t>, unsigned>> slices;
    for (int64_t term = 0; term < terms; ++term) {
      if (!isReduced) {
        if (term == 0) {
          inputs.push_back(input->get());
          maps.push_back(type ? reducedMap(map) : AffineMap::get(numLoops, 0, context));
        }
        operandOf[term].push_back(inputs.size() - 1);
        continue;
      }
      SmallVector<int64_t> places, shape;
      SmallVector<OpFoldResult> offsets, sizes, strides(type.getRank(), b.getIndexAttr(1));
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        unsigned loop = cast<AffineDimExpr>(expr).getPosition();
        bool isPlace = newLoop[loop] < 0;
        places.push_back(isPlace ? placeOf(term, loop) : 0);
        offsets.push_back(b.getIndexAttr(places.back()));
        sizes.push_back(b.getIndexAttr(isPlace ? 1 : type.getDimSize(dim)));
        if (!isPlace)
          shape.push_back(type.getDimSize(dim));
      }
      auto same = llvm::find_if(slices, [&](auto &slice) { return slice.first == places; });
      if (same == slices.end()) {
        inputs.push_back(tensor::ExtractSliceOp::create(b, loc, type.clone(shape), input->get(),
                                                        offsets, sizes, strides));
        maps.push_back(reducedMap(map));
        slices.push_back({places, inputs.size() - 1});
        same = std::prev(slices.end());
      }
      operandOf[term].push_back(same->second);
    }
  }
  SmallVector<Value> starts;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    auto fill = init.get().getDefiningOp<linalg::FillOp>();
    starts.push_back(fill.getInputs().front());
    inits.push_back(fill.getOutputs().front());
    maps.push_back(reducedMap(op.getMatchingIndexingMap(&init)));
  }
  SmallVector<utils::IteratorType> iterators(numLoops, utils::IteratorType::parallel);
  auto straight = linalg::GenericOp::create(
      b, loc, op->getResultTypes(), inputs, inits, maps, iterators,
      [&](OpBuilder &inner, Location, ValueRange arguments) {
        SmallVector<Value> sums = starts;
        for (int64_t term = 0; term < terms; ++term) {
          IRMapping mapping;
          for (auto [argument, operand] : llvm::zip(op.getRegionInputArgs(), operandOf[term]))
            mapping.map(argument, arguments[operand]);
          mapping.map(op.getRegionOutputArgs(), sums);
          for (Operation &each : op.getBody()->without_terminator()) {
            auto index = dyn_cast<linalg::IndexOp>(each);
            if (!index)
              inner.clone(each, mapping);
            else if (int64_t loop = newLoop[index.getDim()]; loop >= 0)
              mapping.map(index.getResult(), linalg::IndexOp::create(inner, loc, loop).getResult());
            else
              mapping.map(index.getResult(),
                          arith::ConstantIndexOp::create(inner, loc, placeOf(term, index.getDim()))
                              .getResult());
          }
          sums = llvm::map_to_vector(op.getBody()->getTerminator()->getOperands(),
                                     [&](Value value) { return mapping.lookupOrDefault(value); });
        }
        linalg::YieldOp::create(inner, loc, sums);
      });
  b.replaceOp(op, straight);
}

} // namespace

bool unrollReductions(Operation *root) {
  IRRewriter b(root->getContext());
  bool changed = false;
  for (linalg::GenericOp op : genericsOf(root))
    if (isShortReduction(op)) {
      unrollReduction(b, op);
      changed = true;
    }
  return changed;
}

} // namespace forge

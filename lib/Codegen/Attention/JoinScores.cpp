#include "SplitDims.h"

#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SetVector.h"

namespace forge {
#define GEN_PASS_DEF_JOINSCORESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

using namespace mlir;
using namespace forge;

static bool isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

static SmallVector<int64_t> withoutUnits(RankedTensorType type) {
  SmallVector<int64_t> sizes;
  llvm::copy_if(type.getShape(), std::back_inserter(sizes), [](int64_t size) { return size != 1; });
  return sizes;
}

static bool isProduct(Operation *op) {
  auto product = dyn_cast<linalg::LinalgOp>(op);
  return product && product.hasPureTensorSemantics() && product.getNumDpsInputs() == 2 &&
         product.getNumReductionLoops() == 1 && op->getNumResults() == 1 &&
         op->getNumRegions() == 1 && !op->hasAttr(kClusterAttr) &&
         addsProduct(op->getRegion(0).front());
}

namespace {
/// 1. The split form's dimensions are parts of those of the scores: sizes tell which.
/// 2. What follows from the scores up to the weights is read: elementwise operations and reductions
///    over all parts of a dimension or none.
/// 3. Each is made anew on whole dimensions.
class Joiner {
public:
  explicit Joiner(Operation *scores)
      : result(scores->getResult(0)), shape(cast<RankedTensorType>(result.getType())) {}

  /// Whether it was done.
  bool run();

private:
  bool findParts();
  bool collect();
  bool takeWeights(Operation *reshape);
  bool addMember(linalg::GenericOp op);
  void remake(linalg::GenericOp op);
  Value makeInit(ImplicitLocOpBuilder &b, Value init, ArrayRef<unsigned> wholes);
  /// `operand` with the parts of each dimension joined; null if that would not be a view.
  Value joinOperand(ImplicitLocOpBuilder &b, Value operand, ArrayRef<unsigned> of) const;
  Value inOrder(ImplicitLocOpBuilder &b, Value operand, SmallVector<unsigned> &of) const;
  /// The index along a split dimension, in the body of an operation with loops over `wholes`.
  Value partIndex(ImplicitLocOpBuilder &b, unsigned dim, ArrayRef<unsigned> wholes) const {
    auto loop = static_cast<unsigned>(llvm::find(wholes, dims.wholeOf(dim)) - wholes.begin());
    return dims.partIndex(b, dim, linalg::IndexOp::create(b, loop));
  }
  /// Of the loops of a member the split dimensions that operand `number` has.
  SmallVector<unsigned> operandDims(linalg::GenericOp op, unsigned number) const;

  Value result;
  RankedTensorType shape;
  Value split, weights, unsplitWeights;
  SplitDims dims;
  SetVector<Operation *> members;
  /// The split dimensions of members' loops, and of their tensors.
  llvm::DenseMap<Operation *, SmallVector<unsigned>> loopsOf;
  llvm::DenseMap<Value, SmallVector<unsigned>> dimsOf;
  IRMapping joined;
};
} // namespace

bool Joiner::findParts() {
  split = result;
  while (split.hasOneUse() && isReshape(*split.user_begin()))
    split = (*split.user_begin())->getResult(0);
  std::optional<SplitDims> found = SplitDims::of(shape, cast<RankedTensorType>(split.getType()));
  if (split == result || !found)
    return false;
  dims = *found;
  return true;
}

SmallVector<unsigned> Joiner::operandDims(linalg::GenericOp op, unsigned number) const {
  AffineMap map = op.getIndexingMapsArray()[number];
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return loopsOf.lookup(op)[cast<AffineDimExpr>(expr).getPosition()];
  });
}

/// `reshape`, of a member's result, begins those to the scores' shape, as a product's factor.
bool Joiner::takeWeights(Operation *reshape) {
  Value source = reshape->getOperand(0), end = reshape->getResult(0);
  while (end.hasOneUse() && isReshape(*end.user_begin()))
    end = (*end.user_begin())->getResult(0);
  auto type = cast<RankedTensorType>(end.getType());
  if (weights || withoutUnits(type) != withoutUnits(shape) || !end.hasOneUse() ||
      !isProduct(*end.user_begin()) ||
      !llvm::equal(dimsOf.lookup(source), llvm::seq<unsigned>(0, dims.numParts())))
    return false;
  weights = end;
  unsplitWeights = source;
  return true;
}

bool Joiner::addMember(linalg::GenericOp op) {
  bool isPlain =
      op.hasPureTensorSemantics() && !op->hasAttr(kClusterAttr) &&
      llvm::all_of(op.getIndexingMapsArray(),
                   [](AffineMap map) { return map.isProjectedPermutation(); }) &&
      llvm::all_of(*op.getBody(), [](Operation &inner) { return inner.getNumRegions() == 0; });
  if (!isPlain)
    return false;
  // 1. Its loops, as the tensors of other members tell.
  constexpr unsigned unknown = ~0U;
  SmallVector<unsigned> loops(op.getNumLoops(), unknown);
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto known = dimsOf.find(input->get());
    if (known == dimsOf.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    for (auto [expr, dim] : llvm::zip_equal(map.getResults(), known->second)) {
      unsigned &loop = loops[cast<AffineDimExpr>(expr).getPosition()];
      if (loop != unknown && loop != dim)
        return false;
      loop = dim;
    }
  }
  if (llvm::is_contained(loops, unknown) || !dims.hasWholes(loops))
    return false;
  // 2. What it reduces is whole, and starts from a number.
  SmallVector<unsigned> reduced;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction)
      reduced.push_back(loops[loop]);
  bool startsPlain = llvm::all_of(op.getDpsInits(), [](Value init) {
    return isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(init.getDefiningOp());
  });
  if (!dims.hasWholes(reduced) || !startsPlain)
    return false;
  members.insert(op);
  loopsOf[op] = loops;
  for (auto [number, value] : llvm::enumerate(op->getResults()))
    dimsOf[value] = operandDims(op, op.getNumDpsInputs() + number);
  return true;
}

bool Joiner::collect() {
  dimsOf[split] = llvm::to_vector(llvm::seq<unsigned>(0, dims.numParts()));
  Operation *first = split.getDefiningOp();
  bool hasExponential = false, hasReduction = false;
  for (Operation *op = first->getNextNode(); op && !weights; op = op->getNextNode()) {
    if (llvm::none_of(op->getOperands(), [&](Value value) { return dimsOf.contains(value); }))
      continue;
    if (isReshape(op)) {
      if (!takeWeights(op))
        return false;
      continue;
    }
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || !addMember(generic))
      return false;
    hasExponential |= !generic.getBody()->getOps<math::ExpOp>().empty();
    hasReduction |= generic.getNumReductionLoops() > 0;
  }
  auto isInside = [&](Operation *user) {
    return members.contains(user) || (weights && user->getNumResults() == 1 && isReshape(user) &&
                                      user->getOperand(0) == unsplitWeights);
  };
  return weights && hasExponential && hasReduction && llvm::all_of(members, [&](Operation *op) {
           return llvm::all_of(op->getUsers(), isInside);
         });
}

Value Joiner::joinOperand(ImplicitLocOpBuilder &b, Value operand, ArrayRef<unsigned> of) const {
  std::optional<SmallVector<ReassociationIndices>> groups = dims.groupsOf(of);
  if (!groups || groups->size() == of.size())
    return groups ? operand : Value();
  return tensor::CollapseShapeOp::create(b, operand, *groups);
}

Value Joiner::makeInit(ImplicitLocOpBuilder &b, Value init, ArrayRef<unsigned> wholes) {
  SmallVector<int64_t> sizes =
      llvm::map_to_vector(wholes, [&](unsigned whole) { return dims.sizeOf(whole); });
  Value empty = tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(init.getType()));
  auto fill = init.getDefiningOp<linalg::FillOp>();
  return fill ? linalg::FillOp::create(b, fill.value(), empty).getResult(0) : empty;
}

/// A copy of `operand` with its parts in the order of the split form, so that those of keys are
/// side by side for neighbouring keys; itself if they are.
Value Joiner::inOrder(ImplicitLocOpBuilder &b, Value operand, SmallVector<unsigned> &of) const {
  if (llvm::is_sorted(of))
    return operand;
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, of.size()));
  llvm::sort(order, [&](unsigned x, unsigned y) { return of[x] < of[y]; });
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> sizes, permutation;
  for (unsigned place : order) {
    sizes.push_back(type.getDimSize(place));
    permutation.push_back(place);
  }
  llvm::sort(of);
  Value empty = tensor::EmptyOp::create(b, sizes, type.getElementType());
  IRRewriter rewriter(b);
  rewriter.setInsertionPoint(b.getInsertionBlock(), b.getInsertionPoint());
  auto transposed = linalg::TransposeOp::create(rewriter, b.getLoc(), operand, empty, permutation);
  return (*linalg::generalizeNamedOp(rewriter, transposed)).getResult(0);
}

void Joiner::remake(linalg::GenericOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<unsigned> wholes = dims.wholesOf(loopsOf[op]);
  auto mapOf = [&](ArrayRef<unsigned> of) {
    SmallVector<AffineExpr> exprs = llvm::map_to_vector(of, [&](unsigned whole) {
      return b.getAffineDimExpr(llvm::find(wholes, whole) - wholes.begin());
    });
    return AffineMap::get(wholes.size(), 0, exprs, b.getContext());
  };
  // 1. Operands; those that have a part of a dimension alone are looked up in the body.
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> kept;
  struct Lookup {
    unsigned number;
    Value table;
    SmallVector<unsigned> dims;
  };
  SmallVector<Lookup> lookups;
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    SmallVector<unsigned> own = operandDims(op, number);
    Value whole = joined.lookupOrNull(input);
    SmallVector<unsigned> of = dims.wholesOf(own);
    if (!whole && (whole = joinOperand(b, input, own))) {
      // As they are in memory.
      of.clear();
      for (unsigned dim : own)
        if (of.empty() || of.back() != dims.wholeOf(dim))
          of.push_back(dims.wholeOf(dim));
    }
    if (!whole) {
      Value table = inOrder(b, input, own);
      lookups.push_back({static_cast<unsigned>(number), table, own});
      continue;
    }
    inputs.push_back(whole);
    maps.push_back(mapOf(of));
    kept.push_back(number);
  }
  for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
    SmallVector<unsigned> of = dims.wholesOf(operandDims(op, op.getNumDpsInputs() + number));
    inits.push_back(makeInit(b, init, of));
    maps.push_back(mapOf(of));
  }
  SmallVector<utils::IteratorType> iterators(wholes.size(), utils::IteratorType::parallel);
  for (auto [dim, iterator] : llvm::zip_equal(loopsOf[op], op.getIteratorTypesArray()))
    iterators[llvm::find(wholes, dims.wholeOf(dim)) - wholes.begin()] = iterator;
  // 2. The body.
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    ImplicitLocOpBuilder inside(loc, builder);
    IRMapping mapping;
    for (auto [place, number] : llvm::enumerate(kept))
      mapping.map(op.getBody()->getArgument(number), arguments[place]);
    for (auto [place, argument] : llvm::enumerate(op.getRegionOutputArgs()))
      mapping.map(argument, arguments[kept.size() + place]);
    for (const Lookup &lookup : lookups) {
      SmallVector<Value> places = llvm::map_to_vector(
          lookup.dims, [&](unsigned dim) { return partIndex(inside, dim, wholes); });
      mapping.map(op.getBody()->getArgument(lookup.number),
                  tensor::ExtractOp::create(inside, lookup.table, places).getResult());
    }
    for (Operation &inner : *op.getBody())
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), partIndex(inside, loopsOf[op][index.getDim()], wholes));
      else
        builder.clone(inner, mapping);
  };
  auto made = linalg::GenericOp::create(b, TypeRange(ValueRange(inits)), inputs, inits, maps,
                                        iterators, body);
  for (auto [old, now] : llvm::zip_equal(op->getResults(), made->getResults()))
    joined.map(old, now);
}

/// `value` without units, or with those of `type`.
static Value changeUnits(Value value, RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from.getShape() == type.getShape())
    return value;
  ImplicitLocOpBuilder b(value.getLoc(), value.getContext());
  b.setInsertionPointAfterValue(value);
  if (from.getRank() > type.getRank())
    return tensor::CollapseShapeOp::create(
        b, type, value, *getReassociationIndicesForCollapse(from.getShape(), type.getShape()));
  return tensor::ExpandShapeOp::create(
      b, type, value, *getReassociationIndicesForCollapse(type.getShape(), from.getShape()));
}

static void eraseReshapes(Value end) {
  for (Operation *op = end.getDefiningOp(); op && isReshape(op) && op->use_empty();) {
    Operation *before = op->getOperand(0).getDefiningOp();
    op->erase();
    op = before;
  }
}

bool Joiner::run() {
  if (!findParts() || !collect())
    return false;
  joined.map(split, changeUnits(result, RankedTensorType::get(withoutUnits(shape),
                                                              shape.getElementType())));
  for (Operation *op : members)
    remake(cast<linalg::GenericOp>(op));
  weights.replaceAllUsesWith(
      changeUnits(joined.lookup(unsplitWeights), cast<RankedTensorType>(weights.getType())));
  eraseReshapes(weights);
  for (Operation *op : llvm::reverse(members.getArrayRef()))
    op->erase();
  eraseReshapes(split);
  return true;
}

namespace {
struct JoinScoresPass : public forge::impl::JoinScoresPassBase<JoinScoresPass> {
  void runOnOperation() override {
    if (isKernel(getOperation()))
      return;
    SmallVector<Operation *> products;
    getOperation().walk([&](Operation *op) {
      if (isProduct(op))
        products.push_back(op);
    });
    for (Operation *product : products)
      Joiner(product).run();
  }
};
} // namespace

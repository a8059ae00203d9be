#include "ResultOrder.h"

#include "../Strategy/ProductAxes.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_FOLDTRANSPOSESPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-fold-transposes"

using namespace mlir;

namespace {
/// One tensor whose elements another one, `source`, has in another order, or once for all indices
/// of some dimensions: of each dimension of the source, the dimension.
struct Transposition {
  Value source;
  SmallVector<unsigned> dims;
};
} // namespace

/// What `value` is a copy of, with its dimensions in another order or with further ones, if it is
/// that and nothing else.
static std::optional<Transposition> transpositionOf(Value value) {
  if (auto transpose = value.getDefiningOp<linalg::TransposeOp>()) {
    SmallVector<unsigned> dims(transpose.getPermutation().size());
    for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
      dims[from] = dim;
    return Transposition{transpose.getInput(), dims};
  }
  auto copy = value.getDefiningOp<linalg::GenericOp>();
  if (!copy || copy.getNumDpsInputs() != 1 || copy.getNumDpsInits() != 1 ||
      !copy.hasPureTensorSemantics() || copy.getNumParallelLoops() != copy.getNumLoops())
    return std::nullopt;
  auto yielded = dyn_cast<BlockArgument>(copy.getBody()->getTerminator()->getOperand(0));
  AffineMap read = copy.getIndexingMapsArray().front(),
            written = copy.getIndexingMapsArray().back();
  if (!yielded || yielded.getArgNumber() != 0 || !read.isProjectedPermutation() ||
      read.getNumResults() == 0 || !written.isPermutation())
    return std::nullopt;
  SmallVector<unsigned> dimOfLoop = forge::inverseOrder(*forge::loopsOf(written));
  return Transposition{
      copy.getInputs().front(),
      llvm::map_to_vector(*forge::loopsOf(read), [&](unsigned loop) { return dimOfLoop[loop]; })};
}

/// The input of `op`, elementwise, that all loops which inputs have are of, each once; null if
/// there is none, or if the results are as that is already.
static OpOperand *inputInOrder(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 || op.getNumReductionLoops() != 0 ||
      op.hasIndexSemantics() || !op.getRegionOutputArgs().front().use_empty() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      !llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); }))
    return nullptr;
  OpOperand *main = nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!op.getMatchingIndexingMap(input).isProjectedPermutation())
      return nullptr;
    if (!main || op.getRank(input) > op.getRank(main))
      main = input;
  }
  AffineMap map = main ? op.getMatchingIndexingMap(main) : AffineMap();
  if (!main || map.getNumResults() == 0 || map.isIdentity() ||
      !isa<RankedTensorType>(main->get().getType()))
    return nullptr;
  bool hasAll = llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return llvm::all_of(llvm::seq(map.getNumDims()), [&](unsigned loop) {
      return map.isFunctionOfDim(loop) || !op.getMatchingIndexingMap(input).isFunctionOfDim(loop);
    });
  });
  return hasAll ? main : nullptr;
}

/// Divides `op` into what it computes, in the order of its input `main`, and a copy of that in the
/// order it is wanted in.
static void splitCopy(linalg::GenericOp op, OpOperand *main) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<unsigned> loops = *forge::loopsOf(op.getMatchingIndexingMap(main));
  auto rank = static_cast<unsigned>(loops.size());
  // 1. Loops that `main` has, in its order.
  SmallVector<AffineExpr> numbers(op.getNumLoops(), builder.getAffineConstantExpr(0));
  for (auto [number, loop] : llvm::enumerate(loops))
    numbers[loop] = builder.getAffineDimExpr(static_cast<unsigned>(number));
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands())
    maps.push_back(op.getMatchingIndexingMap(input).replaceDimsAndSymbols(numbers, {}, rank, 0));
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  auto type = cast<RankedTensorType>(main->get().getType())
                  .clone(getElementTypeOrSelf(op.getResultTypes().front()));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, main->get()), type.getElementType());
  if (empty.getType() != type)
    empty = tensor::CastOp::create(builder, loc, type, empty);
  SmallVector<utils::IteratorType> parallel(rank, utils::IteratorType::parallel);
  auto computed =
      linalg::GenericOp::create(builder, loc, type, op.getInputs(), empty, maps, parallel);
  IRMapping mapping;
  op.getRegion().cloneInto(&computed.getRegion(), mapping);
  computed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  // 2. The copy.
  auto copy = linalg::GenericOp::create(
      builder, loc, op.getResultTypes(), computed.getResult(0), op.getDpsInits(),
      ArrayRef<AffineMap>{op.getMatchingIndexingMap(main),
                          op.getMatchingIndexingMap(op.getDpsInitOperand(0))},
      op.getIteratorTypesArray(), [](OpBuilder &inside, Location where, ValueRange values) {
        linalg::YieldOp::create(inside, where, values.front());
      });
  op->replaceAllUsesWith(copy);
  op->erase();
}

/// The same slice of what its source is a copy of, and of each dimension of that slice, the
/// dimension of `slice`.
static Transposition sliceSource(tensor::ExtractSliceOp slice, const Transposition &from) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<unsigned> kept, numbers(dropped.size());
  for (unsigned dim = 0, next = 0; dim < dropped.size(); ++dim)
    if (!dropped[dim])
      numbers[dim] = next++;
  SmallVector<int64_t> shape;
  for (unsigned dim : from.dims) {
    offsets.push_back(slice.getMixedOffsets()[dim]);
    sizes.push_back(slice.getMixedSizes()[dim]);
    strides.push_back(slice.getMixedStrides()[dim]);
    if (dropped[dim])
      continue;
    kept.push_back(numbers[dim]);
    shape.push_back(slice.getType().getDimSize(numbers[dim]));
  }
  OpBuilder builder(slice);
  auto type = RankedTensorType::get(shape, slice.getType().getElementType());
  Value part = tensor::ExtractSliceOp::create(builder, slice.getLoc(), type, from.source, offsets,
                                              sizes, strides);
  return {part, kept};
}

/// What `factor` is a copy of; operations that are in between are added to `passed`, each behind
/// those that use it, and once: both factors may come from one copy.
static std::optional<Transposition> stepFrom(Value factor, Operation *contraction,
                                             SetVector<Operation *> &passed) {
  auto pass = [&](Operation *op) {
    passed.remove(op);
    passed.insert(op);
  };
  auto slice = factor.getDefiningOp<tensor::ExtractSliceOp>();
  Value copied = slice ? slice.getSource() : factor;
  std::optional<Transposition> from = transpositionOf(copied);
  if (!from || forge::wouldReadOverwritten(copied.getDefiningOp(), contraction))
    return std::nullopt;
  if (slice) {
    pass(slice);
    from = sliceSource(slice, *from);
  }
  pass(copied.getDefiningOp());
  return from;
}

linalg::LinalgOp forge::readUntransposed(linalg::LinalgOp contraction) {
  SmallVector<Value> factors = contraction.getDpsInputs();
  SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
  SetVector<Operation *> passed;
  for (auto [factor, map] : llvm::zip(factors, maps))
    while (std::optional<Transposition> from = stepFrom(factor, contraction, passed)) {
      factor = from->source;
      map = AffineMap::get(
          map.getNumDims(), 0,
          llvm::map_to_vector(from->dims, [&](unsigned dim) { return map.getResult(dim); }),
          map.getContext());
    }
  if (passed.empty())
    return contraction;
  unsigned rank = maps.back().getNumResults();
  linalg::GenericOp made =
      forge::remakeContraction(contraction, factors, ArrayRef(maps).drop_back(),
                               llvm::to_vector(llvm::seq<unsigned>(0, rank)));
  contraction->replaceAllUsesWith(made);
  contraction->erase();
  for (Operation *op : passed)
    if (op->use_empty())
      op->erase();
  return made;
}

namespace {
/// 1. What computes factors, and nothing else, in another order than its input's, or the same
/// number
///    several times, does so in the order of the input and once; then it is copied.
/// 2. For each contraction of two factors, from zeros, as long as that changes anything: a factor
///    that is a copy of a tensor with the dimensions in another order or with further ones, or a
///    slice of such a copy, is read where the tensor, or the same slice of it, is.
/// 3. Copies that nothing reads any more go.
struct FoldTransposesPass : public forge::impl::FoldTransposesPassBase<FoldTransposesPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && !op->hasAttr(forge::kClusterAttr) &&
          llvm::all_of(op.getIndexingMapsArray(),
                       [](AffineMap map) { return map.isProjectedPermutation(); }) &&
          (forge::isSumOfProducts(op) || forge::isSumOfByteProducts(op)))
        contractions.push_back(op);
    });
    SetVector<Operation *> makers;
    for (linalg::LinalgOp contraction : contractions)
      for (Value factor : contraction.getDpsInputs())
        if (auto maker = factor.getDefiningOp<linalg::GenericOp>();
            maker && !maker->hasAttr(forge::kClusterAttr) && !transpositionOf(factor) &&
            llvm::all_of(maker->getUsers(),
                         [&](Operation *user) { return isCandidate(user, contractions); }))
          makers.insert(maker);
    for (Operation *maker : makers)
      if (OpOperand *main = inputInOrder(cast<linalg::GenericOp>(maker)))
        splitCopy(cast<linalg::GenericOp>(maker), main);
    for (linalg::LinalgOp contraction : contractions)
      forge::readUntransposed(contraction);
  }

  static bool isCandidate(Operation *user, ArrayRef<linalg::LinalgOp> contractions) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return op && llvm::is_contained(contractions, op);
  }
};
} // namespace

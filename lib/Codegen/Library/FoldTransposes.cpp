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
/// One tensor whose elements another one, `source`, has in another order: of each dimension of the
/// source, the dimension.
struct Transposition {
  Value source;
  SmallVector<unsigned> dims;
};
} // namespace

/// What `value` is a copy of with its dimensions in another order, if it is that and nothing else.
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
  if (!yielded || yielded.getArgNumber() != 0 || !read.isPermutation() || !written.isPermutation())
    return std::nullopt;
  SmallVector<unsigned> dimOfLoop = forge::inverseOrder(*forge::loopsOf(written));
  return Transposition{
      copy.getInputs().front(),
      llvm::map_to_vector(*forge::loopsOf(read), [&](unsigned loop) { return dimOfLoop[loop]; })};
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

namespace {
/// For each contraction of two factors, from zeros, as long as that changes anything:
/// 1. A factor that is a copy of a tensor with the dimensions in another order, or a slice of such
/// a
///    copy, is read where the tensor, or the same slice of it, is.
/// 2. Copies that nothing reads any more go.
struct FoldTransposesPass : public forge::impl::FoldTransposesPassBase<FoldTransposesPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> contractions;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && !op->hasAttr(forge::kClusterAttr) &&
          forge::isSumOfProducts(op))
        contractions.push_back(op);
    });
    for (linalg::LinalgOp contraction : contractions)
      fold(contraction);
  }

  static void fold(linalg::LinalgOp contraction) {
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
      return;
    unsigned rank = maps.back().getNumResults();
    linalg::GenericOp made =
        forge::remakeContraction(contraction, factors, ArrayRef(maps).drop_back(),
                                 llvm::to_vector(llvm::seq<unsigned>(0, rank)));
    contraction->replaceAllUsesWith(made);
    contraction->erase();
    for (Operation *op : passed)
      if (op->use_empty())
        op->erase();
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
};
} // namespace

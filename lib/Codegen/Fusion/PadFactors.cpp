// Factors of products whose rows matrix units cannot read where they are.
#include "forge/Codegen/Contraction.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Target.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/MathExtras.h"

namespace forge {
#define GEN_PASS_DEF_PADFACTORSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-pad-factors"

using namespace mlir;

/// What the strides of a tensor map are multiples of (CUDA Driver API, cuTensorMapEncodeTiled).
static constexpr int64_t kRowBytes = 16;
/// A line of memory. With rows of 100,528 bytes, a product that sums along them takes 1.88 ms on an
/// H100; with the next multiple of this it takes 0.79 (8,192 x 50,257 x 768). Long rows are padded
/// to lines: where that is an eighth of the row at most.
static constexpr int64_t kLineBytes = 128, kLongRow = 8;
/// How often each element is multiplied by where a padded copy is worth it. With a vocabulary of
/// 50,257 cuBLAS 13.0 takes five to eight times as long as with one of 50,304 (H100, 8,192 rows,
/// 768 columns); on that chip memory moves an element in the time of some 300 multiplications, and
/// a copy reads and writes each once.
static constexpr int64_t kLeastUses = 128;

/// Elements by which rows of `factor` are padded; 0 if they can be read where they are.
static int64_t paddingOf(Value factor) {
  auto type = cast<RankedTensorType>(factor.getType());
  if (!type.hasStaticShape() || type.getRank() < 2 ||
      !(type.getElementType().isBF16() || type.getElementType().isF16()))
    return 0;
  int64_t columns = type.getShape().back();
  if (columns == 0 || type.getNumElements() == columns)
    return 0;
  int64_t bytes = columns * type.getElementTypeBitWidth() / 8;
  if (bytes % kRowBytes == 0)
    return 0;
  int64_t unit = bytes >= kLongRow * kLineBytes ? kLineBytes : kRowBytes;
  return (llvm::alignTo(bytes, unit) - bytes) * 8 / type.getElementTypeBitWidth();
}

/// How often `contraction` multiplies each element of the factor by something else.
static int64_t usesOf(linalg::LinalgOp contraction, OpOperand &factor) {
  AffineMap map = contraction.getMatchingIndexingMap(&factor);
  int64_t uses = 1;
  for (auto [loop, size] : llvm::enumerate(contraction.getStaticLoopRanges()))
    if (!map.isFunctionOfDim(loop))
      uses = ShapedType::isDynamic(size) ? 0 : llvm::SaturatingMultiply<uint64_t>(uses, size);
  return uses;
}

/// Whether exponentials lead to `value` by elementwise operations, reductions and reshapes.
static bool isOfExponential(Value value) {
  constexpr size_t mostOperations = 64;
  SetVector<Operation *> makers;
  auto add = [&](Value each) {
    if (Operation *maker = each.getDefiningOp())
      makers.insert(maker);
  };
  add(value);
  for (size_t i = 0; i < makers.size() && i < mostOperations; ++i) {
    auto op = dyn_cast<linalg::LinalgOp>(makers[i]);
    if (op && !op->getRegion(0).front().getOps<math::ExpOp>().empty())
      return true;
    if (op && linalg::isaContractionOpInterface(op))
      continue;
    if (op || isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(makers[i]))
      llvm::for_each(makers[i]->getOperands(), add);
  }
  return false;
}

/// Whether `contraction` may be one of attention's, of weights or of their gradients: those are not
/// written to memory.
static bool maybeOfAttention(linalg::LinalgOp contraction, OpOperand &factor) {
  constexpr int64_t mostColumns = 256;
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(contraction);
  return failed(dims) || !dims->batch.empty() ||
         (usesOf(contraction, factor) <= mostColumns && isOfExponential(factor.get()));
}

/// `factor` with `padding` zeros at the end of each row, of which only `factor` is read.
static Value padded(Value factor, int64_t padding) {
  OpBuilder b(factor.getContext());
  b.setInsertionPointAfterValue(factor);
  Location loc = factor.getLoc();
  auto type = cast<RankedTensorType>(factor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.back() += padding;
  Value empty = tensor::EmptyOp::create(b, loc, shape, type.getElementType());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  Value zeros = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0)),
      strides(type.getRank(), b.getIndexAttr(1)),
      sizes = getAsIndexOpFoldResult(b.getContext(), type.getShape());
  Value whole = tensor::InsertSliceOp::create(b, loc, factor, zeros, offsets, sizes, strides);
  return tensor::ExtractSliceOp::create(b, loc, whole, offsets, sizes, strides);
}

namespace {
struct PadFactorsPass : forge::impl::PadFactorsPassBase<PadFactorsPass> {
  using PadFactorsPassBase::PadFactorsPassBase;

  void runOnOperation() override {
    const forge::GPUChip *chip = forge::findChip(chipName);
    if (!chip) {
      getOperation().emitError("unknown chip '") << chipName << "'";
      return signalPassFailure();
    }
    if (!chip->warpgroupProducts || forge::isKernel(getOperation()))
      return;
    llvm::MapVector<Value, SmallVector<OpOperand *>> factors;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics() || !linalg::isaContractionOpInterface(op) ||
          !forge::addsProduct(op->getRegion(0).front()))
        return;
      for (OpOperand *factor : op.getDpsInputOperands())
        if (paddingOf(factor->get()) > 0 && usesOf(op, *factor) >= kLeastUses &&
            !maybeOfAttention(op, *factor))
          factors[factor->get()].push_back(factor);
    });
    for (auto &[factor, operands] : factors) {
      Value slice = padded(factor, paddingOf(factor));
      for (OpOperand *operand : operands)
        operand->set(slice);
    }
  }
};
} // namespace

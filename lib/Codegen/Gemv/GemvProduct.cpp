#include "GemvProduct.h"

#include "../Library/LibraryProduct.h"
#include "../RowKernels/RowProgram.h"
#include "../Strategy/ProductFollow.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace forge;

/// The product of matrices; of factors of two types, with that of i8 on the right.
static std::optional<LibraryProduct> matchFactors(linalg::LinalgOp contraction) {
  if (!isSumOfNarrowProducts(contraction))
    return matchProduct(contraction, linalg::GenericOp());
  bool isFirstNarrow = getElementTypeOrSelf(contraction->getOperand(0)).isInteger(8);
  return matchMatrices(contraction, /*lhs=*/isFirstNarrow ? 1 : 0);
}

std::optional<GemvProduct> forge::matchGemv(linalg::LinalgOp contraction, linalg::GenericOp follow,
                                            int64_t warpSize) {
  // 1. A product of matrices from zeros, without batch, of known sizes; both factors are
  // contiguous,
  //    rows behind each other, terms side by side.
  std::optional<LibraryProduct> product = matchFactors(contraction);
  if (!product || product->batch || !product->term)
    return std::nullopt;
  GemvProduct gemv;
  gemv.op = contraction;
  gemv.follow = follow;
  gemv.lhs = product->lhs;
  gemv.rhs = product->rhs;
  auto left = cast<ShapedType>(gemv.left().getType());
  auto right = cast<ShapedType>(gemv.right().getType());
  std::optional<unsigned> inside = product->axes.right.innermost();
  if (!left.hasStaticShape() || !right.hasStaticShape() ||
      product->axes.left.innermost() != product->term ||
      (inside != product->term && (!inside || inside != product->column)))
    return std::nullopt;
  gemv.columnsInside = inside != product->term;
  int64_t bits = right.getElementTypeBitWidth();
  if (gemv.columnsInside && left.getElementType() != right.getElementType())
    return std::nullopt;
  auto sizeOf = [&](std::optional<unsigned> axis) {
    return axis ? product->axes.axes[*axis].size : 1;
  };
  gemv.rows = sizeOf(product->row);
  gemv.length = sizeOf(product->term);
  gemv.columns = sizeOf(product->column);
  // A part of a tensor may begin at any address.
  if (product->axes.left.view.root != gemv.left() || product->axes.right.view.root != gemv.right())
    return std::nullopt;
  // 2. Few rows, and accesses of 16 bytes for the lanes of a warp; of w with the columns inside,
  //    runs of rows.
  gemv.vector = kAccessBytes * 8 / bits;
  if (gemv.rows < 1 || gemv.rows > kMostGemvRows || gemv.columns < 1 ||
      gemv.length % gemv.vector != 0)
    return std::nullopt;
  if (gemv.columnsInside && gemv.columns % gemv.vector != 0)
    return std::nullopt;
  if (gemv.accesses() < warpSize)
    return std::nullopt;
  // 3. What follows sees one sum for each of its elements.
  if (follow && !isElementwiseOn(follow, sumsOf(contraction)))
    return std::nullopt;
  return gemv;
}

/// The temporary, or the tensor, that `op` computes.
static Value resultOf(linalg::LinalgOp op) { return sumsOf(op); }

/// Whether the last of `ops` computes the left factor of `product`, and only they and it see what
/// they compute.
static bool isPrologue(ArrayRef<Operation *> ops, const GemvProduct &product) {
  if (resultOf(cast<linalg::LinalgOp>(ops.back())) != product.left())
    return false;
  return llvm::all_of(ops, [&](Operation *op) {
    Value result = resultOf(cast<linalg::LinalgOp>(op));
    bool isOwn = op->getNumResults() == 1 ||
                 (op->getNumResults() == 0 && result.getDefiningOp<memref::AllocOp>());
    return isOwn && llvm::all_of(result.getUses(), [&](OpOperand &use) {
             Operation *user = use.getOwner();
             bool isLeft =
                 user == product.op.getOperation() && use.getOperandNumber() == product.lhs;
             return isLeft ? result == product.left()
                           : llvm::is_contained(ops, user) || isa<memref::DeallocOp>(user);
           });
  });
}

std::optional<GemvProduct> forge::matchGemvKernel(func::FuncOp kernel, int64_t warpSize) {
  SmallVector<Operation *> prologue;
  std::optional<ProductKernel> parts = matchProductKernel(kernel, &prologue);
  if (!parts || parts->contractions.size() != 1)
    return std::nullopt;
  std::optional<GemvProduct> gemv = matchGemv(parts->contractions.front(), parts->follow, warpSize);
  if (!gemv || !isPlainArgument(gemv->right()))
    return std::nullopt;
  if (prologue.empty())
    return isPlainArgument(gemv->left()) ? gemv : std::nullopt;
  std::string why;
  bool onTensors = gemv->op.hasPureTensorSemantics();
  if (gemv->columnsInside || !isPrologue(prologue, *gemv) ||
      (onTensors && failed(RowProgram::build(prologue, why))))
    return std::nullopt;
  gemv->prologue = std::move(prologue);
  return gemv;
}

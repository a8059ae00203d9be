#include "GemvProduct.h"

#include "../Library/LibraryProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace forge;

/// Bytes of one memory access.
static constexpr int64_t kAccessBytes = 16;

/// Whether `follow` computes each element of its results from the sum at the same place: results
/// as the sums lie, nothing read from what it writes.
static bool isElementwiseOn(linalg::GenericOp follow, Value sums) {
  if (follow.getNumParallelLoops() != follow.getNumLoops())
    return false;
  for (OpOperand &init : follow.getDpsInitsMutable())
    if (!follow.getMatchingIndexingMap(&init).isIdentity() ||
        follow.payloadUsesValueFromOperand(&init) || init.get() == sums)
      return false;
  bool readsSums = false;
  for (OpOperand *input : follow.getDpsInputOperands()) {
    if (input->get() != sums)
      continue;
    if (!follow.getMatchingIndexingMap(input).isIdentity())
      return false;
    readsSums = true;
  }
  return readsSums && cast<ShapedType>(follow.getDpsInits().front().getType()).getShape() ==
                          cast<ShapedType>(sums.getType()).getShape();
}

std::optional<GemvProduct> forge::matchGemv(linalg::LinalgOp contraction, linalg::GenericOp follow,
                                            int64_t warpSize) {
  // 1. A product of matrices from zeros, without batch, of known sizes; both factors lie along the
  //    sum.
  std::optional<LibraryProduct> product = matchProduct(contraction, linalg::GenericOp());
  if (!product || product->batchDims > 0 || product->lhsTransposed || !product->rhsTransposed)
    return std::nullopt;
  GemvProduct gemv;
  gemv.op = contraction;
  gemv.follow = follow;
  gemv.lhs = product->lhs;
  gemv.rhs = product->rhs;
  auto left = cast<ShapedType>(gemv.left().getType());
  auto right = cast<ShapedType>(gemv.right().getType());
  if (!left.hasStaticShape() || !right.hasStaticShape())
    return std::nullopt;
  auto sizeOf = [](ArrayRef<int64_t> dims) {
    return std::accumulate(dims.begin(), dims.end(), int64_t(1), std::multiplies<>());
  };
  gemv.rows = sizeOf(left.getShape().take_front(product->rowDims));
  gemv.length = sizeOf(left.getShape().drop_front(product->rowDims));
  gemv.columns = sizeOf(right.getShape().take_front(product->columnDims));
  // A part of a tensor may begin at any address.
  if (gemv.left().getDefiningOp<tensor::ExtractSliceOp>() ||
      gemv.right().getDefiningOp<tensor::ExtractSliceOp>())
    return std::nullopt;
  // 2. Few rows, and accesses of 16 bytes for the lanes of a warp.
  int64_t bits = left.getElementTypeBitWidth();
  gemv.vector = kAccessBytes * 8 / bits;
  if (gemv.rows < 1 || gemv.rows > kMostGemvRows || gemv.columns < 1 ||
      gemv.length % gemv.vector != 0 || gemv.accesses() < warpSize)
    return std::nullopt;
  // 3. What follows sees one sum for each of its elements.
  Value sums = contraction.hasPureTensorSemantics() ? Value(contraction->getResult(0))
                                                    : contraction.getDpsInits()[0];
  if (follow && !isElementwiseOn(follow, sums))
    return std::nullopt;
  return gemv;
}

/// An argument that lies contiguous, so that threads may access 16 bytes of it at once.
static bool isPlainArgument(Value value) {
  auto memref = dyn_cast<MemRefType>(value.getType());
  return isa<BlockArgument>(value) && (!memref || memref.getLayout().isIdentity());
}

/// What may stand beside the product: it makes or reads operands, and writes nothing.
static bool isBeside(Operation &op) {
  if (isa<tensor::EmptyOp, memref::AllocOp, memref::DeallocOp, memref::LoadOp>(op))
    return true;
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op);
}

std::optional<GemvProduct> forge::matchGemvKernel(func::FuncOp kernel, int64_t warpSize) {
  // 1. A fill, a contraction, perhaps an elementwise operation, and nothing else that computes.
  linalg::LinalgOp contraction;
  linalg::GenericOp follow;
  bool hasFill = false;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (!hasFill && isa<linalg::FillOp>(op))
      hasFill = true;
    else if (hasFill && !contraction && isa<linalg::LinalgOp>(op))
      contraction = cast<linalg::LinalgOp>(op);
    else if (contraction && !follow && isa<linalg::GenericOp>(op))
      follow = cast<linalg::GenericOp>(op);
    else if (isa<linalg::LinalgOp>(op) || !isBeside(op))
      return std::nullopt;
  }
  if (!contraction)
    return std::nullopt;
  std::optional<GemvProduct> gemv = matchGemv(contraction, follow, warpSize);
  if (!gemv)
    return std::nullopt;
  // 2. From the kernel's arguments into its results; the sums are its own where something follows.
  linalg::LinalgOp last = follow ? cast<linalg::LinalgOp>(follow.getOperation()) : contraction;
  SmallVector<Value> places{gemv->left(), gemv->right()};
  if (last.hasPureTensorSemantics()) {
    if (!llvm::equal(kernel.getBody().front().getTerminator()->getOperands(), last->getResults()))
      return std::nullopt;
  } else {
    llvm::append_range(places, last.getDpsInits());
    if (follow && !contraction.getDpsInits()[0].getDefiningOp<memref::AllocOp>())
      return std::nullopt;
  }
  return llvm::all_of(places, isPlainArgument) ? gemv : std::nullopt;
}

#include "FftLines.h"

#include "forge/Conversion/ForgeToLinalg/Passes.h"
#include "forge/Conversion/Utils/TensorUtils.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

namespace forge {
#define GEN_PASS_DEF_CONVERTFORGETOLINALGPASS
#include "forge/Conversion/ForgeToLinalg/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "convert-forge-to-linalg"

using namespace mlir;
using namespace forge;

static bool isZero(OpBuilder &builder, Value tensor) {
  Value scalar = getSplatScalar(builder, tensor.getLoc(), tensor);
  return scalar && matchPattern(scalar, m_AnyZeroFloat());
}

static bool areFirst(OffsetSizeAndStrideOpInterface slice) {
  return llvm::all_of(slice.getMixedOffsets(), isZeroInteger) &&
         llvm::all_of(slice.getMixedStrides(), isOneInteger);
}

/// What is first along `dim` of a tensor that has zeros behind it, else the tensor.
static Value withoutZerosBehind(OpBuilder &builder, Value tensor, int64_t dim) {
  auto insert = tensor.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !areFirst(insert) || !isZero(builder, insert.getDest()))
    return tensor;
  RankedTensorType from = insert.getSourceType(), to = insert.getType();
  if (!from.hasStaticShape() || from.getRank() != to.getRank() || from.getDimSize(dim) == 0)
    return tensor;
  for (int64_t other = 0; other < to.getRank(); ++other)
    if (other != dim && from.getDimSize(other) != to.getDimSize(other))
      return tensor;
  return insert.getSource();
}

/// Neither an imaginary part of zeros nor zeros behind the numbers of a line are read.
static void dropZeros(FftLinesOp op) {
  if (op.getHermitian())
    return;
  OpBuilder builder(op);
  SmallVector<Value> parts(op.getParts());
  if (parts.size() == 2 && isZero(builder, parts[1]))
    parts.pop_back();
  SmallVector<Value> shorter;
  for (Value part : parts)
    shorter.push_back(withoutZerosBehind(builder, part, static_cast<int64_t>(op.getDim())));
  op->setOperands(llvm::all_equal(TypeRange(ValueRange(shorter))) ? shorter : parts);
}

/// Without imaginary parts that nothing reads.
static FftLinesOp withoutUnreadParts(FftLinesOp op) {
  if (op.getNumResults() == 1 || !op.getResult(1).use_empty())
    return op;
  OpBuilder builder(op);
  auto real = FftLinesOp::create(builder, op.getLoc(), TypeRange(op.getResult(0).getType()),
                                 op->getOperands(), op->getAttrs());
  op.getResult(0).replaceAllUsesWith(real.getResult(0));
  op.erase();
  return real;
}

/// The first slice of the results, if all that reads them are slices of the first numbers of all
/// lines, as many of each; null otherwise.
static tensor::ExtractSliceOp firstNumbers(FftLinesOp op) {
  tensor::ExtractSliceOp first;
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    if (!slice || slice.getType() != (first ? first : slice).getType())
      return {};
    first = slice;
    RankedTensorType from = slice.getSourceType(), to = slice.getType();
    if (from.getRank() != to.getRank() || !areFirst(slice))
      return {};
    for (int64_t dim = 0; dim < from.getRank(); ++dim)
      if (dim != static_cast<int64_t>(op.getDim()) && from.getDimSize(dim) != to.getDimSize(dim))
        return {};
  }
  return first && first.getType().hasStaticShape() ? first : tensor::ExtractSliceOp();
}

/// What no slice keeps is not written.
static void keepFirstNumbers(FftLinesOp op) {
  tensor::ExtractSliceOp slice = firstNumbers(op);
  if (!slice)
    return;
  for (Value result : op->getResults())
    for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
      user->getResult(0).replaceAllUsesWith(result);
      if (user != slice)
        user->erase();
    }
  for (Value result : op->getResults())
    result.setType(slice.getType());
  slice.erase();
}

namespace {
struct ConvertForgeToLinalgPass
    : public forge::impl::ConvertForgeToLinalgPassBase<ConvertForgeToLinalgPass> {
  using ConvertForgeToLinalgPassBase::ConvertForgeToLinalgPassBase;

  void runOnOperation() override {
    SmallVector<FftLinesOp> transforms;
    getOperation().walk([&](FftLinesOp op) { transforms.push_back(op); });
    for (FftLinesOp op : transforms) {
      dropZeros(op);
      op = withoutUnreadParts(op);
      keepFirstNumbers(op);
      int64_t bytes = fftLineBytes(op);
      if (bytes > blockBytes) {
        emitUserError(op.getLoc()) << "expected lines of at most " << int64_t(blockBytes)
                                   << " bytes in the memory of a block, but one of "
                                   << op.getLength() << " numbers takes " << bytes;
        return signalPassFailure();
      }
      OpBuilder builder(op);
      op.replaceAllUsesWith(createFftLines(builder, op, blockBytes));
      op.erase();
    }
  }
};
} // namespace

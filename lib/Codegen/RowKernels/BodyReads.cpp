#include "BodyReads.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;

llvm::SmallBitVector BodyRead::allLoops() const {
  llvm::SmallBitVector all;
  for (const llvm::SmallBitVector &of : loops)
    all |= of;
  return all;
}

llvm::SmallBitVector BodyRead::innermostLoops() const {
  for (const llvm::SmallBitVector &of : llvm::reverse(loops))
    if (of.any())
      return of;
  return {};
}

/// Adds the loops that `index` is computed of; false if it is not of loops and constants alone.
static bool addLoops(Value index, llvm::SmallBitVector &loops) {
  if (matchPattern(index, m_Constant()))
    return true;
  Operation *op = index.getDefiningOp();
  if (auto loop = dyn_cast_or_null<linalg::IndexOp>(op)) {
    loops.set(loop.getDim());
    return true;
  }
  return isa_and_nonnull<arith::AddIOp, arith::MulIOp, arith::SubIOp, affine::AffineApplyOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return addLoops(operand, loops); });
}

SmallVector<BodyRead> forge::bodyReadsOf(linalg::GenericOp op) {
  SmallVector<BodyRead> reads;
  auto add = [&](Value values, OperandRange indices) {
    BodyRead read{values, {}};
    for (Value index : indices) {
      read.loops.emplace_back(op.getNumLoops());
      if (!addLoops(index, read.loops.back()))
        return;
    }
    reads.push_back(std::move(read));
  };
  op.getBody()->walk([&](Operation *inner) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
      add(extract.getTensor(), extract.getIndices());
    else if (auto load = dyn_cast<memref::LoadOp>(inner))
      add(load.getMemRef(), load.getIndices());
  });
  return reads;
}

#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace forge {
#define GEN_PASS_DEF_SCALAROPERANDSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-scalar-operands"

using namespace mlir;

/// The tensors of rank 0 that operations of the same block compute and the body of `op` extracts,
/// each with its extracts.
static llvm::MapVector<Value, SmallVector<tensor::ExtractOp>>
computedScalars(linalg::GenericOp op) {
  llvm::MapVector<Value, SmallVector<tensor::ExtractOp>> scalars;
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
    Value tensor = extract.getTensor();
    auto producer = tensor.getDefiningOp<linalg::GenericOp>();
    if (extract.getIndices().empty() && producer && producer->getBlock() == op->getBlock())
      scalars[tensor].push_back(extract);
  }
  return scalars;
}

/// `op` with one more input for each of `scalars`, which its body reads instead of extracting it.
static void addInputs(linalg::GenericOp op,
                      const llvm::MapVector<Value, SmallVector<tensor::ExtractOp>> &scalars) {
  OpBuilder builder(op);
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap single = AffineMap::get(op.getNumLoops(), 0, op.getContext());
  Block &body = *op.getBody();
  for (auto [tensor, extracts] : scalars) {
    BlockArgument argument =
        body.insertArgument(inputs.size(), extracts.front().getType(), op.getLoc());
    maps.insert(maps.begin() + inputs.size(), single);
    inputs.push_back(tensor);
    for (tensor::ExtractOp extract : extracts) {
      extract.replaceAllUsesWith(argument);
      extract.erase();
    }
  }
  auto reader = linalg::GenericOp::create(builder, op.getLoc(), op->getResultTypes(), inputs,
                                          op.getDpsInits(), maps, op.getIteratorTypesArray());
  reader->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  reader.getRegion().takeBody(op.getRegion());
  op->replaceAllUsesWith(reader);
  op->erase();
}

namespace {
/// 1. Each linalg.generic that is in no cluster yet.
/// 2. What its body extracts of tensors of rank 0, which other operations of its block compute, it
///    has as inputs.
struct ScalarOperandsPass : public forge::impl::ScalarOperandsPassBase<ScalarOperandsPass> {
  void runOnOperation() override {
    if (forge::isKernel(getOperation()))
      return;
    SmallVector<linalg::GenericOp> readers;
    getOperation().walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && !op->hasAttr(forge::kClusterAttr))
        readers.push_back(op);
    });
    for (linalg::GenericOp op : readers)
      if (auto scalars = computedScalars(op); !scalars.empty())
        addInputs(op, scalars);
  }
};
} // namespace

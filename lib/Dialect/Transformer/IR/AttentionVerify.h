// What attention, attention over pages and the gradients of attention check alike.
#ifndef FORGE_LIB_DIALECT_TRANSFORMER_IR_ATTENTIONVERIFY_H
#define FORGE_LIB_DIALECT_TRANSFORMER_IR_ATTENTIONVERIFY_H

#include "ShapeUtils.h"

#include "forge/Dialect/Transformer/IR/Accumulation.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

namespace forge::transformer {

/// attention_c4, attention_grad_c4, paged_attention_c4
inline llvm::LogicalResult checkHeads(mlir::Operation *op, int64_t queryHeads, int64_t keyHeads) {
  if (mlir::ShapedType::isDynamic(queryHeads) || mlir::ShapedType::isDynamic(keyHeads) ||
      (keyHeads != 0 && queryHeads % keyHeads == 0))
    return llvm::success();
  return op->emitOpError("expected query heads to be a multiple of the ")
         << keyHeads << " key heads, but got " << queryHeads;
}

/// The attributes: c7, c9, c10; and c15.
template <typename Op> llvm::LogicalResult checkScoring(Op op) {
  // attention_c7, attention_grad_c7, paged_attention_c7
  if (op.getScale() && !op.getScale()->isFinite())
    return op.emitOpError("expected a finite scale");
  // attention_c9, attention_grad_c9, paged_attention_c9
  if (op.getWindow() && static_cast<int64_t>(*op.getWindow()) < 1)
    return op.emitOpError("expected a window of 1 or more, but got ")
           << static_cast<int64_t>(*op.getWindow());
  // attention_c10, attention_grad_c10, paged_attention_c10
  if (op.getSoftCap() && (!op.getSoftCap()->isFinite() || !(op.getSoftCap()->convertToFloat() > 0)))
    return op.emitOpError("expected a soft_cap that is finite and above 0");
  // attention_c15, attention_grad_c14, paged_attention_c15
  return checkAccumulation(op, op.getQuery().getType().getElementType(), op.getAccumulate());
}

/// The vectors that go with the tensors: c11 and c12.
template <typename Op> llvm::LogicalResult checkVectors(Op op) {
  llvm::ArrayRef<int64_t> query = op.getQuery().getType().getShape();
  auto check = [&](llvm::StringRef name, mlir::Value vector, int64_t size) -> llvm::LogicalResult {
    return vector
               ? checkShape(op, name, mlir::cast<mlir::RankedTensorType>(vector.getType()), {size})
               : llvm::success();
  };
  // attention_c11, attention_grad_c11, paged_attention_c11
  if (llvm::failed(check("sinks", op.getSinks(), query[1])))
    return llvm::failure();
  // attention_c12, attention_grad_c12, paged_attention_c12
  return llvm::failed(check("lengths", op.getLengths(), query[0])) ||
                 llvm::failed(check("offsets", op.getOffsets(), query[0]))
             ? llvm::failure()
             : llvm::success();
}

/// Fails unless a region named `name`, where there is one, takes and yields what a score region
/// does, and does nothing else: attention_c13, attention_c14. Behind that, it yields `reads`.
llvm::LogicalResult checkScoreRegion(mlir::Operation *op, mlir::Region &region,
                                     llvm::StringRef name, mlir::Type number,
                                     mlir::TypeRange reads = {});

/// The mask, where there is one, goes with the scores, [B, Hq, S, T]: attention_c6,
/// attention_grad_c6
template <typename Op> llvm::LogicalResult checkMask(Op op) {
  if (!op.getMask())
    return llvm::success();
  llvm::SmallVector<int64_t> scores(op.getQuery().getType().getShape().drop_back());
  scores.push_back(op.getKey().getType().getDimSize(2));
  auto mask = mlir::cast<mlir::RankedTensorType>(op.getMask().getType());
  if (mask.getRank() != 4)
    return op.emitOpError("expected rank 4 for mask, but got ") << mask.getRank();
  for (int64_t dim = 0; dim < 4; ++dim)
    if (mask.getDimSize(dim) != 1 &&
        llvm::failed(checkDim(op, "dimension " + llvm::Twine(dim) + " of mask", scores[dim],
                              mask.getDimSize(dim))))
      return llvm::failure();
  return llvm::success();
}

/// attention_c1 to attention_c3, attention_grad_c1 to attention_grad_c3
template <typename Op> llvm::LogicalResult verifyKeysAndValues(Op op) {
  mlir::RankedTensorType query = op.getQuery().getType(), key = op.getKey().getType(),
                         value = op.getValue().getType();
  // attention_c1, attention_grad_c1
  for (auto [name, type] :
       {std::pair("query", query), std::pair("key", key), std::pair("value", value)}) {
    if (type.getRank() != 4)
      return op.emitOpError("expected rank 4 for ") << name << ", but got " << type.getRank();
    if (llvm::failed(
            checkDim(op, llvm::Twine("batch of ") + name, query.getDimSize(0), type.getDimSize(0))))
      return llvm::failure();
  }
  // attention_c2, attention_grad_c2
  if (llvm::failed(checkDim(op, "heads of value", key.getDimSize(1), value.getDimSize(1))) ||
      llvm::failed(checkDim(op, "length of value", key.getDimSize(2), value.getDimSize(2))))
    return llvm::failure();
  // attention_c3, attention_grad_c3
  return checkDim(op, "head dim of key", query.getDimSize(3), key.getDimSize(3));
}

} // namespace forge::transformer

#endif // FORGE_LIB_DIALECT_TRANSFORMER_IR_ATTENTIONVERIFY_H

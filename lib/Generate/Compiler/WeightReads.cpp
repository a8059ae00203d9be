#include "WeightReads.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>

using namespace forge;
using namespace mlir;

namespace {
class Shares {
public:
  /// The share of the elements of `value` that are read.
  double of(Value value) {
    if (auto known = shares.find(value); known != shares.end())
      return known->second;
    double share = 0;
    for (OpOperand &use : value.getUses())
      share = std::max(share, ofUse(use));
    return shares[value] = std::min(share, 1.0);
  }

private:
  static double rows(Value value) { return static_cast<double>(typeOf(value).getDimSize(0)); }
  static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

  double ofUse(OpOperand &use) {
    Operation *user = use.getOwner();
    Value value = use.get();
    if (auto lookup = dyn_cast<transformer::EmbeddingOp>(user))
      return static_cast<double>(typeOf(lookup.getIds()).getNumElements()) / rows(value);
    if (auto product = dyn_cast<transformer::GroupedMatmulOp>(user))
      return std::min(rows(product.getLhs()) / rows(value), 1.0);
    // Blocks of a row are read element by element.
    if (auto read = dyn_cast<tensor::ExtractOp>(user))
      if (auto loop = read->getParentOfType<linalg::GenericOp>())
        return static_cast<double>(typeOf(loop->getResult(0)).getNumElements()) /
               static_cast<double>(typeOf(value).getNumElements());
    bool isTransformer = isa<transformer::TransformerDialect>(user->getDialect());
    if ((isTransformer && !isa<transformer::DequantizeOp>(user)) || user->getNumResults() != 1 ||
        !isa<RankedTensorType>(user->getResult(0).getType()))
      return 1;
    // Other forms of the same numbers are read as far as they are.
    return of(user->getResult(0));
  }

  llvm::DenseMap<Value, double> shares;
};
} // namespace

uint64_t forge::bytesRead(BlockArgument argument) {
  auto type = cast<RankedTensorType>(argument.getType());
  double bits = static_cast<double>(type.getNumElements()) * type.getElementTypeBitWidth();
  return static_cast<uint64_t>(Shares().of(argument) * bits / 8);
}

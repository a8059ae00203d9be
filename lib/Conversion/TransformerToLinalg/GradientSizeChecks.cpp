// Run-time checks of the sizes of gradients' operands, and of what is between operations of the
// dialect: a backward function takes cotangents of any size.
#include "SizeChecks.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace forge::transformer;

namespace forge {

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

/// The first `count` dimensions of `value` are those of `other`.
static void checkLeading(ImplicitLocOpBuilder &b, Operation *op, StringRef name, Value value,
                         Value other, int64_t count) {
  for (int64_t dim = 0; dim < count; ++dim)
    checkSize(b, op, name, value, dim, other, dim);
}

static void check(ImplicitLocOpBuilder &b, AttentionGradOp op) {
  Value dy = op.getCotangent();
  checkLeading(b, op, "cotangent", dy, op.getQuery(), 3);
  checkSize(b, op, "cotangent", dy, 3, op.getValue(), 3);
  if (op.getLseCotangent())
    checkLeading(b, op, "cotangent of the lse", op.getLseCotangent(), op.getQuery(), 3);
}

static void check(ImplicitLocOpBuilder &b, CrossEntropyGradOp op) {
  int64_t rows = typeOf(op.getLogits()).getRank() - 1;
  checkLeading(b, op, "targets", op.getTargets(), op.getLogits(), rows);
  if (op.getReduction() == LossReduction::None)
    checkLeading(b, op, "cotangent", op.getCotangent(), op.getLogits(), rows);
}

static void check(ImplicitLocOpBuilder &b, EmbeddingGradOp op) {
  int64_t rank = typeOf(op.getIds()).getRank();
  checkLeading(b, op, "cotangent", op.getCotangent(), op.getIds(), rank);
  checkSize(b, op, "cotangent", op.getCotangent(), rank, op.getTable(), 1);
}

template <typename NormGradOp> static void checkNorm(ImplicitLocOpBuilder &b, NormGradOp op) {
  checkShapes(b, op, "cotangent", op.getCotangent(), op.getInput());
  checkVector(b, op, "scale", op.getScale(), op.getInput(), typeOf(op.getInput()).getRank() - 1);
}

/// Everything that is computed for each element alone has one shape.
static void checkElementwise(ImplicitLocOpBuilder &b, Operation *op) {
  Value first;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (first)
      checkShapes(b, op, "operand", operand, first);
    else
      first = operand;
  }
}

/// The dimensions of `input` are those of `init` at `places`.
static void checkPlaces(ImplicitLocOpBuilder &b, Operation *op, Value input, Value init,
                        ArrayRef<int64_t> places) {
  if (!isa<RankedTensorType>(input.getType()))
    return;
  for (auto [dim, place] : llvm::enumerate(places))
    checkSize(b, op, "input", input, static_cast<int64_t>(dim), init, place);
}

static void check(ImplicitLocOpBuilder &b, linalg::BroadcastOp op) {
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < cast<ShapedType>(op.getInit().getType()).getRank(); ++dim)
    if (!llvm::is_contained(op.getDimensions(), dim))
      kept.push_back(dim);
  checkPlaces(b, op, op.getInput(), op.getInit(), kept);
}

static void check(ImplicitLocOpBuilder &b, linalg::TransposeOp op) {
  // Dimension i of the result is dimension permutation[i] of the input.
  SmallVector<int64_t> places(op.getPermutation().size());
  for (auto [to, from] : llvm::enumerate(op.getPermutation()))
    places[from] = static_cast<int64_t>(to);
  checkPlaces(b, op, op.getInput(), op.getInit(), places);
}

/// The sizes that a dimension is expanded to, where the module gives them, multiply to its own:
/// what reads the result goes by them.
static void check(ImplicitLocOpBuilder &b, tensor::ExpandShapeOp op) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    auto isOpen = [&](int64_t i) { return op.getResultType().isDynamicDim(i); };
    if (llvm::none_of(group, isOpen))
      continue;
    Value from = getDim(b, loc, op.getSrc(), static_cast<int64_t>(dim));
    if (group.size() == 1 && areSameSize(sizes[group.front()], from))
      continue;
    Value product = arith::ConstantIndexOp::create(b, 1);
    for (int64_t i : group)
      product =
          b.createOrFold<arith::MulIOp>(product, getValueOrCreateConstantIndexOp(b, loc, sizes[i]));
    Value same = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, product, from);
    createRuntimeAssert(b, loc, same,
                        "expand_shape: expected sizes of {1} elements for dimension " + Twine(dim) +
                            ", but got {0}",
                        {product, from});
  }
}

void insertGradientSizeChecks(Operation *root) {
  root->walk([](Operation *op) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    TypeSwitch<Operation *>(op)
        .Case<AttentionGradOp, CrossEntropyGradOp, EmbeddingGradOp, linalg::BroadcastOp,
              linalg::TransposeOp, tensor::ExpandShapeOp>([&](auto typed) { check(b, typed); })
        .Case<LayerNormGradOp, RmsNormGradOp>([&](auto typed) { checkNorm(b, typed); })
        .Case([&](ActivationGradOp grad) {
          checkShapes(b, op, "cotangent", grad.getCotangent(), grad.getInput());
        })
        .Case<SoftmaxGradOp, LogSoftmaxGradOp>([&](auto grad) {
          checkShapes(b, op, "cotangent", grad.getCotangent(), grad.getOutput());
        })
        .Case([&](GroupedOuterOp outer) {
          checkSize(b, op, "rhs", outer.getRhs(), 0, outer.getLhs(), 0);
        })
        .Case([&](MoeRouteGradOp grad) {
          checkShapes(b, op, "cotangent", grad.getCotangent(), grad.getExperts());
          checkSize(b, op, "cotangent", grad.getCotangent(), 0, grad.getLogits(), 0);
        })
        .Case([&](TopKGradOp grad) {
          checkShapes(b, op, "cotangent", grad.getCotangent(), grad.getIndices());
          checkLeading(b, op, "cotangent", grad.getCotangent(), grad.getInput(),
                       typeOf(grad.getInput()).getRank() - 1);
        })
        .Default([&](Operation *) {
          if (OpTrait::hasElementwiseMappableTraits(op))
            checkElementwise(b, op);
        });
  });
}

} // namespace forge

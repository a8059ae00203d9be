#include "PieceProducts.h"

#include "forge/Codegen/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace forge;

/// The largest bf16.
static constexpr double kLargest = 0x1.fep127;

Value forge::narrowSource(Value factor) {
  auto extension = factor.getDefiningOp<linalg::GenericOp>();
  if (!extension || extension.getNumDpsInputs() != 1 || extension->getNumResults() != 1 ||
      !llvm::all_of(extension.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  auto extended =
      extension.getBody()->getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  bool isSource = extended && extended.getIn() == extension.getBody()->getArgument(0) &&
                  extended.getIn().getType().isBF16();
  return isSource ? extension.getInputs().front() : Value();
}

/// x = p0 + p1 + p2, exactly: each piece is what is left of `x`, rounded. The first piece is
/// always finite; the second is infinite if `x` is.
static SmallVector<Value> emitPieces(OpBuilder &builder, Location loc, Value x) {
  Type narrow = builder.getBF16Type(), wide = x.getType();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(wide, value));
  };
  Value below = arith::MinimumFOp::create(builder, loc, x, constant(kLargest));
  Value start = arith::MaximumFOp::create(builder, loc, below, constant(-kLargest));
  SmallVector<Value> pieces{arith::TruncFOp::create(builder, loc, narrow, start)};
  Value rest = x;
  while (pieces.size() < kPieces) {
    Value taken = arith::ExtFOp::create(builder, loc, wide, pieces.back());
    rest = arith::SubFOp::create(builder, loc, rest, taken);
    if (pieces.size() + 1 == kPieces) {
      // Infinity minus infinity.
      Value isNumber = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD, rest, rest);
      rest = arith::SelectOp::create(builder, loc, isNumber, rest, constant(0));
    }
    pieces.push_back(arith::TruncFOp::create(builder, loc, narrow, rest));
  }
  return pieces;
}

linalg::GenericOp forge::makePieces(Value factor) {
  OpBuilder builder(factor.getContext());
  builder.setInsertionPointAfterValue(factor);
  auto type = cast<RankedTensorType>(factor.getType());
  Value empty =
      tensor::EmptyOp::create(builder, factor.getLoc(), type.getShape(), builder.getBF16Type());
  SmallVector<Value> inits(kPieces, empty);
  SmallVector<AffineMap> maps(kPieces + 1, builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(), utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, factor.getLoc(), TypeRange(ValueRange(inits)), factor, inits, maps, loops,
      [](OpBuilder &inside, Location where, ValueRange values) {
        linalg::YieldOp::create(inside, where, emitPieces(inside, where, values.front()));
      });
}

bool forge::isReshape(Operation *op) {
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

Value forge::reshapeAlike(OpBuilder &builder, Operation *reshape, Value of) {
  auto type =
      cast<RankedTensorType>(reshape->getResult(0).getType()).clone(getElementTypeOrSelf(of));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape))
    return tensor::CollapseShapeOp::create(builder, reshape->getLoc(), type, of,
                                           collapse.getReassociationIndices());
  return tensor::ExpandShapeOp::create(
      builder, reshape->getLoc(), type, of,
      cast<tensor::ExpandShapeOp>(reshape).getReassociationIndices());
}

static Value emitSum(OpBuilder &builder, Location loc, ValueRange pieces) {
  Value sum;
  for (Value piece : pieces) {
    Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), piece);
    sum = sum ? arith::AddFOp::create(builder, loc, sum, wide).getResult() : wide;
  }
  return sum;
}

linalg::GenericOp forge::makeOfPieces(linalg::LinalgOp contraction,
                                      ArrayRef<SmallVector<Value>> factors, TermParts parts) {
  OpBuilder builder(contraction);
  SmallVector<Value> inputs;
  SmallVector<unsigned> numbers;
  for (auto [number, pieces] : llvm::enumerate(factors)) {
    llvm::append_range(inputs, pieces);
    numbers.append(pieces.size(), number);
  }
  ContractionParts divided = inParts(builder, contraction, inputs, numbers, parts);
  return linalg::GenericOp::create(
      builder, contraction.getLoc(), divided.init.getType(), divided.inputs, divided.init,
      divided.maps, divided.loops, [&](OpBuilder &inside, Location where, ValueRange values) {
        Value left = emitSum(inside, where, values.take_front(factors[0].size()));
        Value right = emitSum(inside, where, values.drop_back().drop_front(factors[0].size()));
        auto product = arith::MulFOp::create(inside, where, left, right);
        product->setDiscardableAttr(kPiecesAttr, inside.getUnitAttr());
        Value sum = arith::AddFOp::create(inside, where, values.back(), product);
        linalg::YieldOp::create(inside, where, sum);
      });
}

#include "WidenLogits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace forge;

/// What `value` is rounded from, if that is f32; otherwise null.
static Value roundedFrom(Value value) {
  auto rounding = value.getDefiningOp<arith::TruncFOp>();
  return rounding && rounding.getIn().getType().isF32() ? rounding.getIn() : Value();
}

static void dropRoundings(Block &body) {
  for (auto extension : llvm::make_early_inc_range(body.getOps<arith::ExtFOp>()))
    if (Value wide = roundedFrom(extension.getIn()); wide && extension.getType().isF32()) {
      extension.replaceAllUsesWith(wide);
      extension.erase();
    }
}

/// `reader` reads `wide` as its operand, instead of the same numbers rounded to `narrow`.
static void readWide(linalg::GenericOp reader, OpOperand &operand, Value wide, Type narrow) {
  BlockArgument element = reader.getMatchingBlockArgument(&operand);
  operand.set(wide);
  element.setType(Float32Type::get(reader.getContext()));
  SmallVector<OpOperand *> uses =
      llvm::map_to_vector(element.getUses(), [](OpOperand &use) { return &use; });
  Value rounded;
  for (OpOperand *use : uses) {
    if (auto extension = dyn_cast<arith::ExtFOp>(use->getOwner());
        extension && extension.getType().isF32()) {
      extension.replaceAllUsesWith(Value(element));
      extension.erase();
      continue;
    }
    if (!rounded) {
      OpBuilder b = OpBuilder::atBlockBegin(reader.getBody());
      rounded = arith::TruncFOp::create(b, reader.getLoc(), narrow, element);
    }
    use->set(rounded);
  }
}

void forge::readUnrounded(OpOperand &operand) {
  auto maker = operand.get().getDefiningOp<linalg::GenericOp>();
  auto reader = dyn_cast<linalg::GenericOp>(operand.getOwner());
  if (!maker || !reader || maker.getNumReductionLoops() > 0)
    return;
  unsigned number = cast<OpResult>(operand.get()).getResultNumber();
  auto yield = cast<linalg::YieldOp>(maker.getBody()->getTerminator());
  Value wide = roundedFrom(yield.getOperand(number));
  auto empty = maker.getDpsInits()[number].getDefiningOp<tensor::EmptyOp>();
  if (!wide || !empty)
    return;
  ImplicitLocOpBuilder b(maker.getLoc(), maker);
  SmallVector<Value> inits = maker.getDpsInits();
  inits.push_back(tensor::EmptyOp::create(b, empty.getMixedSizes(), b.getF32Type()));
  SmallVector<AffineMap> maps = maker.getIndexingMapsArray();
  maps.push_back(maps[maker.getNumDpsInputs() + number]);
  auto both = linalg::GenericOp::create(b, TypeRange(ValueRange(inits)), maker.getInputs(), inits,
                                        maps, maker.getIteratorTypesArray());
  both->setDiscardableAttrs(maker->getDiscardableAttrDictionary());
  both.getRegion().takeBody(maker.getRegion());
  both.getBody()->addArgument(b.getF32Type(), maker.getLoc());
  yield->insertOperands(yield->getNumOperands(), wide);
  Type narrow = getElementTypeOrSelf(operand.get());
  maker->replaceAllUsesWith(both->getResults().drop_back());
  maker.erase();
  readWide(reader, operand, both->getResults().back(), narrow);
}

void forge::widenResults(linalg::GenericOp op) {
  dropRoundings(*op.getBody());
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  SmallVector<Value> inits = op.getDpsInits();
  bool isWider = false;
  for (auto [number, yielded] : llvm::enumerate(yield.getValues())) {
    auto empty = inits[number].getDefiningOp<tensor::EmptyOp>();
    bool isRead = op.payloadUsesValueFromOperand(op.getDpsInitOperand(number));
    if (!roundedFrom(yielded) || !empty || isRead)
      continue;
    OpBuilder b(op);
    inits[number] = tensor::EmptyOp::create(b, op.getLoc(), empty.getMixedSizes(), b.getF32Type());
    isWider = true;
  }
  if (!isWider)
    return;
  // 1. The same operation with wide results.
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto wide = linalg::GenericOp::create(b, TypeRange(ValueRange(inits)), op.getInputs(), inits,
                                        op.getIndexingMaps(), op.getIteratorTypes(),
                                        op.getDocAttr(), op.getLibraryCallAttr());
  wide->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  wide.getRegion().takeBody(op.getRegion());
  yield = cast<linalg::YieldOp>(wide.getBody()->getTerminator());
  for (auto [number, init] : llvm::enumerate(inits)) {
    if (init == op.getDpsInits()[number])
      continue;
    wide.getBody()->getArgument(wide.getNumDpsInputs() + number).setType(b.getF32Type());
    Operation *rounding = yield.getOperand(number).getDefiningOp();
    yield.setOperand(number, roundedFrom(yield.getOperand(number)));
    if (rounding->use_empty())
      rounding->erase();
  }
  // 2. Those who read them.
  for (auto [number, init] : llvm::enumerate(inits)) {
    Value old = op->getResult(number), now = wide->getResult(number);
    if (init == op.getDpsInits()[number]) {
      old.replaceAllUsesWith(now);
      continue;
    }
    Type narrow = getElementTypeOrSelf(old);
    for (OpOperand &use : llvm::make_early_inc_range(old.getUses()))
      if (auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
          reader && reader.isDpsInput(&use))
        readWide(reader, use, now, narrow);
    if (old.use_empty())
      continue;
    b.setInsertionPointAfter(wide);
    auto type = cast<RankedTensorType>(old.getType());
    Value empty = tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), now), narrow);
    AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
    auto rounded = linalg::GenericOp::create(
        b, type, now, empty, ArrayRef{identity, identity},
        SmallVector<utils::IteratorType>(type.getRank(), utils::IteratorType::parallel),
        [&](OpBuilder &builder, Location loc, ValueRange elements) {
          Value element = arith::TruncFOp::create(builder, loc, narrow, elements.front());
          linalg::YieldOp::create(builder, loc, element);
        });
    old.replaceAllUsesWith(rounded.getResult(0));
  }
  op.erase();
}

#include "NarrowFactor.h"

#include "../Strategy/ProductAxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace forge;

/// The tensor of i8 whose numbers `value` is, if they are made for one use.
static Value narrowSource(Value value) {
  auto maker = value.getDefiningOp<linalg::GenericOp>();
  if (!maker || !value.hasOneUse() || maker->getNumResults() != 1 || maker.getNumDpsInputs() != 1 ||
      maker.getNumParallelLoops() != maker.getNumLoops() ||
      !llvm::all_of(maker.getIndexingMapsArray(), [](AffineMap map) { return map.isIdentity(); }))
    return {};
  Block *body = maker.getBody();
  auto number = body->getTerminator()->getOperand(0).getDefiningOp<arith::SIToFPOp>();
  bool isNumber = number && number.getIn() == body->getArgument(0) &&
                  number.getIn().getType().isSignlessInteger(8);
  return isNumber ? maker.getDpsInputs().front() : Value();
}

/// Makes the body take an i8 as argument `number`, and its number in the sums' type in its place.
static void narrowArgument(Block &body, unsigned number, Type sum) {
  BlockArgument argument = body.getArgument(number);
  OpBuilder builder(&body, body.begin());
  SmallVector<Operation *> users(argument.getUsers());
  argument.setType(builder.getI8Type());
  Value wide = arith::SIToFPOp::create(builder, argument.getLoc(), sum, argument);
  for (Operation *user : users) {
    if (isa<arith::ExtFOp>(user)) {
      user->getResult(0).replaceAllUsesWith(wide);
      user->erase();
    } else {
      user->replaceUsesOfWith(argument, wide);
    }
  }
}

linalg::LinalgOp forge::foldNarrowFactor(linalg::LinalgOp contraction, const GPUChip &chip,
                                         const LibraryUse &use) {
  if (!contraction.hasPureTensorSemantics() || contraction->getNumResults() != 1 ||
      !isSumOfProducts(contraction))
    return {};
  Type sum = getElementTypeOrSelf(contraction->getOperand(2));
  for (unsigned number : {0u, 1u}) {
    Value wide = contraction->getOperand(number), narrow = narrowSource(wide);
    if (!narrow || !isa<linalg::GenericOp>(contraction.getOperation()))
      continue;
    OpBuilder builder(contraction);
    auto made = cast<linalg::LinalgOp>(builder.clone(*contraction));
    made->setOperand(number, narrow);
    narrowArgument(made->getRegion(0).front(), number, sum);
    std::optional<GemvProduct> product = matchGemv({made}, linalg::GenericOp(), chip);
    if (!product || !isBeforeLibrary(*product, use)) {
      made->erase();
      continue;
    }
    contraction->replaceAllUsesWith(made);
    contraction->erase();
    wide.getDefiningOp()->erase();
    return made;
  }
  return {};
}

#include "Expansions.h"

#include "../Generic/SharedTerms.h"
#include "../RowKernels/RowClusters.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;

namespace forge {

int64_t stepsOf(linalg::GenericOp op) {
  int64_t steps = 1;
  for (int64_t range : op.getStaticLoopRanges())
    steps = llvm::SaturatingMultiply<uint64_t>(steps, range);
  return steps;
}

bool expands(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op->hasAttr(kScheduleAttr) ||
      llvm::any_of(op.getStaticLoopRanges(), ShapedType::isDynamic) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }) ||
      llvm::any_of(op.getBody()->without_terminator(), [](Operation &inner) {
        return inner.getNumRegions() != 0 || !isMemoryEffectFree(&inner);
      }))
    return false;
  uint64_t read = 0;
  for (Value input : op.getDpsInputs())
    if (auto type = dyn_cast<RankedTensorType>(input.getType()))
      read += type.getNumElements();
  return llvm::SaturatingMultiply<uint64_t>(read, kLeastExpansion) <=
         static_cast<uint64_t>(stepsOf(op));
}

bool isExpansion(linalg::GenericOp op) {
  return op->getNumResults() == 1 && op.getNumReductionLoops() == 0 && expands(op) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation();
}

int64_t costOf(Operation &inner) {
  constexpr int64_t slow = 8, slowest = 32;
  if (isa<linalg::IndexOp, arith::IndexCastOp, arith::IndexCastUIOp, arith::ConstantOp>(inner))
    return 0;
  if (isa<math::AbsFOp, math::AbsIOp, math::FmaOp>(inner))
    return 1;
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp, math::Exp2Op, math::ExpOp, math::LogOp,
          math::Log2Op, math::FloorOp, math::CeilOp, math::RoundEvenOp, math::TruncOp,
          arith::FPToSIOp, arith::FPToUIOp, arith::SIToFPOp, arith::UIToFPOp>(inner))
    return slow;
  if (isa<arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          tensor::ExtractOp>(inner) ||
      !isa_and_nonnull<arith::ArithDialect>(inner.getDialect()))
    return slowest;
  return 1;
}

int64_t bodyCost(linalg::GenericOp op) {
  int64_t cost = 0;
  for (Operation &inner : op.getBody()->without_terminator())
    cost += costOf(inner);
  return cost;
}

bool mayCompute(Operation *user) {
  auto op = dyn_cast<linalg::GenericOp>(user);
  return op && op.hasPureTensorSemantics() && !op->hasAttr(kScheduleAttr) &&
         !linalg::isaContractionOpInterface(op) && !linalg::isaConvolutionOpInterface(op);
}

SmallVector<linalg::GenericOp> genericsOf(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  return ops;
}

namespace {

/// What an H200 takes for bytes and for operations on elements, in a second: of 29e12 additions of
/// floats, a kernel reaches some three quarters.
constexpr double kBytesPerSecond = 4.3e12, kOperationsPerSecond = 2.2e13;

/// Whether `user` may compute `op` instead of reading it.
bool canCompute(linalg::GenericOp op, Operation *user, bool isLookUp) {
  if (!mayCompute(user) || user->getBlock() != op->getBlock() || wouldReadOverwritten(op, user) ||
      isTooLargeToFuse(op, cast<linalg::LinalgOp>(user)))
    return false;
  auto reader = cast<linalg::GenericOp>(user);
  return !llvm::any_of(reader.getStaticLoopRanges(), ShapedType::isDynamic) &&
         (isLookUp || llvm::all_of(reader->getOpOperands(), [&](OpOperand &operand) {
            return operand.get() != op->getResult(0) ||
                   (reader.isDpsInput(&operand) &&
                    reader.getMatchingIndexingMap(&operand).isProjectedPermutation());
          }));
}

/// Whether a row kernel computes `op` with all that reads it, so that it is in no memory. What
/// starts from a fill has one of its own there, which it gets here.
bool isInOneRowKernel(linalg::GenericOp op) {
  Operation *last = nullptr;
  for (Operation *user : op->getUsers()) {
    user = op->getBlock()->findAncestorOpInBlock(*user);
    for (OpOperand &init : cast<linalg::GenericOp>(user).getDpsInitsMutable())
      if (auto fill = init.get().getDefiningOp<linalg::FillOp>(); fill && !fill->hasOneUse())
        init.set(OpBuilder(user).clone(*fill)->getResult(0));
    if (!last || last->isBeforeInBlock(user))
      last = user;
  }
  SmallVector<Operation *> members = clusterRows(cast<linalg::GenericOp>(last));
  return llvm::is_contained(members, op.getOperation()) &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return llvm::is_contained(members, user); });
}

/// Whether `op` goes over more than the last dimension of an input as it reduces: no row kernel
/// does, whose threads have one result each.
bool reducesAcrossRows(linalg::GenericOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return map.getNumResults() > 1 && llvm::any_of(loops, [&](unsigned loop) {
             return llvm::any_of(map.getResults().drop_back(),
                                 [&](AffineExpr index) { return index.isFunctionOfDim(loop); });
           });
  });
}

/// Whether the threads of `user`, a reduction, would compute `op` once for all results that have an
/// element of it: they have all of those together (SharedTerms.h).
bool sharesTerms(linalg::GenericOp op, OpOperand &use) {
  auto user = cast<linalg::GenericOp>(use.getOwner());
  AffineMap map = user.getMatchingIndexingMap(&use);
  std::optional<unsigned> missing;
  for (unsigned loop = 0; loop < user.getNumLoops(); ++loop) {
    if (map.isFunctionOfDim(loop))
      continue;
    if (missing)
      return false;
    missing = loop;
  }
  return missing && mayShareTerms(user, *missing) && bodyCost(op) >= kLeastSharedCost &&
         reducesAcrossRows(user);
}

} // namespace

bool paysToRepeat(linalg::GenericOp op) {
  constexpr int64_t kLeastElements = 1 << 12;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getNumElements() < kLeastElements || !type.getElementType().isIntOrFloat() ||
      op->use_empty())
    return false;
  double elements = static_cast<double>(type.getNumElements());
  double accesses = elements, steps = -elements;
  for (OpOperand &use : op->getUses()) {
    bool isLookUp = isa<tensor::ExtractOp>(use.getOwner());
    Operation *user = isLookUp ? use.getOwner()->getParentOp() : use.getOwner();
    if (!canCompute(op, user, isLookUp))
      return false;
    double more = static_cast<double>(stepsOf(cast<linalg::GenericOp>(user)));
    if (!isLookUp && sharesTerms(op, use))
      more = elements;
    accesses += isLookUp ? more : elements;
    steps += more;
  }
  double bytes = static_cast<double>(llvm::divideCeil(type.getElementTypeBitWidth(), 8));
  return steps * static_cast<double>(bodyCost(op)) / kOperationsPerSecond <
             accesses * bytes / kBytesPerSecond &&
         !isInOneRowKernel(op);
}

/// Computes `op` where `use` looks an element up.
static void computeLookUp(IRRewriter &b, linalg::GenericOp op, tensor::ExtractOp extract) {
  b.setInsertionPoint(extract);
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<Value> loops(op.getNumLoops());
  for (auto [expr, index] : llvm::zip_equal(written.getResults(), extract.getIndices()))
    loops[cast<AffineDimExpr>(expr).getPosition()] = index;
  b.replaceOp(extract, elementAt(op, 0, loops, extract.getLoc(), b));
}

bool repeatExpansions(Operation *root) {
  IRRewriter b(root->getContext());
  bool changed = false;
  SmallVector<linalg::GenericOp> ops = genericsOf(root);
  // Those that fusion replaces come later.
  for (size_t i = 0; i < ops.size(); ++i) {
    linalg::GenericOp op = ops[i];
    if (!isExpansion(op) || !paysToRepeat(op))
      continue;
    while (!op->use_empty()) {
      OpOperand &use = *op->use_begin();
      if (auto extract = dyn_cast<tensor::ExtractOp>(use.getOwner())) {
        computeLookUp(b, op, extract);
        continue;
      }
      auto user = cast<linalg::GenericOp>(use.getOwner());
      b.setInsertionPoint(user);
      FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(b, &use);
      if (failed(fused))
        break;
      for (OpResult result : user->getResults())
        b.replaceAllUsesWith(result, fused->replacements.lookup(result));
      llvm::replace(ops, user, cast<linalg::GenericOp>(fused->fusedOp));
      b.eraseOp(user);
    }
    changed = true;
    if (op->use_empty())
      b.eraseOp(op);
  }
  return changed;
}

} // namespace forge

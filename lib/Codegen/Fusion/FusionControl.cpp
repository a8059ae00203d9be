// What fusion may repeat and what it may move: the decisions, apart from the rewriting.
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Schedule.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace forge {
namespace {

/// The longest body that counts as cheap, and the largest operation that fusion makes: beyond
/// these, registers spill and compile time grows faster than memory traffic falls.
constexpr int64_t kCheapBodyOps = 8;
constexpr size_t kMaxFusedOperands = 24;
constexpr int64_t kMaxFusedBodyOps = 256;

int64_t bodySize(linalg::LinalgOp op) {
  return static_cast<int64_t>(op.getBlock()->getOperations().size()) - 1;
}

/// Operations of a body that compute: casts and loop indices are free, or nearly.
int64_t computingOps(linalg::LinalgOp op) {
  return llvm::count_if(op.getBlock()->without_terminator(), [](Operation &inner) {
    return !isa<linalg::IndexOp, CastOpInterface>(inner);
  });
}

/// True for scalar operations of about one cycle: no division, no transcendental function, no
/// memory access.
bool isSimpleScalarOp(Operation &op) {
  if (op.getNumRegions() != 0)
    return false;
  if (isa<linalg::YieldOp, linalg::IndexOp, math::AbsFOp, math::AbsIOp, math::FmaOp, math::CeilOp,
          math::FloorOp, math::RoundEvenOp, math::TruncOp>(op))
    return true;
  return isa_and_nonnull<arith::ArithDialect>(op.getDialect()) &&
         !isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
              arith::RemUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

Value throughViews(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::CastOp>(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

bool mayOverwrite(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(owner))
    return destination.isDpsInit(&use);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(owner))
    return &use == &insert.getDestMutable();
  return isa<tensor::InsertOp, LoopLikeOpInterface, CallOpInterface>(owner);
}

/// True if an operation of the block between `begin` and `end`, or one nested in it, may overwrite
/// `source`.
/// 1. Two searches go on in turn, since either may be long: over the uses of `source`, and over the
///    operations between. The first to end has the answer, so that neither a tensor read everywhere
///    nor a distant consumer costs more than the shorter of the two.
/// 2. When both are longer than any real module has needed, the answer is that it may.
bool isOverwrittenBetween(Value source, Operation *begin, Operation *end) {
  constexpr int kMaxSteps = 4096;
  Block *block = begin->getBlock();
  if (!begin->isBeforeInBlock(end))
    return false;
  auto overwrites = [&](OpOperand &use) {
    Operation *user = block->findAncestorOpInBlock(*use.getOwner());
    return user && mayOverwrite(use) && begin->isBeforeInBlock(user) && user->isBeforeInBlock(end);
  };
  auto overwritesWithin = [&](Operation *op) {
    return op
        ->walk([&](Operation *inner) {
          bool found = llvm::any_of(inner->getOpOperands(), [&](OpOperand &use) {
            return use.get() == source && mayOverwrite(use);
          });
          return found ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
  auto use = source.use_begin();
  Operation *between = begin->getNextNode();
  for (int step = 0; step < kMaxSteps; ++step) {
    if (use == source.use_end() || between == end)
      return false;
    if (overwrites(*use) || overwritesWithin(between))
      return true;
    ++use;
    between = between->getNextNode();
  }
  return true;
}

/// True if the result goes on from the initial value. Computed once per reader of an element, it
/// would go on several times.
bool accumulates(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInitsMutable(),
                      [&](OpOperand &init) { return op.payloadUsesValueFromOperand(&init); });
}

/// Whether `consumer` reads each element of `value` once: by every operand that is `value`, since
/// one that stays would have it computed a second time.
bool isReadOncePerElement(Value value, linalg::LinalgOp consumer) {
  return llvm::all_of(consumer.getDpsInputOperands(), [&](OpOperand *operand) {
    return operand->get() != value || consumer.getMatchingIndexingMap(operand).isPermutation();
  });
}

/// Whether `op` is elementwise on `sums`: each result from the sum at the same place.
bool isElementwiseOn(Value sums, linalg::LinalgOp op) {
  return op.getNumReductionLoops() == 0 &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return (operand.get() != sums && !op.isDpsInit(&operand)) ||
                  op.getMatchingIndexingMap(&operand).isIdentity();
         });
}

bool hasOneConsumer(Operation *producer, Operation *consumer) {
  return llvm::all_of(producer->getUsers(), [&](Operation *user) { return user == consumer; });
}

/// A reshape that adds or removes unit dimensions only. Moved into an operation, it would give that
/// operation loops of one iteration, and hide that its iteration space equals that of its
/// neighbours; dropping unit dimensions removes it.
bool changesUnitDimsOnly(Operation *reshape) {
  RankedTensorType wide;
  SmallVector<ReassociationIndices> groups;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape)) {
    wide = expand.getResultType();
    groups = expand.getReassociationIndices();
  } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reshape)) {
    wide = collapse.getSrcType();
    groups = collapse.getReassociationIndices();
  } else {
    return false;
  }
  return llvm::all_of(groups, [&](const ReassociationIndices &group) {
    return llvm::count_if(group, [&](int64_t dim) { return wide.getDimSize(dim) != 1; }) <= 1;
  });
}

/// What makes narrow results of the sums of a product that nothing else reads.
enum class Narrowing { None, OfSums, OfReshapedSums };

Narrowing narrowingBy(linalg::LinalgOp op) {
  auto isNarrower = [](Value value, Value other) {
    Type type = getElementTypeOrSelf(value), otherType = getElementTypeOrSelf(other);
    return type.isIntOrFloat() && otherType.isIntOrFloat() &&
           type.getIntOrFloatBitWidth() < otherType.getIntOrFloatBitWidth();
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value sums = input->get();
    bool isReshaped = false;
    while (sums.hasOneUse() &&
           isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(sums.getDefiningOp())) {
      isReshaped |= !changesUnitDimsOnly(sums.getDefiningOp());
      sums = sums.getDefiningOp()->getOperand(0);
    }
    auto product = sums.getDefiningOp<linalg::LinalgOp>();
    if (product && sums.hasOneUse() && linalg::isaContractionOpInterface(product) &&
        isElementwiseOn(input->get(), op) && isNarrower(op->getResult(0), sums))
      return isReshaped ? Narrowing::OfReshapedSums : Narrowing::OfSums;
  }
  return Narrowing::None;
}

/// Whether `op` only widens what it reads, for operations that can do that themselves.
bool widensForOthers(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumReductionLoops() == 0 &&
         llvm::all_of(op.getBlock()->without_terminator(),
                      [](Operation &inner) { return isa<arith::ExtFOp>(inner); }) &&
         llvm::all_of(op->getUsers(), [](Operation *user) {
           // An element that is looked up is widened there.
           auto generic = isa<tensor::ExtractOp>(user) ? user->getParentOfType<linalg::GenericOp>()
                                                       : dyn_cast<linalg::GenericOp>(user);
           return generic && !linalg::isaContractionOpInterface(
                                 cast<linalg::LinalgOp>(generic.getOperation()));
         });
}

/// Whether the narrow results of `producer` are to be in memory: what cannot be computed in the
/// product's kernel reads them rather than wide sums.
bool keepsNarrow(linalg::LinalgOp producer, Value result, linalg::LinalgOp consumer) {
  switch (narrowingBy(producer)) {
  case Narrowing::None:
    return false;
  case Narrowing::OfSums:
    return widensForOthers(consumer);
  case Narrowing::OfReshapedSums:
    // The product's kernel computes them once the reshape has moved behind.
    return widensForOthers(consumer) || !isElementwiseOn(result, consumer);
  }
}

/// The dimensions that `reshape` divides or joins, of the side with fewer of them.
SmallVector<unsigned> reshapedDims(Operation *reshape) {
  SmallVector<ReassociationIndices> groups =
      isa<tensor::ExpandShapeOp>(reshape)
          ? cast<tensor::ExpandShapeOp>(reshape).getReassociationIndices()
          : cast<tensor::CollapseShapeOp>(reshape).getReassociationIndices();
  SmallVector<unsigned> dims;
  for (auto [dim, group] : llvm::enumerate(groups))
    if (group.size() > 1)
      dims.push_back(dim);
  return dims;
}

/// Whether `reshape` of an operand of `contraction`, or of its result, only divides loops that all
/// operands have: batches of matrices that were one batch for a product of three dimensions.
bool dividesBatches(Operation *reshape, linalg::LinalgOp contraction, AffineMap map) {
  return map.isProjectedPermutation() && llvm::all_of(reshapedDims(reshape), [&](unsigned dim) {
           unsigned loop = cast<AffineDimExpr>(map.getResult(dim)).getPosition();
           return llvm::all_of(contraction.getIndexingMapsArray(),
                               [&](AffineMap other) { return other.isFunctionOfDim(loop); });
         });
}

/// Whether `value` is the sums of a product, or elementwise operations make it of sums that nothing
/// else reads.
bool isOfSums(Value value) {
  while (Operation *reshape = value.getDefiningOp()) {
    if (!changesUnitDimsOnly(reshape))
      break;
    value = reshape->getOperand(0);
  }
  auto maker = value.getDefiningOp<linalg::LinalgOp>();
  if (!maker || linalg::isaContractionOpInterface(maker))
    return maker != nullptr;
  return maker.getNumReductionLoops() == 0 && value.hasOneUse() &&
         llvm::any_of(maker.getDpsInputOperands(), [&](OpOperand *input) {
           return maker.getMatchingIndexingMap(input).isIdentity() && isOfSums(input->get());
         });
}

/// Whether moving `reshape` of an operand of `consumer` through it would divide loops of a product
/// whose sums `consumer` reads, too: the product keeps its loops, and could not have `consumer` as
/// its epilogue any more, nor be one of two products of attention.
bool dividesSums(Operation *reshape, OpOperand *operand, linalg::GenericOp consumer) {
  AffineMap map = consumer.getMatchingIndexingMap(operand);
  if (!map.isProjectedPermutation())
    return false;
  SmallVector<unsigned> loops = llvm::map_to_vector(reshapedDims(reshape), [&](unsigned dim) {
    return cast<AffineDimExpr>(map.getResult(dim)).getPosition();
  });
  return llvm::any_of(consumer.getDpsInputOperands(), [&](OpOperand *input) {
    return isOfSums(input->get()) && llvm::any_of(loops, [&](unsigned loop) {
             return consumer.getMatchingIndexingMap(input).isFunctionOfDim(loop);
           });
  });
}

/// Whether a reshape moves through an operation next to it, whose loops it divides. `operand` is of
/// the one that consumes the other.
bool shouldMoveReshape(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp(), *consumer = operand->getOwner();
  // Only between a producer and its one consumer, so that no chain is computed twice; or where all
  // consumers may read what is collapsed.
  bool isForAll = isa<tensor::CollapseShapeOp>(producer) &&
                  llvm::all_of(producer->getUsers(), llvm::IsaPred<linalg::GenericOp>);
  if (producer->getBlock() != consumer->getBlock() || (!producer->hasOneUse() && !isForAll))
    return false;
  // Contractions have kernels of their own. One batch or several are the same to these, but only
  // several are those of what is between two products of attention.
  auto isContraction = [](linalg::LinalgOp op) {
    return op && linalg::isaContractionOpInterface(op);
  };
  auto consumerOp = dyn_cast<linalg::LinalgOp>(consumer);
  auto producerOp = dyn_cast<linalg::LinalgOp>(producer);
  if (isContraction(consumerOp))
    return isa<tensor::CollapseShapeOp>(producer) &&
           dividesBatches(producer, consumerOp, consumerOp.getMatchingIndexingMap(operand));
  if (isContraction(producerOp))
    return isa<tensor::ExpandShapeOp>(consumer) &&
           dividesBatches(consumer, producerOp,
                          producerOp.getIndexingMapMatchingResult(producerOp->getResult(0)));
  auto reader = dyn_cast<linalg::GenericOp>(consumer);
  return !reader || !isa<tensor::CollapseShapeOp>(producer) ||
         !dividesSums(producer, operand, reader);
}

} // namespace

bool narrowsSums(linalg::LinalgOp op) { return narrowingBy(op) != Narrowing::None; }

bool wouldReadOverwritten(Operation *producer, Operation *consumer) {
  Block *block = producer->getBlock();
  Operation *end = block->findAncestorOpInBlock(*consumer);
  if (!end)
    return true;
  return llvm::any_of(producer->getOperands(), [&](Value input) {
    Value source = throughViews(input);
    // An empty tensor does not matter; a fill is done again rather than copied; a constant is
    // never overwritten.
    if (!isa<RankedTensorType>(input.getType()) ||
        isa_and_nonnull<tensor::EmptyOp, linalg::FillOp, arith::ConstantOp>(source.getDefiningOp()))
      return false;
    return isOverwrittenBetween(source, producer, end);
  });
}

/// True for an operation that moves elements and computes nothing with them: its body reads one at
/// a place that is computed from the loops by simple operations, as that of a rotation does.
static bool onlyMoves(linalg::GenericOp op) {
  constexpr int64_t kMostOps = 24;
  auto extracts = op.getBody()->getOps<tensor::ExtractOp>();
  return op.hasPureTensorSemantics() && op.getNumDpsInputs() == 0 && op->getNumResults() == 1 &&
         !accumulates(op) && op.getNumReductionLoops() == 0 && computingOps(op) <= kMostOps &&
         llvm::hasSingleElement(extracts) &&
         op.getBody()->getTerminator()->getOperand(0) == (*extracts.begin()).getResult() &&
         llvm::all_of(*op.getBody(), [](Operation &inner) {
           return isSimpleScalarOp(inner) || isa<tensor::ExtractOp>(inner);
         });
}

bool isCheapToRepeat(Operation *producer) {
  if (isa_and_nonnull<linalg::FillOp>(producer))
    return true;
  auto op = dyn_cast_or_null<linalg::GenericOp>(producer);
  if (op && onlyMoves(op))
    return true;
  if (!op || accumulates(op) || op.getNumParallelLoops() != op.getNumLoops() ||
      op->getNumResults() != 1 || computingOps(op) > kCheapBodyOps ||
      !llvm::all_of(*op.getBody(), isSimpleScalarOp))
    return false;
  // A broadcast operand stays in cache; one operand of full size costs what reading the result
  // would.
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  int fullSize = 0;
  for (OpOperand *input : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(input).getNumResults() == resultType.getRank()) {
      auto type = dyn_cast<RankedTensorType>(input->get().getType());
      if (type && type.getElementType().isIntOrFloat() &&
          resultType.getElementType().isIntOrFloat() &&
          type.getElementTypeBitWidth() > resultType.getElementTypeBitWidth())
        return false;
      ++fullSize;
    }
  return fullSize <= 1;
}

bool isTooLargeToFuse(linalg::LinalgOp first, linalg::LinalgOp second) {
  // Equal inputs are read once; results that start from one empty tensor are tensors of their own.
  llvm::SmallPtrSet<Value, 16> inputs;
  for (linalg::LinalgOp op : {first, second})
    for (OpOperand *operand : op.getDpsInputOperands())
      inputs.insert(operand->get());
  return inputs.size() + first.getNumDpsInits() + second.getNumDpsInits() > kMaxFusedOperands ||
         bodySize(first) + bodySize(second) > kMaxFusedBodyOps;
}

bool shouldFuseProducer(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  Operation *consumer = operand->getOwner();
  if (!producer)
    return false;
  // A schedule in the file is one of the loops that the operation has there.
  if (producer->hasAttr(kScheduleAttr) || consumer->hasAttr(kScheduleAttr))
    return false;
  auto consumerOp = dyn_cast<linalg::LinalgOp>(consumer);
  auto producerOp = dyn_cast<linalg::LinalgOp>(producer);
  if (changesUnitDimsOnly(producer) || changesUnitDimsOnly(consumer))
    return false;
  if (!consumerOp || !producerOp)
    return shouldMoveReshape(operand);
  // Contractions have kernels of their own, which recognise them by their plain body.
  if (linalg::isaContractionOpInterface(consumerOp) ||
      linalg::isaConvolutionOpInterface(consumerOp) || isa<linalg::FillOp>(producer))
    return isa<linalg::FillOp>(producer) && !linalg::isaContractionOpInterface(consumerOp);
  // An operand that the body does not read is dropped. Fused first, it would leave those of its
  // producer, which the body does not read either: along every path, of which a hash has millions.
  if (consumerOp.isDpsInput(operand) && !consumerOp.payloadUsesValueFromOperand(operand))
    return false;
  if (isTooLargeToFuse(producerOp, consumerOp))
    return false;
  if (wouldReadOverwritten(producer, consumer))
    return false;
  if (keepsNarrow(producerOp, operand->get(), consumerOp))
    return false;
  if (isCheapToRepeat(producer))
    return true;
  return producer->getBlock() == consumer->getBlock() && hasOneConsumer(producer, consumer) &&
         isReadOncePerElement(operand->get(), consumerOp);
}

} // namespace forge

#include "RowProgram.h"

#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Codegen/Schedule.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

namespace forge {
#define GEN_PASS_DEF_RECOMPUTERESULTSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-recompute-results"

using namespace mlir;
using namespace forge;

/// Bytes a second of device memory that what is written and read costs (H200, a copy).
static constexpr double kBytesPerSecond = 4.2e12;

/// Smaller results stay in the caches.
static constexpr int64_t kLeastBytes = int64_t(16) << 20;

namespace {
/// An elementwise operation whose result kernels other than its own read.
struct Producer {
  linalg::GenericOp op;
  /// What computes the result from memory: `op`, or a copy of it that nothing uses, with what its
  /// kernel computes for it.
  linalg::GenericOp made;
  /// The one operand of `made` with an element for each of the result.
  Value source;
  /// Those in other kernels.
  SetVector<Operation *> readers;
};
} // namespace

/// What is computed by one kernel has the same.
static const void *kernelOf(Operation *op) {
  if (Attribute cluster = op->getAttr(kClusterAttr))
    return cluster.getAsOpaquePointer();
  return op;
}

static int64_t bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return llvm::SaturatingMultiply<uint64_t>(type.getNumElements(),
                                            llvm::divideCeil(type.getElementTypeBitWidth(), 8));
}

/// The one operand with as many elements as the result; null unless it is in memory, its elements
/// are no wider than the result's, and all other operands are broadcast.
static Value sourceOf(linalg::GenericOp op) {
  Value source, result = op->getResult(0);
  int64_t elements = cast<RankedTensorType>(result.getType()).getNumElements();
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    if (!type)
      continue;
    if (!type.hasStaticShape() || !op.getMatchingIndexingMap(input).isProjectedPermutation())
      return {};
    if (type.getNumElements() * 16 <= elements)
      continue;
    if (source || type.getNumElements() != elements)
      return {};
    source = input->get();
  }
  // What this operation alone reads may be in its kernel: it is a product's epilogue, perhaps.
  Operation *maker = source ? source.getDefiningOp() : nullptr;
  bool isInMemory = source && (!isa_and_nonnull<linalg::LinalgOp>(maker) ||
                               (kernelOf(maker) != kernelOf(op) && !source.hasOneUse()));
  return isInMemory && bytesOf(source) <= bytesOf(result) ? source : Value();
}

/// The operation that has `use` as an operand, or looks elements of it up in its body.
static Operation *readerOf(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<tensor::ExtractOp>(user))
    return user->getParentOfType<linalg::GenericOp>();
  return isa<linalg::GenericOp>(user) ? user : nullptr;
}

/// Products have kernels of their own, and read memory.
static bool canCompute(OpOperand &use, Operation *user) {
  auto reader = cast<linalg::GenericOp>(user);
  Attribute cluster = reader->getAttr(kClusterAttr);
  if (linalg::isaContractionOpInterface(reader))
    return false;
  if (use.getOwner() != user)
    return !cluster;
  return (!cluster || isa<IntegerAttr>(cluster)) && reader.isDpsInput(&use) &&
         reader.getMatchingIndexingMap(&use).isPermutation();
}

/// Whether all operations of the body are in it themselves: indices of loops are nowhere else.
static bool hasPlainBody(linalg::GenericOp op) {
  return llvm::all_of(*op.getBody(), [](Operation &inner) { return inner.getNumRegions() == 0; });
}

/// Whether `op` computes one tensor element by element.
static bool isElementwise(linalg::GenericOp op) {
  auto type = op && op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  return type && type.hasStaticShape() && op.hasPureTensorSemantics() &&
         op.getNumReductionLoops() == 0 && hasPlainBody(op) &&
         op.getDpsInits()[0].getDefiningOp<tensor::EmptyOp>() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity();
}

/// The operand of `op` that an elementwise operation of kernel `kernel` makes, with as many
/// elements as the result; null if there is none.
static OpOperand *operandOfKernel(linalg::GenericOp op, const void *kernel) {
  auto elementsOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements();
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto maker = input->get().getDefiningOp<linalg::GenericOp>();
    if (maker && kernelOf(maker) == kernel && isElementwise(maker) &&
        elementsOf(input->get()) == elementsOf(op->getResult(0)))
      return input;
  }
  return nullptr;
}

/// `op` with what its kernel computes for it element by element, as an operation that nothing uses;
/// `op` itself if there is nothing of the kind, null if it cannot be one operation.
static linalg::GenericOp composed(RewriterBase &rewriter, linalg::GenericOp op) {
  linalg::GenericOp made = op;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  while (OpOperand *input = operandOfKernel(made, kernelOf(op))) {
    if (made == op) {
      made = cast<linalg::GenericOp>(rewriter.clone(*op));
      continue;
    }
    rewriter.setInsertionPoint(made);
    Operation *maker = rewriter.clone(*input->get().getDefiningOp());
    input->set(maker->getResult(0));
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::areElementwiseOpsFusable(input) ? linalg::fuseElementwiseOps(rewriter, input)
                                                : FailureOr<linalg::ElementwiseOpFusionResult>();
    rewriter.eraseOp(made);
    rewriter.eraseOp(maker);
    if (failed(fused))
      return {};
    made = cast<linalg::GenericOp>(fused->fusedOp);
    made->setAttr(kClusterAttr, op->getAttr(kClusterAttr));
  }
  return made;
}

static std::optional<Producer> match(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!isElementwise(op) || bytesOf(op->getResult(0)) < kLeastBytes)
    return std::nullopt;
  Producer producer{op, {}, {}, {}};
  for (OpOperand &use : op->getResult(0).getUses()) {
    Operation *user = readerOf(use);
    if (user && kernelOf(user) == kernelOf(op))
      continue;
    if (!user || !canCompute(use, user) || user->getBlock() != op->getBlock())
      return std::nullopt;
    producer.readers.insert(user);
  }
  if (producer.readers.empty())
    return std::nullopt;
  producer.made = composed(rewriter, op);
  producer.source = producer.made ? sourceOf(producer.made) : Value();
  if (producer.source && llvm::none_of(producer.readers, [&](Operation *reader) {
        return wouldReadOverwritten(producer.made, reader);
      }))
    return producer;
  if (producer.made && producer.made != op)
    rewriter.eraseOp(producer.made);
  return std::nullopt;
}

/// The share of instructions that are not hidden behind accesses to memory: kernels that read as
/// much as these wait for it most of the time.
static constexpr double kExposed = 0.5;

/// Whether computing the result once more in each kernel takes less time than writing it, and
/// reading it where its source is narrower or is read anyway.
static bool isWorth(const Producer &producer) {
  linalg::GenericOp op = producer.made;
  double elements =
      static_cast<double>(cast<RankedTensorType>(op->getResult(0).getType()).getNumElements());
  auto result = static_cast<double>(bytesOf(op->getResult(0))),
       source = static_cast<double>(bytesOf(producer.source));
  llvm::SmallDenseSet<const void *> kernels;
  double saved = result;
  for (Operation *reader : producer.readers)
    if (kernels.insert(kernelOf(reader)).second)
      saved += result - (llvm::is_contained(reader->getOperands(), producer.source) ? 0 : source);
  double computed = kExposed * elements * static_cast<double>(kernels.size()) *
                    kSecondsPerInstruction * static_cast<double>(countInstructions(op, {}));
  return computed < saved / kBytesPerSecond;
}

/// Those of the cluster of `reader`, with the fills that they start from.
static SmallVector<Operation *> membersOf(Operation *reader) {
  SetVector<Operation *> members;
  for (Operation &op : *reader->getBlock())
    if (op.getAttr(kClusterAttr) == reader->getAttr(kClusterAttr)) {
      for (Value init : cast<linalg::LinalgOp>(op).getDpsInits())
        if (auto fill = init.getDefiningOp<linalg::FillOp>())
          members.insert(fill);
      members.insert(&op);
    }
  return members.takeVector();
}

/// Adds a copy of the producer to the cluster of `readers`, which read the copy. Changes nothing if
/// the row kernel of that cluster cannot have it.
static bool joinCluster(const Producer &producer, ArrayRef<Operation *> readers) {
  Operation *first =
      *llvm::min_element(readers, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpBuilder builder(first);
  linalg::GenericOp made = producer.made, op = producer.op;
  Operation *copy = builder.clone(*made);
  copy->setAttr(kClusterAttr, first->getAttr(kClusterAttr));
  Value old = op->getResult(0), now = copy->getResult(0);
  for (Operation *reader : readers)
    reader->replaceUsesOfWith(old, now);
  std::string why;
  FailureOr<RowProgram> program = RowProgram::build(membersOf(first), why);
  if (succeeded(program) && program->reducesAlongMemory())
    return true;
  now.replaceAllUsesWith(old);
  copy->erase();
  return false;
}

/// Computes an element where the body of a reader looks it up.
static void inlineAt(RewriterBase &rewriter, const Producer &producer, tensor::ExtractOp lookup) {
  linalg::GenericOp op = producer.made;
  rewriter.setInsertionPoint(lookup);
  IRMapping mapping;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value element = input->get();
    if (isa<RankedTensorType>(element.getType())) {
      SmallVector<Value> places = llvm::map_to_vector(
          op.getMatchingIndexingMap(input).getResults(), [&](AffineExpr expr) -> Value {
            return lookup.getIndices()[cast<AffineDimExpr>(expr).getPosition()];
          });
      element = tensor::ExtractOp::create(rewriter, lookup.getLoc(), element, places);
    }
    mapping.map(op.getMatchingBlockArgument(input), element);
  }
  for (Operation &inner : op.getBody()->without_terminator())
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(index.getResult(), lookup.getIndices()[index.getDim()]);
    else
      rewriter.clone(inner, mapping);
  rewriter.replaceOp(lookup, mapping.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0)));
}

/// Makes `reader`, which is in no cluster, compute the numbers itself.
static void fuse(RewriterBase &rewriter, const Producer &producer, Operation *reader) {
  linalg::GenericOp producerOp = producer.op, made = producer.made;
  rewriter.setInsertionPoint(reader);
  Operation *copy = rewriter.clone(*made);
  copy->removeAttr(kClusterAttr);
  Value old = producerOp->getResult(0), now = copy->getResult(0);
  SmallVector<tensor::ExtractOp> lookups;
  reader->walk([&](tensor::ExtractOp lookup) {
    if (lookup.getTensor() == old)
      lookups.push_back(lookup);
  });
  for (tensor::ExtractOp lookup : lookups)
    inlineAt(rewriter, producer, lookup);
  reader->replaceUsesOfWith(old, now);
  while (!now.use_empty()) {
    OpOperand &use = *now.use_begin();
    Operation *owner = use.getOwner();
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::areElementwiseOpsFusable(&use) ? linalg::fuseElementwiseOps(rewriter, &use)
                                               : FailureOr<linalg::ElementwiseOpFusionResult>();
    if (failed(fused)) {
      now.replaceAllUsesWith(old);
      break;
    }
    for (auto [result, replacement] : fused->replacements)
      result.replaceAllUsesWith(replacement);
    rewriter.eraseOp(owner);
  }
  if (copy->use_empty())
    rewriter.eraseOp(copy);
}

/// What is left of a row kernel's operation may be used by one other of it: its exponentials by
/// their sum alone, which are one operation then, as where they never had other readers.
static void joinOnlyUser(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!op->hasOneUse() || !op->hasAttr(kClusterAttr))
    return;
  OpOperand &use = *op->use_begin();
  Operation *user = use.getOwner();
  if (kernelOf(user) != kernelOf(op) || !isa<linalg::GenericOp>(user) ||
      !linalg::areElementwiseOpsFusable(&use))
    return;
  rewriter.setInsertionPoint(user);
  FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, &use);
  if (failed(fused))
    return;
  fused->fusedOp->setAttr(kClusterAttr, user->getAttr(kClusterAttr));
  for (auto [result, replacement] : fused->replacements)
    result.replaceAllUsesWith(replacement);
  rewriter.eraseOp(user);
  if (op->use_empty())
    rewriter.eraseOp(op);
}

namespace {
/// 1. An elementwise operation whose result other kernels read, all of which can compute it: from
///    one operand that is in memory, no wider than the result, and numbers that are broadcast. What
///    its own kernel computes element by element for it counts as part of it.
/// 2. If that takes less time than the memory it saves, each of them gets a copy.
struct RecomputeResultsPass : public forge::impl::RecomputeResultsPassBase<RecomputeResultsPass> {
  void runOnOperation() override {
    if (isKernel(getOperation()))
      return;
    SmallVector<linalg::GenericOp> operations;
    getOperation().walk([&](linalg::GenericOp op) { operations.push_back(op); });
    IRRewriter rewriter(&getContext());
    bool changed = false;
    // From the last on: what reads a result is replaced.
    for (linalg::GenericOp op : llvm::reverse(operations)) {
      std::optional<Producer> producer = match(rewriter, op);
      if (!producer)
        continue;
      linalg::GenericOp made = producer->made;
      bool isCopy = made != op;
      if (isWorth(*producer)) {
        recompute(rewriter, *producer);
        changed = true;
      }
      if (isCopy)
        rewriter.eraseOp(made);
    }
    // What an operation alone used of its kernel.
    if (changed)
      (void)runRegionDCE(rewriter, getOperation().getRegion());
  }

  static void recompute(RewriterBase &rewriter, const Producer &producer) {
    llvm::MapVector<Attribute, SmallVector<Operation *>> clusters;
    for (Operation *reader : producer.readers)
      if (Attribute cluster = reader->getAttr(kClusterAttr))
        clusters[cluster].push_back(reader);
    for (auto &[cluster, readers] : clusters)
      if (!joinCluster(producer, readers))
        return;
    for (Operation *reader : producer.readers)
      if (!reader->hasAttr(kClusterAttr))
        fuse(rewriter, producer, reader);
    linalg::GenericOp op = producer.op;
    if (op->use_empty())
      rewriter.eraseOp(op);
    else
      joinOnlyUser(rewriter, op);
  }
};
} // namespace

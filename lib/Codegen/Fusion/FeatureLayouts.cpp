#include "FeatureLayouts.h"

#include "../Strategy/ProductAxes.h"

#include "forge/Codegen/Schedule.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace forge;

/// Features that are innermost are read 16 bytes at once if there are a multiple of this many.
static constexpr int64_t kFeatures = 8;

bool forge::isDepthwise(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op->hasAttr(kClusterAttr) || op->hasAttr(kScheduleAttr) ||
      op.hasDynamicShape() || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.hasIndexSemantics() || !op.getDpsInits().front().getDefiningOp<linalg::FillOp>() ||
      !isSumOfProducts(op))
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps[0].isProjectedPermutation() || !maps[1].isProjectedPermutation() ||
      !maps[2].isProjectedPermutation())
    return false;
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  unsigned features = 0, windows = 0;
  for (auto [loop, type] : llvm::enumerate(types)) {
    bool inImage = maps[0].isFunctionOfDim(loop), inKernel = maps[1].isFunctionOfDim(loop);
    if (!inImage || (type == utils::IteratorType::reduction && !inKernel))
      return false;
    if (type == utils::IteratorType::parallel)
      features += inKernel;
    else
      ++windows;
  }
  if (features != 1 || windows == 0)
    return false;
  unsigned loop = featureLoop(op);
  return maps[0].getResultPosition(getAffineDimExpr(loop, op.getContext())).has_value() &&
         op.getStaticLoopRanges()[loop] % kFeatures == 0;
}

unsigned forge::featureLoop(linalg::GenericOp op) {
  AffineMap kernel = op.getIndexingMapsArray()[1];
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel && kernel.isFunctionOfDim(loop))
      return loop;
  return 0;
}

std::optional<llvm::SmallDenseSet<unsigned>> forge::loopsOfIndex(Value index,
                                                                 linalg::GenericOp op) {
  llvm::SmallDenseSet<unsigned> loops;
  SmallVector<Value> open = {index};
  llvm::SmallDenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    Operation *maker = value.getDefiningOp();
    if (auto number = dyn_cast_or_null<linalg::IndexOp>(maker)) {
      loops.insert(number.getDim());
      continue;
    }
    if (!maker) {
      if (cast<BlockArgument>(value).getOwner() == op.getBody())
        return std::nullopt;
      continue;
    }
    if (maker->getBlock() != op.getBody())
      continue;
    if (isa<tensor::ExtractOp>(maker) || maker->getNumRegions() > 0)
      return std::nullopt;
    llvm::append_range(open, maker->getOperands());
  }
  return loops;
}

/// Whether `op` computes a tensor of static shape element by element, its loops those of the
/// result.
static bool isPlainElementwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && !op->hasAttr(kClusterAttr) && !op->hasAttr(kScheduleAttr) &&
         !op.hasDynamicShape() && op.getNumReductionLoops() == 0 && op.getNumDpsInits() == 1 &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         op.getDpsInits().front().getDefiningOp<tensor::EmptyOp>() &&
         llvm::all_of(*op.getBody(), [](Operation &inner) { return inner.getNumRegions() == 0; });
}

/// The operation of linalg that reads by `use`, if reads by it can be in another order; null if
/// not.
static linalg::GenericOp readerOf(OpOperand &use, Block *block) {
  Operation *user = use.getOwner();
  if (auto extract = dyn_cast<tensor::ExtractOp>(user)) {
    auto reader = dyn_cast<linalg::GenericOp>(user->getParentOp());
    bool isKnown = reader && use.getOperandNumber() == 0 && isPlainElementwise(reader) &&
                   reader->getBlock() == block &&
                   llvm::all_of(extract.getIndices(), [&](Value index) {
                     return loopsOfIndex(index, reader).has_value();
                   });
    return isKnown ? reader : linalg::GenericOp();
  }
  auto reader = dyn_cast<linalg::GenericOp>(user);
  bool isKnown = reader && reader->getBlock() == block && reader.isDpsInput(&use) &&
                 reader.hasPureTensorSemantics() && !reader->hasAttr(kClusterAttr) &&
                 !reader->hasAttr(kScheduleAttr);
  if (!isKnown)
    return {};
  bool isImage = isDepthwise(reader) && use.getOperandNumber() == 0;
  return isImage || reader.getMatchingIndexingMap(&use).isProjectedPermutation()
             ? reader
             : linalg::GenericOp();
}

/// The last dimension of more than one element in `order`.
static unsigned lastOf(ArrayRef<unsigned> order, ArrayRef<int64_t> shape) {
  for (unsigned dim : llvm::reverse(order))
    if (shape[dim] > 1)
      return dim;
  return order.back();
}

SmallVector<unsigned> FeatureLayouts::orderOf(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  if (isInner(value)) {
    unsigned dim = candidates.lookup(value);
    order.erase(order.begin() + dim);
    order.push_back(dim);
  }
  return order;
}

unsigned FeatureLayouts::innermostOf(Value value) const {
  return lastOf(orderOf(value), cast<RankedTensorType>(value.getType()).getShape());
}

FeatureLayouts::FeatureLayouts(func::FuncOp function) {
  for (Block &body : function.getBody()) {
    block = &body;
    for (auto op : body.getOps<linalg::GenericOp>())
      if (isDepthwise(op)) {
        SmallVector<AffineMap> maps = op.getIndexingMapsArray();
        AffineExpr loop = getAffineDimExpr(featureLoop(op), op.getContext());
        Value image = op.getDpsInputs()[0], result = op.getResult(0);
        addCandidate(image, *maps[0].getResultPosition(loop));
        addCandidate(result, *maps[2].getResultPosition(loop));
      }
    // The list grows.
    for (size_t at = 0; at < candidates.size(); ++at)
      spread(candidates.begin()[at].first);
    formGroups();
    improve();
    break;
  }
}

/// The slice, with all dimensions and known sizes, that `use` takes; null if it is none.
static tensor::ExtractSliceOp sliceOf(OpOperand &use) {
  auto slice = dyn_cast<tensor::ExtractSliceOp>(use.getOwner());
  bool isKnown = slice && use.getOperandNumber() == 0 && slice.getType().hasStaticShape() &&
                 slice.getType().getRank() == slice.getSourceType().getRank();
  return isKnown ? slice : tensor::ExtractSliceOp();
}

/// Whether all that reads `value`, or a slice of it, can read it in another order.
static bool isFree(Value value, Block *block) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    auto slice = sliceOf(use);
    return slice ? isFree(slice.getResult(), block) : readerOf(use, block) != nullptr;
  });
}

void FeatureLayouts::addCandidate(Value value, unsigned dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
      slice && slice.getType().getRank() == slice.getSourceType().getRank())
    return addCandidate(slice.getSource(), dim);
  auto maker = value.getDefiningOp<linalg::GenericOp>();
  if (candidates.contains(value) || !type || !type.hasStaticShape() || !maker ||
      maker->getBlock() != block || !(isPlainElementwise(maker) || isDepthwise(maker)))
    return;
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  if (type.getDimSize(dim) == 1 || lastOf(order, type.getShape()) == dim)
    return;
  if (isFree(value, block))
    insertWithSlices(value, dim);
}

void FeatureLayouts::insertWithSlices(Value value, unsigned dim) {
  candidates.insert({value, dim});
  for (OpOperand &use : value.getUses())
    if (auto slice = sliceOf(use))
      insertWithSlices(slice.getResult(), dim);
}

void FeatureLayouts::spread(Value value) {
  unsigned dim = candidates.lookup(value);
  auto maker = value.getDefiningOp<linalg::GenericOp>();
  if (maker && !isDepthwise(maker))
    spreadToSources(maker, dim);
  for (OpOperand &use : value.getUses())
    if (!sliceOf(use))
      spreadToReader(value, readerOf(use, block));
}

void FeatureLayouts::spreadToSources(linalg::GenericOp maker, unsigned dim) {
  unsigned loop = maker.getMatchingIndexingMap(maker.getDpsInitOperand(0)).getDimPosition(dim);
  AffineExpr wanted = getAffineDimExpr(loop, maker.getContext());
  for (OpOperand *input : maker.getDpsInputOperands())
    if (auto place = maker.getMatchingIndexingMap(input).getResultPosition(wanted))
      addCandidate(input->get(), *place);
  for (auto extract : maker.getBody()->getOps<tensor::ExtractOp>())
    for (auto [place, index] : llvm::enumerate(extract.getIndices()))
      if (auto loops = loopsOfIndex(index, maker); loops && loops->contains(loop))
        addCandidate(extract.getTensor(), place);
}

void FeatureLayouts::spreadToReader(Value value, linalg::GenericOp reader) {
  if (!isPlainElementwise(reader))
    return;
  unsigned dim = candidates.lookup(value);
  AffineMap written = reader.getMatchingIndexingMap(reader.getDpsInitOperand(0));
  auto addResult = [&](unsigned loop) {
    if (auto place = written.getResultPosition(getAffineDimExpr(loop, reader.getContext())))
      addCandidate(reader.getResult(0), *place);
  };
  for (OpOperand *input : reader.getDpsInputOperands())
    if (input->get() == value)
      if (auto loop = dyn_cast<AffineDimExpr>(reader.getMatchingIndexingMap(input).getResult(dim)))
        addResult(loop.getPosition());
  for (auto extract : reader.getBody()->getOps<tensor::ExtractOp>())
    if (extract.getTensor() == value)
      if (auto loops = loopsOfIndex(extract.getIndices()[dim], reader); loops && loops->size() == 1)
        addResult(*loops->begin());
}

/// A convolution's image and result are in one order; an image that several read, with all of them;
/// a slice in that of its source.
void FeatureLayouts::formGroups() {
  llvm::EquivalenceClasses<void *> classes;
  llvm::DenseSet<void *> pinned;
  for (auto [value, dim] : candidates)
    classes.insert(value.getAsOpaquePointer());
  for (auto [value, dim] : candidates)
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
      classes.unionSets(value.getAsOpaquePointer(), slice.getSource().getAsOpaquePointer());
  for (auto op : block->getOps<linalg::GenericOp>())
    if (isDepthwise(op)) {
      void *image = op.getDpsInputs()[0].getAsOpaquePointer(),
           *result = op.getResult(0).getAsOpaquePointer();
      bool hasImage = candidates.contains(op.getDpsInputs()[0]);
      if (hasImage && candidates.contains(op.getResult(0)))
        classes.unionSets(image, result);
      else
        pinned.insert(hasImage ? image : result);
    }
  for (const auto *entry : classes) {
    if (!entry->isLeader())
      continue;
    auto members = llvm::make_range(classes.member_begin(*entry), classes.member_end());
    if (llvm::any_of(members, [&](void *member) { return pinned.contains(member); }))
      continue;
    Group &group = groups.emplace_back();
    for (void *member : members) {
      Value value = Value::getFromOpaquePointer(member);
      group.values.push_back(value);
      if (auto maker = value.getDefiningOp<linalg::GenericOp>())
        group.around.insert(maker);
      for (OpOperand &use : value.getUses())
        if (!sliceOf(use))
          group.around.insert(readerOf(use, block));
    }
  }
}

static double estimatedBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !element.isIntOrFloat())
    return 0;
  return static_cast<double>(type.getNumElements()) * element.getIntOrFloatBitWidth() / 8;
}

/// Bytes that take as long as windows of an image of a byte whose features are outside.
static constexpr double kOutside = 0.5;

/// Times that a tensor is moved when it is read across memory. What is computed from sums is
/// computed with them, but for that, so that they are written and read once more.
static double timesMoved(Value value) {
  while (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
    value = slice.getSource();
  auto maker = value.getDefiningOp<linalg::LinalgOp>();
  return maker && maker.getNumReductionLoops() > 0 ? 2 : 1;
}

double FeatureLayouts::costOf(linalg::GenericOp op) const {
  if (isDepthwise(op)) {
    Value image = op.getDpsInputs()[0];
    return isInner(image) ? 0 : kOutside * estimatedBytes(image);
  }
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (written.getNumResults() == 0)
    return 0;
  auto result = dyn_cast<AffineDimExpr>(written.getResult(innermostOf(op.getResult(0))));
  if (!result)
    return 0;
  unsigned along = result.getPosition();
  SmallVector<utils::IteratorType> types = op.getIteratorTypesArray();
  double cost = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!type || type.getRank() == 0 || !map.isFunctionOfDim(along))
      continue;
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(innermostOf(input->get())));
    if (loop && loop.getPosition() != along &&
        types[loop.getPosition()] == utils::IteratorType::parallel)
      cost += timesMoved(input->get()) * estimatedBytes(input->get());
  }
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
    if (extract.getIndices().empty())
      continue;
    auto isOf = [&](Value index) {
      auto loops = loopsOfIndex(index, op);
      return !loops || loops->contains(along);
    };
    if (llvm::any_of(extract.getIndices(), isOf) &&
        !isOf(extract.getIndices()[innermostOf(extract.getTensor())]))
      cost += estimatedBytes(extract.getTensor());
  }
  return cost;
}

double FeatureLayouts::costOf(const Ops &ops) const {
  double cost = 0;
  for (linalg::GenericOp op : ops)
    cost += costOf(op);
  return cost;
}

void FeatureLayouts::improve() {
  Ops all;
  for (Group &group : groups)
    all.insert(group.around.begin(), group.around.end());
  auto change = [&](const Group &group) {
    for (Value value : group.values)
      if (!inner.erase(value))
        inner.insert(value);
  };
  auto refine = [&] {
    // Each change costs less than before, so that they end; a few rounds are enough.
    bool isChanged = true;
    for (int round = 0; round < 8 && isChanged; ++round) {
      isChanged = false;
      for (const Group &group : groups) {
        double before = costOf(group.around);
        change(group);
        if (costOf(group.around) < before)
          isChanged = true;
        else
          change(group);
      }
    }
    return costOf(all);
  };
  double outer = refine();
  llvm::DenseSet<Value> outerInner = std::move(inner);
  inner.clear();
  for (const Group &group : groups)
    change(group);
  if (refine() >= outer)
    inner = std::move(outerInner);
}

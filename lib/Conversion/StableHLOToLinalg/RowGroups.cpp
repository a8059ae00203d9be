#include "RowGroups.h"

#include "forge/Dialect/StableHLO/IR/RowMasks.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace forge;
using namespace forge::stablehlo;

int64_t RowGroups::numGroups() const {
  return cast<RankedTensorType>(matrices.getType()).getDimSize(groupDim);
}
int64_t RowGroups::numRows() const { return llvm::product_of(shape); }

namespace {
/// One operand of a dot_general.
struct Side {
  Value value;
  ArrayRef<int64_t> batch, sums;

  RankedTensorType type() const { return cast<RankedTensorType>(value.getType()); }
  int64_t batchOf(int64_t dim) const { return find(batch, dim); }
  int64_t sumOf(int64_t dim) const { return find(sums, dim); }
  bool isFree(int64_t dim) const { return batchOf(dim) < 0 && sumOf(dim) < 0; }

private:
  static int64_t find(ArrayRef<int64_t> list, int64_t dim) {
    const int64_t *at = llvm::find(list, dim);
    return at == list.end() ? -1 : at - list.begin();
  }
};
} // namespace

static std::pair<Side, Side> sidesOf(DotGeneralOp dot) {
  DotDimensionNumbersAttr dims = dot.getDotDimensionNumbers();
  return {{dot.getLhs(), dims.getLhsBatchingDimensions(), dims.getLhsContractingDimensions()},
          {dot.getRhs(), dims.getRhsBatchingDimensions(), dims.getRhsContractingDimensions()}};
}

/// The dimensions of matrices but `groupDim`.
static void addMatrices(RowGroups &found, Value matrices, int64_t groupDim, Side side,
                        llvm::function_ref<int64_t(int64_t)> dimOf) {
  found.matrices = matrices;
  found.groupDim = groupDim;
  for (int64_t dim = 0; dim < cast<RankedTensorType>(matrices.getType()).getRank(); ++dim)
    if (dim != groupDim)
      found.sums.push_back(side.sumOf(dimOf(dim)));
}

//===----------------------------------------------------------------------===//
// Matrices that were looked up

/// Whether `gather` takes whole slices at one index of one dimension.
static bool takesSlices(GatherOp gather) {
  GatherDimensionNumbersAttr dims = gather.getDimensionNumbers();
  RankedTensorType table = gather.getOperand().getType();
  RankedTensorType indices = gather.getStartIndices().getType();
  ArrayRef<int64_t> taken = dims.getCollapsedSliceDims();
  if (taken.size() != 1 || dims.getStartIndexMap() != taken ||
      !dims.getOperandBatchingDims().empty() || !table.hasStaticShape())
    return false;
  int64_t vectorDim = dims.getIndexVectorDim();
  if (vectorDim < indices.getRank() - 1)
    return false;
  for (auto [dim, size] : llvm::enumerate(gather.getSliceSizes()))
    if (size != (int64_t(dim) == taken.front() ? 1 : table.getDimSize(dim)))
      return false;
  return true;
}

/// `side` is the looked up one.
static std::optional<RowGroups> matchLookup(DotGeneralOp dot, Side side, Side other, bool isLhs) {
  auto gather = side.value.getDefiningOp<GatherOp>();
  if (!gather || !takesSlices(gather))
    return std::nullopt;
  // 1. Each dimension of what was looked up: one of the index, or one of the matrices.
  ArrayRef<int64_t> offsets = gather.getDimensionNumbers().getOffsetDims();
  RowGroups found;
  SmallVector<RowGroups::ResultDim> dims;
  for (int64_t dim = 0; dim < side.type().getRank(); ++dim) {
    const int64_t *at = llvm::find(offsets, dim);
    if (at != offsets.end()) {
      if (side.batchOf(dim) >= 0)
        return std::nullopt;
      dims.push_back({-1, at - offsets.begin()});
      continue;
    }
    if (side.sumOf(dim) >= 0)
      found.added.push_back(static_cast<int64_t>(found.shape.size()));
    dims.push_back({static_cast<int64_t>(found.shape.size()), -1});
    found.shape.push_back(side.type().getDimSize(dim));
  }
  int64_t groupDim = gather.getDimensionNumbers().getCollapsedSliceDims().front();
  addMatrices(found, gather.getOperand(), groupDim, side,
              [&](int64_t dim) { return offsets[dim - (dim > groupDim)]; });
  // Sums over dimensions of matrices alone have numbers.
  SmallVector<int64_t> numberOf;
  for (int64_t dim : side.sums) {
    bool isOfMatrix = dims[dim].row < 0;
    numberOf.push_back(isOfMatrix ? static_cast<int64_t>(found.sumSizes.size()) : -1);
    if (isOfMatrix)
      found.sumSizes.push_back(side.type().getDimSize(dim));
  }
  for (int64_t &sum : found.sums)
    sum = sum < 0 ? sum : numberOf[sum];
  // 2. The other factor has one row for each.
  for (int64_t dim = 0; dim < other.type().getRank(); ++dim) {
    if (other.isFree(dim) && other.type().getDimSize(dim) != 1)
      return std::nullopt;
    RowGroups::RowDim from;
    if (int64_t batch = other.batchOf(dim); batch >= 0)
      from.row = dims[side.batch[batch]].row;
    if (int64_t sum = other.sumOf(dim); sum >= 0) {
      from.sum = numberOf[sum];
      if (from.sum < 0)
        from.row = dims[side.sums[sum]].row;
    }
    found.rowDims.push_back(from);
  }
  found.rows = other.value;
  // 3. Batch dimensions, then what is free of lhs and of rhs.
  for (int64_t dim : side.batch)
    found.resultDims.push_back(dims[dim]);
  auto addFree = [&](Side of, bool isLookup) {
    for (int64_t dim = 0; dim < of.type().getRank(); ++dim)
      if (of.isFree(dim))
        found.resultDims.push_back(isLookup ? dims[dim] : RowGroups::ResultDim());
  };
  addFree(isLhs ? side : other, isLhs);
  addFree(isLhs ? other : side, !isLhs);
  found.lookup = gather.getStartIndices();
  found.unsignedLookup =
      getElementTypeOrSelf(gather.getStartIndices().getType()).isUnsignedInteger();
  return found;
}

//===----------------------------------------------------------------------===//
// Rows that are zero in other groups

/// Operations that are looked through, one behind the other.
static constexpr unsigned kMostLevels = 12;

/// Whether no integer of `value` is negative, as far as can be seen: counts are sums of ones. (MLIR's
/// integer range analysis knows scalars and arith; sizes here are tensors of stablehlo.)
static bool isNonNegative(Value value, unsigned level = 0) {
  Operation *op = level < kMostLevels ? value.getDefiningOp() : nullptr;
  auto isSo = [&](Value operand) { return isNonNegative(operand, level + 1); };
  auto all = [&](ValueRange values) { return llvm::all_of(values, isSo); };
  auto combines = [](Region &region) {
    Operation *combiner = region.front().getTerminator()->getOperand(0).getDefiningOp();
    return isa_and_nonnull<AddOp, MaxOp>(combiner) &&
           llvm::all_of(combiner->getOperands(), llvm::IsaPred<BlockArgument>);
  };
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(value.getType()));
  if (!op || !element)
    return false;
  if (element.isUnsigned() || element.getWidth() == 1)
    return true;
  DenseIntElementsAttr constant;
  // A splat may have any number of elements.
  if (matchPattern(value, m_Constant(&constant)))
    return constant.isSplat() ? !constant.getSplatValue<APInt>().isNegative()
                              : llvm::none_of(constant.getValues<APInt>(),
                                              [](const APInt &x) { return x.isNegative(); });
  if (auto convert = dyn_cast<ConvertOp>(op)) {
    auto from = dyn_cast<IntegerType>(convert.getOperand().getType().getElementType());
    return from && isSo(convert.getOperand()) &&
           from.getWidth() + from.isUnsigned() <= element.getWidth();
  }
  if (isa<IotaOp>(op))
    return true;
  if (isa<BroadcastInDimOp, ReshapeOp, SliceOp, TransposeOp, ConcatenateOp, AddOp, MinOp>(op))
    return all(op->getOperands());
  if (isa<MaxOp>(op))
    return llvm::any_of(op->getOperands(), isSo);
  if (auto select = dyn_cast<SelectOp>(op))
    return isSo(select.getOnTrue()) && isSo(select.getOnFalse());
  if (auto scatter = dyn_cast<ScatterOp>(op))
    return scatter->getNumResults() == 1 && combines(scatter.getUpdateComputation()) &&
           all(scatter.getInputs()) && all(scatter.getUpdates());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce->getNumResults() == 1 && combines(reduce.getBody()) && all(op->getOperands());
  return false;
}

/// What `ends` are running sums of, as JAX's cumsum makes them: windows of all that is in front.
static Value summedUp(Value ends) {
  auto windows = ends.getDefiningOp<ReduceWindowOp>();
  if (!windows || windows->getNumResults() != 1 || windows.getInputs().size() != 1)
    return {};
  auto type = cast<RankedTensorType>(ends.getType());
  Operation *combiner = windows.getBody().front().getTerminator()->getOperand(0).getDefiningOp();
  auto is = [](auto list, ArrayRef<int64_t> expected) { return !list || *list == expected; };
  auto padding = windows.getPadding();
  bool isSum =
      type.getRank() == 1 && isa_and_nonnull<AddOp>(combiner) &&
      llvm::all_of(combiner->getOperands(), llvm::IsaPred<BlockArgument>) &&
      combiner->getOperand(0) != combiner->getOperand(1) &&
      windows.getWindowDimensions() == type.getShape() && is(windows.getWindowStrides(), {1}) &&
      is(windows.getBaseDilations(), {1}) && is(windows.getWindowDilations(), {1}) && padding &&
      llvm::equal(padding->getValues<int64_t>(), ArrayRef<int64_t>{type.getDimSize(0) - 1, 0}) &&
      matchPattern(windows.getInitValues()[0], m_Zero());
  return isSum ? windows.getInputs()[0] : Value();
}

/// Whether each of `starts` is the one of `ends` before it, the first is 0, and none of `ends` is
/// below the one before it.
static bool areNeighbours(Value starts, Value ends) {
  Value sizes = summedUp(ends);
  auto concatenate = starts.getDefiningOp<ConcatenateOp>();
  if (!sizes || !isNonNegative(sizes) || !concatenate || concatenate.getInputs().size() != 2)
    return false;
  auto rest = concatenate.getInputs()[1].getDefiningOp<SliceOp>();
  int64_t groups = cast<RankedTensorType>(ends.getType()).getDimSize(0);
  return matchPattern(concatenate.getInputs()[0], m_Zero()) &&
         cast<RankedTensorType>(concatenate.getInputs()[0].getType()).getDimSize(0) == 1 && rest &&
         rest.getOperand() == ends && rest.getStartIndices() == ArrayRef<int64_t>{0} &&
         rest.getLimitIndices() == ArrayRef<int64_t>{groups - 1} &&
         rest.getStrides() == ArrayRef<int64_t>{1};
}

/// The numbers of groups that `value` repeats along all dimensions but `dim`.
static Value alongGroups(Value value, int64_t dim) {
  auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
  return broadcast && broadcast.getOperand().getType().getRank() == 1 &&
                 broadcast.getBroadcastDimensions() == ArrayRef<int64_t>{dim}
             ? Value(broadcast.getOperand())
             : Value();
}

/// `compare` as low <= high, or low < high.
static std::optional<std::pair<Value, Value>> ordered(Value value, bool orEqual) {
  auto compare = value.getDefiningOp<CompareOp>();
  if (!compare)
    return std::nullopt;
  using D = ComparisonDirection;
  D direction = compare.getComparisonDirection();
  if (direction == (orEqual ? D::LE : D::LT))
    return std::pair<Value, Value>{compare.getLhs(), compare.getRhs()};
  if (direction == (orEqual ? D::GE : D::GT))
    return std::pair<Value, Value>{compare.getRhs(), compare.getLhs()};
  return std::nullopt;
}

/// starts[g] <= index < ends[g], along a dimension that is given back; -1 if it is not that.
static int64_t matchRange(RowGroups &found, Value mask, int64_t groupDim, bool isDisjoint) {
  auto both = mask.getDefiningOp<AndOp>();
  if (!both)
    return -1;
  for (unsigned i : {0u, 1u}) {
    auto low = ordered(both->getOperand(i), /*orEqual=*/true),
         high = ordered(both->getOperand(1 - i), /*orEqual=*/false);
    if (!low || !high)
      continue;
    auto index = low->second.getDefiningOp<IotaOp>(), same = high->first.getDefiningOp<IotaOp>();
    found.starts = alongGroups(low->first, groupDim);
    found.ends = alongGroups(high->second, groupDim);
    if (index && same && index.getIotaDimension() == same.getIotaDimension() && found.starts &&
        found.ends && (isDisjoint || areNeighbours(found.starts, found.ends)))
      return static_cast<int64_t>(index.getIotaDimension());
  }
  return -1;
}

static bool isZeros(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastInDimOp>())
    value = broadcast.getOperand();
  return matchPattern(value, m_AnyZeroFloat());
}

/// `side` has the rows of all groups.
static std::optional<RowGroups> matchRanges(DotGeneralOp dot, Side side, Side other, bool isLhs) {
  auto select = side.value.getDefiningOp<SelectOp>();
  auto spread = select ? select.getOnTrue().getDefiningOp<BroadcastInDimOp>() : BroadcastInDimOp();
  if (!spread || !side.batch.empty() || !isZeros(select.getOnFalse()) ||
      select.getPred().getType().getShape() != side.type().getShape())
    return std::nullopt;
  // 1. The dimension of groups is the one that the elements do not have, and one of the sums.
  ArrayRef<int64_t> has = spread.getBroadcastDimensions();
  int64_t groupDim = -1;
  for (int64_t dim = 0; dim < side.type().getRank(); ++dim)
    if (!llvm::is_contained(has, dim)) {
      if (groupDim >= 0 || side.sumOf(dim) < 0)
        return std::nullopt;
      groupDim = dim;
    }
  if (groupDim < 0)
    return std::nullopt;
  RowGroups found;
  int64_t range = matchRange(found, select.getPred(), groupDim, select->hasAttr(kDisjointAttr));
  if (range < 0 || !side.isFree(range))
    return std::nullopt;
  // 2. Rows: what is free. Sums: the others.
  int64_t groupSum = side.sumOf(groupDim);
  auto sumOf = [&](int64_t sum) { return sum < 0 ? sum : sum - (sum > groupSum); };
  SmallVector<RowGroups::RowDim> dims;
  for (int64_t dim = 0; dim < side.type().getRank(); ++dim) {
    dims.push_back({-1, sumOf(side.sumOf(dim))});
    if (!side.isFree(dim))
      continue;
    if (dim == range)
      found.rangeDim = static_cast<int64_t>(found.shape.size());
    dims.back().row = static_cast<int64_t>(found.shape.size());
    found.shape.push_back(side.type().getDimSize(dim));
  }
  for (auto [dim, at] : llvm::enumerate(has))
    found.rowDims.push_back(spread.getOperand().getType().getDimSize(dim) == 1 ? RowGroups::RowDim()
                                                                               : dims[at]);
  for (auto [sum, dim] : llvm::enumerate(side.sums))
    if (static_cast<int64_t>(sum) != groupSum)
      found.sumSizes.push_back(side.type().getDimSize(dim));
  found.rows = spread.getOperand();
  addMatrices(found, other.value, other.sums[groupSum], other, [](int64_t dim) { return dim; });
  for (int64_t &sum : found.sums)
    sum = sumOf(sum);
  // 3.
  auto addRows = [&] {
    for (auto [dim, size] : llvm::enumerate(found.shape))
      found.resultDims.push_back({static_cast<int64_t>(dim), -1});
  };
  auto addColumns = [&] {
    for (auto [dim, sum] : llvm::enumerate(found.sums))
      if (sum < 0)
        found.resultDims.push_back({-1, static_cast<int64_t>(dim)});
  };
  if (isLhs)
    addRows();
  addColumns();
  if (!isLhs)
    addRows();
  return found;
}

std::optional<RowGroups> forge::matchRowGroups(DotGeneralOp dot) {
  auto [lhs, rhs] = sidesOf(dot);
  if (!lhs.type().hasStaticShape() || !rhs.type().hasStaticShape() ||
      !isa<FloatType>(lhs.type().getElementType()) || !isa<FloatType>(rhs.type().getElementType()))
    return std::nullopt;
  if (auto found = matchLookup(dot, lhs, rhs, /*isLhs=*/true))
    return found;
  if (auto found = matchLookup(dot, rhs, lhs, /*isLhs=*/false))
    return found;
  if (auto found = matchRanges(dot, lhs, rhs, /*isLhs=*/true))
    return found;
  return matchRanges(dot, rhs, lhs, /*isLhs=*/false);
}

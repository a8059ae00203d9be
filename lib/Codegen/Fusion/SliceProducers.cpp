// Slices move to what their source is computed from.
#include "forge/Codegen/Fusion.h"
#include "forge/Codegen/Passes.h"
#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace forge {
#define GEN_PASS_DEF_SLICEPRODUCERSPASS
#include "forge/Codegen/Passes.h.inc"
} // namespace forge

#define DEBUG_TYPE "forge-slice-producers"

using namespace mlir;
using tensor::ExtractSliceOp;

namespace {
using Sizes = SmallVector<OpFoldResult>;

/// Offsets and sizes, with strides of 1.
struct Window {
  Sizes offsets, sizes;
};

bool coversDim(const Window &window, int64_t dim, RankedTensorType type) {
  return isZeroInteger(window.offsets[dim]) && !type.isDynamicDim(dim) &&
         getConstantIntValue(window.sizes[dim]) == type.getDimSize(dim);
}

/// True if the slice is at most half of its source, as far as the types say.
bool isSmallPart(ExtractSliceOp slice) {
  constexpr int64_t kLeastRatio = 2;
  RankedTensorType type = slice.getSourceType();
  for (auto [whole, part] : llvm::zip_equal(type.getShape(), slice.getStaticSizes())) {
    if (ShapedType::isDynamic(part) && !ShapedType::isDynamic(whole))
      return false;
    // Of a dimension of open size, one row.
    if (part == 1 && ShapedType::isDynamic(whole))
      return true;
  }
  int64_t whole = 1, part = 1;
  for (auto [a, b] : llvm::zip_equal(type.getShape(), slice.getStaticSizes()))
    if (!ShapedType::isDynamic(a) && !ShapedType::isDynamic(b)) {
      whole = llvm::SaturatingMultiply<uint64_t>(whole, a);
      part = llvm::SaturatingMultiply<uint64_t>(part, b);
    }
  return part > 0 && part <= whole / kLeastRatio;
}

bool isSameSlice(ExtractSliceOp a, ExtractSliceOp b) {
  return a.getType() == b.getType() && a.getMixedOffsets() == b.getMixedOffsets() &&
         a.getMixedSizes() == b.getMixedSizes() && a.getMixedStrides() == b.getMixedStrides();
}

/// The slice that is all that is read of `value`, the first of several equal ones; null if something
/// else is read too.
ExtractSliceOp onlySlice(Value value) {
  Operation *maker = value.getDefiningOp();
  ExtractSliceOp first;
  for (Operation *user : value.getUsers()) {
    auto slice = dyn_cast<ExtractSliceOp>(user);
    if (!slice || slice.getSource() != value || slice->getBlock() != maker->getBlock() ||
        (first && !isSameSlice(first, slice)))
      return nullptr;
    if (!first || slice->isBeforeInBlock(first))
      first = slice;
  }
  return first;
}

/// 1. A worklist of tensors that slices read. One of which a single small slice is read, with
///    strides of 1 and in the block where the tensor is computed:
/// 2. a linalg operation runs over the loops that the slice leaves, on slices of its operands;
/// 3. reshapes and slices come after a slice of their source;
/// 4. an insertion along other dimensions is one of a slice into a slice.
/// 5. Slices that this makes go on to the worklist; those of empty and filled tensors are such
///    tensors, and those of everything are no slices.
class Slicer {
public:
  explicit Slicer(Operation *root) : builder(root->getContext()) {
    root->walk([&](ExtractSliceOp slice) { worklist.insert(slice.getSource()); });
  }

  void run() {
    while (!worklist.empty())
      visit(worklist.pop_back_val());
  }

private:
  void visit(Value value) {
    Operation *maker = value.getDefiningOp();
    ExtractSliceOp slice = maker ? onlySlice(value) : ExtractSliceOp();
    if (!slice || !slice.hasUnitStride() || !isSmallPart(slice) ||
        forge::wouldReadOverwritten(maker, slice))
      return;
    builder.setInsertionPoint(slice);
    Value part = compute(maker, slice);
    if (!part)
      return;
    for (Operation *user : llvm::make_early_inc_range(value.getUsers())) {
      Value old = user->getResult(0);
      if (worklist.contains(old)) {
        worklist.remove(old);
        worklist.insert(part);
      }
      old.replaceAllUsesWith(part);
      user->erase();
    }
    maker->erase();
  }

  Value compute(Operation *maker, ExtractSliceOp slice) {
    if (auto view = dyn_cast<ExtractSliceOp>(maker))
      return sliceOfSlice(view, slice);
    Window window{slice.getMixedOffsets(), slice.getMixedSizes()};
    Value part;
    if (auto op = dyn_cast<linalg::LinalgOp>(maker))
      part = sliceOf(op, window);
    else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(maker))
      part = sliceOf(expand, slice, window);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(maker))
      part = sliceOf(collapse, slice, window);
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(maker))
      part = sliceOf(insert, window);
    return part ? dropDims(part, slice) : Value();
  }

  Value take(Value source, const Window &window) {
    auto type = cast<RankedTensorType>(source.getType());
    auto dims = llvm::seq<int64_t>(0, type.getRank());
    if (llvm::all_of(dims, [&](int64_t dim) { return coversDim(window, dim, type); }))
      return source;
    Location loc = source.getLoc();
    if (source.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(builder, loc, window.sizes, type.getElementType());
    if (auto fill = source.getDefiningOp<linalg::FillOp>())
      return linalg::FillOp::create(builder, loc, fill.getInputs().front(),
                                    take(fill.getOutputs().front(), window))
          .getResult(0);
    Sizes strides(type.getRank(), builder.getIndexAttr(1));
    worklist.insert(source);
    return ExtractSliceOp::create(builder, loc, source, window.offsets, window.sizes, strides);
  }

  /// `part` without the dimensions that `slice` drops.
  Value dropDims(Value part, ExtractSliceOp slice) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    if (dropped.none())
      return part;
    SmallVector<ReassociationIndices> groups;
    ReassociationIndices group;
    for (unsigned dim = 0; dim < dropped.size(); ++dim) {
      group.push_back(dim);
      if (!dropped[dim])
        groups.push_back(std::exchange(group, {}));
    }
    if (!groups.empty())
      llvm::append_range(groups.back(), group);
    return tensor::CollapseShapeOp::create(builder, slice.getLoc(), slice.getType(), part, groups);
  }

  Value sliceOfSlice(ExtractSliceOp view, ExtractSliceOp slice) {
    Sizes offsets, sizes, strides;
    if (!view.hasUnitStride() ||
        failed(affine::mergeOffsetsSizesAndStrides(builder, slice.getLoc(), view, slice,
                                                   view.getDroppedDims(), offsets, sizes, strides)))
      return nullptr;
    worklist.insert(view.getSource());
    return ExtractSliceOp::create(builder, slice.getLoc(), slice.getType(), view.getSource(),
                                  offsets, sizes, strides);
  }

  Value sliceOf(linalg::LinalgOp op, const Window &window) {
    if (op->getNumResults() != 1 || !op.hasPureTensorSemantics() || isa<linalg::FillOp>(op.getOperation()))
      return nullptr;
    OpOperand *init = op.getDpsInitOperand(0);
    auto type = cast<RankedTensorType>(init->get().getType());
    // 1. What the slice leaves of each loop.
    SmallVector<std::optional<std::pair<OpFoldResult, OpFoldResult>>> left(op.getNumLoops());
    for (auto [dim, expr] : llvm::enumerate(op.getMatchingIndexingMap(init).getResults())) {
      if (coversDim(window, dim, type))
        continue;
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || left[loop.getPosition()])
        return nullptr;
      left[loop.getPosition()] = {window.offsets[dim], window.sizes[dim]};
    }
    // 2. A dimension of an operand runs over one such loop, or over none.
    auto isLeft = [&](AffineExpr expr) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      return loop && left[loop.getPosition()];
    };
    for (OpOperand &operand : op->getOpOperands())
      for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
        for (unsigned loop = 0; loop < left.size(); ++loop)
          if (left[loop] && expr.isFunctionOfDim(loop) && !isLeft(expr))
            return nullptr;
    // 3. The operation on what is left.
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = op.getMatchingIndexingMap(&operand);
      if (llvm::none_of(map.getResults(), isLeft)) {
        operands.push_back(operand.get());
        continue;
      }
      Window part;
      Sizes whole = tensor::getMixedSizes(builder, op.getLoc(), operand.get());
      for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
        auto range = isLeft(expr) ? left[cast<AffineDimExpr>(expr).getPosition()] : std::nullopt;
        part.offsets.push_back(range ? range->first : builder.getIndexAttr(0));
        part.sizes.push_back(range ? range->second : whole[dim]);
      }
      operands.push_back(take(operand.get(), part));
    }
    auto sliced = cast<linalg::LinalgOp>(
        mlir::clone(builder, op, operands.back().getType(), operands));
    Sizes offsets;
    for (auto &range : left)
      offsets.push_back(range ? range->first : OpFoldResult());
    linalg::offsetIndices(builder, sliced, offsets);
    return sliced->getResult(0);
  }

  Value sliceOf(tensor::ExpandShapeOp expand, ExtractSliceOp slice, const Window &window) {
    Window part;
    auto groups = expand.getReassociationIndices();
    for (const ReassociationIndices &group : groups)
      if (!joinDims(window, group, expand.getResultType(), part))
        return nullptr;
    Value source = take(expand.getSrc(), part);
    auto type = RankedTensorType::get(slice.getStaticSizes(), expand.getType().getElementType());
    return tensor::ExpandShapeOp::create(builder, expand.getLoc(), type, source, groups,
                                         window.sizes);
  }

  Value sliceOf(tensor::CollapseShapeOp collapse, ExtractSliceOp slice, const Window &window) {
    Window part;
    auto groups = collapse.getReassociationIndices();
    for (auto [dim, group] : llvm::enumerate(groups))
      if (!splitDim(window, dim, group, collapse.getSrcType(), part))
        return nullptr;
    Value source = take(collapse.getSrc(), part);
    auto type = RankedTensorType::get(slice.getStaticSizes(), collapse.getType().getElementType());
    return tensor::CollapseShapeOp::create(builder, collapse.getLoc(), type, source, groups);
  }

  /// The window's part of one dimension that `group` is of `type` are joined in.
  bool joinDims(const Window &window, ArrayRef<int64_t> group, RankedTensorType type,
                Window &joined) {
    if (std::optional<int64_t> only = onlyDim(group, type)) {
      joined.offsets.push_back(window.offsets[*only]);
      joined.sizes.push_back(window.sizes[*only]);
      return true;
    }
    // Inner dimensions as a whole, then a part of one, then one of each outer one.
    int64_t offset = 0, size = 1, stride = 1;
    bool isWhole = true;
    for (int64_t dim : llvm::reverse(group)) {
      std::optional<int64_t> start = getConstantIntValue(window.offsets[dim]),
                             count = getConstantIntValue(window.sizes[dim]);
      if (type.isDynamicDim(dim) || !start || !count || (!isWhole && *count != 1))
        return false;
      offset += *start * stride;
      size *= *count;
      stride *= type.getDimSize(dim);
      isWhole &= *count == type.getDimSize(dim);
    }
    joined.offsets.push_back(builder.getIndexAttr(offset));
    joined.sizes.push_back(builder.getIndexAttr(size));
    return true;
  }

  /// The window's part of the dimensions `group` of `type`, which `dim` joins.
  bool splitDim(const Window &window, int64_t dim, ArrayRef<int64_t> group, RankedTensorType type,
                Window &split) {
    size_t first = split.offsets.size();
    split.offsets.resize(first + group.size(), builder.getIndexAttr(0));
    split.sizes.resize(first + group.size(), builder.getIndexAttr(1));
    if (std::optional<int64_t> only = onlyDim(group, type)) {
      split.offsets[*only] = window.offsets[dim];
      split.sizes[*only] = window.sizes[dim];
      return true;
    }
    std::optional<int64_t> start = getConstantIntValue(window.offsets[dim]),
                           count = getConstantIntValue(window.sizes[dim]);
    if (!start || !count)
      return false;
    for (int64_t inner : llvm::reverse(group)) {
      int64_t size = type.getDimSize(inner);
      if (ShapedType::isDynamic(size) || size == 0)
        return false;
      bool isWhole = *start % size == 0 && *count % size == 0;
      if (!isWhole && *start % size + *count > size)
        return false;
      split.offsets[inner] = builder.getIndexAttr(isWhole ? 0 : *start % size);
      split.sizes[inner] = builder.getIndexAttr(isWhole ? size : *count);
      *start /= size;
      *count = isWhole ? *count / size : 1;
    }
    return true;
  }

  /// The one dimension of the group whose size is not 1, or its last if there is none.
  static std::optional<int64_t> onlyDim(ArrayRef<int64_t> group, RankedTensorType type) {
    auto isLarge = [&](int64_t dim) { return type.getDimSize(dim) != 1; };
    if (llvm::count_if(group, isLarge) > 1)
      return std::nullopt;
    auto large = llvm::find_if(group, isLarge);
    return large == group.end() ? group.back() : *large;
  }

  /// Where the slice leaves something out, what is inserted is all there is.
  Value sliceOf(tensor::InsertSliceOp insert, const Window &window) {
    RankedTensorType type = insert.getType();
    if (!insert.hasUnitStride() || insert.getDroppedDims().any())
      return nullptr;
    Window inserted{insert.getMixedOffsets(), insert.getMixedSizes()};
    Window read = inserted, written = inserted;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (coversDim(window, dim, type)) {
        read.offsets[dim] = builder.getIndexAttr(0);
        continue;
      }
      if (!coversDim(inserted, dim, type))
        return nullptr;
      read.offsets[dim] = window.offsets[dim];
      read.sizes[dim] = written.sizes[dim] = window.sizes[dim];
    }
    Value source = take(insert.getSource(), read), dest = take(insert.getDest(), window);
    Sizes strides(type.getRank(), builder.getIndexAttr(1));
    return tensor::InsertSliceOp::create(builder, insert.getLoc(), source, dest, written.offsets,
                                         written.sizes, strides);
  }

  OpBuilder builder;
  llvm::SetVector<Value> worklist;
};

struct SliceProducersPass : public forge::impl::SliceProducersPassBase<SliceProducersPass> {
  void runOnOperation() override {
    if (auto function = dyn_cast<func::FuncOp>(getOperation()); function && forge::isKernel(function))
      return;
    Slicer(getOperation()).run();
  }
};
} // namespace

// Convolutions as loops over their input: those of several groups, and others that are no product
// of matrices.
#include "ConvolutionForms.h"

#include "forge/Conversion/Utils/TensorUtils.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace forge;

/// For each dimension of a tensor, the dimensions it has after dimension `split` became two.
static SmallVector<ReassociationIndices> getSplitGroups(int64_t rank, int64_t split) {
  SmallVector<ReassociationIndices> groups;
  int64_t next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    groups.push_back({next++});
    if (dim == split)
      groups.back().push_back(next++);
  }
  return groups;
}

/// The sizes with dimension `dim` taken apart into `groups` equal parts: [..., groups, rest, ...].
static SmallVector<OpFoldResult> getSplitSizes(OpBuilder &builder, Location loc,
                                               ArrayRef<OpFoldResult> sizes, int64_t dim,
                                               int64_t groups) {
  SmallVector<OpFoldResult> split(sizes);
  if (auto size = getConstantIntValue(split[dim])) {
    split[dim] = builder.getIndexAttr(*size / groups);
  } else if (groups != 1) {
    Value count = arith::ConstantIndexOp::create(builder, loc, groups);
    split[dim] = builder.createOrFold<arith::DivUIOp>(loc, cast<Value>(split[dim]), count);
  }
  split.insert(split.begin() + dim, builder.getIndexAttr(groups));
  return split;
}

static Value splitDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim, int64_t groups) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> sizes =
      getSplitSizes(builder, loc, getSizes(builder, loc, tensor), dim, groups);
  SmallVector<int64_t> shape(type.getShape());
  if (!type.isDynamicDim(dim))
    shape[dim] /= groups;
  shape.insert(shape.begin() + dim, groups);
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), tensor,
                                       getSplitGroups(type.getRank(), dim), sizes);
}

/// For each dimension of a tensor of rank `rank` without dimension `unit`, of size 1, the
/// dimensions it is with that one: the next one has it too, or the last one.
static SmallVector<ReassociationIndices> getUnitGroups(int64_t rank, int64_t unit) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool joinsBefore = dim > 0 && (unit == dim - 1 || (unit == dim && dim == rank - 1));
    if (!joinsBefore)
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  return groups;
}

static Value dropUnitDim(OpBuilder &builder, Location loc, Value tensor, int64_t dim) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  return tensor::CollapseShapeOp::create(builder, loc, tensor, getUnitGroups(rank, dim));
}

namespace {
/// The general form. Loops: batch, group, features of a group, spatial places; then the reductions
/// over the kernel's input features and its spatial places. Input and kernel, and the result, get
/// one dimension more, the group, in front of the dimension that it was part of. Of a depthwise
/// convolution, and of its gradients, each group has one feature, or one image: these have no loop,
/// and the group is the whole dimension.
class DirectForm {
public:
  DirectForm(OpBuilder &builder, Location loc, const Conv &conv)
      : builder(builder), loc(loc), conv(conv), dims(conv.dims) {
    isByImage = conv.batchGroups > 1;
    splitInput = isByImage ? dims.getInputBatchDimension() : dims.getInputFeatureDimension();
    bool isOneInput = hasOneOfEach(conv.lhsShape(), splitInput);
    bool isOneFeature = hasOneOfEach(conv.rhsShape(), dims.getKernelOutputFeatureDimension());
    if (!(isOneInput && isByImage))
      batch = newLoop(utils::IteratorType::parallel);
    if (conv.groups() > 1)
      group = newLoop(utils::IteratorType::parallel);
    if (!isOneFeature)
      feature = newLoop(utils::IteratorType::parallel);
    for (size_t i = 0; i < conv.window.size(); ++i)
      places.push_back(newLoop(utils::IteratorType::parallel));
    if (!(isOneInput && !isByImage))
      inputFeature = newLoop(utils::IteratorType::reduction);
    for (size_t i = 0; i < conv.window.size(); ++i)
      kernelPlaces.push_back(newLoop(utils::IteratorType::reduction));
  }

  Value create() {
    SmallVector<SmallVector<AffineExpr>> input = inputIndices(), kernel = kernelIndices(),
                                         output = outputIndices();
    Value lhs = input[splitInput].size() > 1 ? split(conv.lhs, splitInput) : conv.lhs;
    int64_t kernelFeature = dims.getKernelOutputFeatureDimension();
    Value rhs = kernel[kernelFeature].size() > 1 ? split(conv.rhs, kernelFeature) : conv.rhs;
    if (!inputFeature) {
      // Its number in the kernel whose features may have become two dimensions.
      int64_t unit = dims.getKernelInputFeatureDimension();
      bool isBehind = kernel[kernelFeature].size() > 1 && unit > kernelFeature;
      rhs = dropUnitDim(builder, loc, rhs, unit + isBehind);
    }
    Value init = createZeros(builder, loc, sizesOfLoops(output), conv.accType().getElementType());
    SmallVector<AffineMap> maps{mapOf(input), mapOf(kernel), mapOf(output)};
    auto generic =
        linalg::GenericOp::create(builder, loc, init.getType(), ValueRange{lhs, rhs}, init, maps,
                                  iterators, [&](OpBuilder &b, Location l, ValueRange args) {
                                    ScalarBuilder s(b, l);
                                    linalg::YieldOp::create(b, l, emitMultiplyAdd(s, conv, args));
                                  });
    return restoreShape(generic.getResult(0), output);
  }

private:
  using Indices = SmallVector<SmallVector<AffineExpr>>;

  /// Whether dimension `dim` has one element for each group.
  bool hasOneOfEach(RankedTensorType type, int64_t dim) const {
    return conv.groups() > 1 && type.getDimSize(dim) == conv.groups();
  }

  AffineExpr newLoop(utils::IteratorType type) {
    iterators.push_back(type);
    return builder.getAffineDimExpr(iterators.size() - 1);
  }

  static SmallVector<AffineExpr> present(ArrayRef<AffineExpr> indices) {
    SmallVector<AffineExpr> result;
    llvm::copy_if(indices, std::back_inserter(result),
                  [](AffineExpr index) { return static_cast<bool>(index); });
    return result;
  }

  /// For each dimension, its index or indices; none for a dimension of size 1 that is left out.
  Indices inputIndices() const {
    Indices indices(conv.rank());
    indices[dims.getInputBatchDimension()] = present({isByImage ? group : AffineExpr(), batch});
    indices[dims.getInputFeatureDimension()] =
        present({isByImage ? AffineExpr() : group, inputFeature});
    for (auto [i, w] : llvm::enumerate(conv.window))
      indices[dims.getInputSpatialDimensions()[i]] = {places[i] * w.stride +
                                                      kernelPlaces[i] * w.windowDilation};
    return indices;
  }
  Indices kernelIndices() const {
    Indices indices(conv.rank());
    indices[dims.getKernelInputFeatureDimension()] = present({inputFeature});
    indices[dims.getKernelOutputFeatureDimension()] = present({group, feature});
    for (size_t i = 0; i < conv.window.size(); ++i)
      indices[dims.getKernelSpatialDimensions()[i]] = {kernelPlaces[i]};
    return indices;
  }
  Indices outputIndices() const {
    Indices indices(conv.rank());
    indices[dims.getOutputBatchDimension()] = present({batch});
    indices[dims.getOutputFeatureDimension()] = present({group, feature});
    for (size_t i = 0; i < conv.window.size(); ++i)
      indices[dims.getOutputSpatialDimensions()[i]] = {places[i]};
    return indices;
  }

  AffineMap mapOf(const Indices &indices) const {
    SmallVector<AffineExpr> flat;
    for (const SmallVector<AffineExpr> &index : indices)
      llvm::append_range(flat, index);
    return AffineMap::get(iterators.size(), 0, flat, builder.getContext());
  }

  Value split(Value tensor, int64_t dim) const {
    return splitDim(builder, loc, tensor, dim, conv.groups());
  }

  /// The result's sizes by `output`'s indices.
  SmallVector<OpFoldResult> sizesOfLoops(const Indices &output) const {
    int64_t features = dims.getOutputFeatureDimension(), images = dims.getOutputBatchDimension();
    SmallVector<OpFoldResult> sizes(conv.sizes);
    bool isSplit = output[features].size() > 1;
    if (isSplit)
      sizes = getSplitSizes(builder, loc, sizes, features, conv.groups());
    if (output[images].empty())
      sizes.erase(sizes.begin() + images + (isSplit && images > features));
    return sizes;
  }

  /// `value`, which has the dimensions of `output`'s indices, with those of the convolution.
  Value restoreShape(Value value, const Indices &output) const {
    int64_t features = dims.getOutputFeatureDimension(), images = dims.getOutputBatchDimension();
    bool hasBatch = !output[images].empty();
    if (output[features].size() > 1) {
      int64_t rank = conv.rank() - !hasBatch;
      value = tensor::CollapseShapeOp::create(
          builder, loc, value, getSplitGroups(rank, features - (!hasBatch && images < features)));
    }
    if (!hasBatch)
      value = tensor::ExpandShapeOp::create(builder, loc, conv.accType(), value,
                                            getUnitGroups(conv.rank(), images), conv.sizes);
    return castTensor(builder, loc, value, conv.accType());
  }

  OpBuilder &builder;
  Location loc;
  const Conv &conv;
  stablehlo::ConvDimensionNumbersAttr dims;
  /// Whether groups are of images, or of input features; and the dimension of the input of which.
  bool isByImage;
  int64_t splitInput;
  /// Null if the form has no such loop.
  AffineExpr batch, group, feature, inputFeature;
  SmallVector<AffineExpr> places, kernelPlaces;
  SmallVector<utils::IteratorType> iterators;
};
} // namespace

Value forge::createDirect(OpBuilder &builder, Location loc, const Conv &conv) {
  return DirectForm(builder, loc, conv).create();
}

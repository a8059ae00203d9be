// Constraints of gather, dynamic_gather and scatter.
#include "StructuredVerify.h"

using namespace mlir;

namespace forge::stablehlo {

/// Puts `outer` and `inner` together to one shape of `rank` dimensions: `inner` at `innerDims`, in
/// order, `outer` at the others. The counts were checked.
static SmallVector<int64_t> combine(ArrayRef<int64_t> outer, ArrayRef<int64_t> inner,
                                    ArrayRef<int64_t> innerDims) {
  SmallVector<int64_t> shape;
  for (int64_t dim = 0, rank = outer.size() + inner.size(); dim < rank; ++dim) {
    ArrayRef<int64_t> &from = llvm::is_contained(innerDims, dim) ? inner : outer;
    if (from.empty())
      return {};
    shape.push_back(from.front());
    from = from.drop_front();
  }
  return shape;
}

/// Sizes of the dimensions that are in none of the lists.
static SmallVector<int64_t> sizesWithout(ArrayRef<int64_t> shape, ArrayRef<int64_t> a,
                                         ArrayRef<int64_t> b = {}) {
  SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(a, dim) && !llvm::is_contained(b, dim))
      sizes.push_back(size);
  return sizes;
}

namespace {

/// What gather and scatter say in different words about the operand and the indices.
struct IndexingDims {
  StringRef windowName;         ///< offset_dims, update_window_dims
  ArrayRef<int64_t> window;     ///< dimensions of the result (updates) inside a slice
  StringRef insertedName;       ///< collapsed_slice_dims, inserted_window_dims
  ArrayRef<int64_t> inserted;   ///< dimensions of the operand that a slice has not
  StringRef batchName;          ///< operand_batching_dims, input_batching_dims
  ArrayRef<int64_t> batch;      ///< dimensions of the operand that go with the indices'
  StringRef indexBatchName;     ///< start_indices_batching_dims, scatter_indices_batching_dims
  ArrayRef<int64_t> indexBatch; ///< those dimensions of the indices
  StringRef mapName;            ///< start_index_map, scatter_dims_to_operand_dims
  ArrayRef<int64_t> map;        ///< which dimension of the operand each index counts along
  int64_t indexVectorDim;

  explicit IndexingDims(GatherDimensionNumbersAttr dims)
      : windowName("offset_dims"), window(dims.getOffsetDims()),
        insertedName("collapsed_slice_dims"), inserted(dims.getCollapsedSliceDims()),
        batchName("operand_batching_dims"), batch(dims.getOperandBatchingDims()),
        indexBatchName("start_indices_batching_dims"),
        indexBatch(dims.getStartIndicesBatchingDims()), mapName("start_index_map"),
        map(dims.getStartIndexMap()), indexVectorDim(dims.getIndexVectorDim()) {}
  explicit IndexingDims(ScatterDimensionNumbersAttr dims)
      : windowName("update_window_dims"), window(dims.getUpdateWindowDims()),
        insertedName("inserted_window_dims"), inserted(dims.getInsertedWindowDims()),
        batchName("input_batching_dims"), batch(dims.getInputBatchingDims()),
        indexBatchName("scatter_indices_batching_dims"),
        indexBatch(dims.getScatterIndicesBatchingDims()), mapName("scatter_dims_to_operand_dims"),
        map(dims.getScatterDimsToOperandDims()), indexVectorDim(dims.getIndexVectorDim()) {}
};

} // namespace

/// gather_c1 to c8, c10, c11, c13 to c19 and scatter_c2, c7 to c22: the same constraints on the
/// lists of dimensions. `windowed` is gather's result or scatter's updates.
static LogicalResult verifyIndexingDims(Operation *op, const IndexingDims &dims,
                                        RankedTensorType operand, RankedTensorType indices,
                                        RankedTensorType windowed) {
  int64_t rank = operand.getRank(), indexRank = indices.getRank();
  int64_t parts = dims.window.size() + dims.inserted.size() + dims.batch.size();
  // gather_c1, scatter_c2
  if (parts != rank)
    return op->emitOpError() << "expected " << dims.windowName << ", " << dims.insertedName
                             << " and " << dims.batchName << " to cover the operand's rank " << rank
                             << ", but got " << parts << " dimensions";
  // gather_c2, scatter_c22
  if (dims.indexVectorDim < 0 || dims.indexVectorDim > indexRank)
    return op->emitOpError() << "expected index_vector_dim in [0, " << indexRank << "], but got "
                             << dims.indexVectorDim;
  // gather_c3, scatter_c19
  int64_t vectorSize =
      dims.indexVectorDim < indexRank ? indices.getDimSize(dims.indexVectorDim) : 1;
  if (!compatibleDims(vectorSize, dims.map.size()))
    return op->emitOpError() << "expected " << vectorSize << " entries in " << dims.mapName
                             << ", but got " << dims.map.size();
  // gather_c4 to gather_c8, scatter_c7 to scatter_c11
  if (failed(verifyDistinct(op, dims.windowName, dims.window)) ||
      failed(verifySorted(op, dims.windowName, dims.window)) ||
      failed(verifyDimsInRange(op, dims.windowName, dims.window, windowed.getRank())) ||
      failed(verifyDistinct(op, (dims.insertedName + " and " + dims.batchName).str(), dims.inserted,
                            dims.batch)) ||
      failed(verifySorted(op, dims.insertedName, dims.inserted)) ||
      failed(verifyDimsInRange(op, dims.insertedName, dims.inserted, rank)))
    return failure();
  // gather_c10, gather_c11, gather_c13 to gather_c16, scatter_c12 to scatter_c17
  if (failed(verifySorted(op, dims.batchName, dims.batch)) ||
      failed(verifyDimsInRange(op, dims.batchName, dims.batch, rank)) ||
      failed(verifyDistinct(op, dims.indexBatchName, dims.indexBatch)) ||
      failed(verifyDimsInRange(op, dims.indexBatchName, dims.indexBatch, indexRank)))
    return failure();
  if (llvm::is_contained(dims.indexBatch, dims.indexVectorDim))
    return op->emitOpError() << "expected " << dims.indexBatchName << " without index_vector_dim "
                             << dims.indexVectorDim;
  if (failed(verifyCount(op, dims.indexBatchName, dims.indexBatch.size(), dims.batch.size())))
    return failure();
  // gather_c17, scatter_c18
  for (auto [operandDim, indexDim] : llvm::zip(dims.batch, dims.indexBatch))
    if (failed(verifySameSize(op, "the operand's batching dimension",
                              operand.getDimSize(operandDim), "the indices' batching dimension",
                              indices.getDimSize(indexDim))))
      return failure();
  // gather_c18, gather_c19, scatter_c20, scatter_c21
  return success(succeeded(verifyDistinct(op, (dims.mapName + " and " + dims.batchName).str(),
                                          dims.map, dims.batch)) &&
                 succeeded(verifyDimsInRange(op, dims.mapName, dims.map, rank)));
}

/// Sizes of the indices without the dimension along which an index vector lies.
static SmallVector<int64_t> indexBatchSizes(const IndexingDims &dims, RankedTensorType indices) {
  return sizesWithout(indices.getShape(), dims.indexVectorDim);
}

/// gather_c5 bounds the window dimensions by the result's rank, which the parts have to add up to.
static LogicalResult verifyWindowedRank(Operation *op, StringRef name, RankedTensorType windowed,
                                        const IndexingDims &dims, RankedTensorType indices) {
  int64_t expected = indexBatchSizes(dims, indices).size() + dims.window.size();
  if (windowed.getRank() == expected)
    return success();
  return op->emitOpError() << "expected rank " << expected << " for " << name << ", but got "
                           << windowed.getRank();
}

/// The sizes of a slice fit the operand, and are 0 or 1 in dimensions that the slice has not.
static LogicalResult verifySliceSizes(Operation *op, ArrayRef<int64_t> sizes,
                                      const IndexingDims &dims, RankedTensorType operand) {
  // gather_c9, gather_c12, dynamic_gather_c8
  for (int64_t dim : llvm::concat<const int64_t>(dims.inserted, dims.batch))
    if (sizes[dim] > 1)
      return op->emitOpError() << "expected slice size 0 or 1 in dimension " << dim
                               << ", which the slice has not, but got " << sizes[dim];
  // gather_c21, dynamic_gather_c12
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size < 0)
      return op->emitOpError() << "expected a slice size of 0 or more in dimension " << dim
                               << ", but got " << size;
    if (!operand.isDynamicDim(dim) && size > operand.getDimSize(dim))
      return op->emitOpError() << "expected slice size in [0, " << operand.getDimSize(dim)
                               << "] in dimension " << dim << ", but got " << size;
  }
  return success();
}

LogicalResult GatherOp::verify() {
  IndexingDims dims(getDimensionNumbers());
  RankedTensorType operand = getOperand().getType(), indices = getStartIndices().getType();
  if (failed(verifyIndexingDims(*this, dims, operand, indices, getType())))
    return failure();
  // gather_c20
  ArrayRef<int64_t> sizes = getSliceSizes();
  if (failed(verifyCount(*this, "slice_sizes", sizes.size(), operand.getRank())))
    return failure();
  if (failed(verifySliceSizes(*this, sizes, dims, operand)))
    return failure();
  // gather_c22
  if (failed(verifyWindowedRank(*this, "the result", getType(), dims, indices)))
    return failure();
  SmallVector<int64_t> expected = combine(
      indexBatchSizes(dims, indices), sizesWithout(sizes, dims.inserted, dims.batch), dims.window);
  if (failed(verifyShape(*this, "the result", getType(), expected)))
    return failure();
  // gather_c23
  return verifyElementType(*this, "the result", getType(), operand.getElementType());
}

LogicalResult DynamicGatherOp::verify() {
  IndexingDims dims(getDimensionNumbers());
  RankedTensorType operand = getOperand().getType(), indices = getStartIndices().getType();
  // dynamic_gather_c1 to dynamic_gather_c7, c9, c10
  if (failed(verifyIndexingDims(*this, dims, operand, indices, getType())))
    return failure();
  // dynamic_gather_c11
  if (failed(verifyShape(*this, "slice_sizes", getSliceSizes().getType(), {operand.getRank()})))
    return failure();
  // dynamic_gather_c13
  if (failed(verifyWindowedRank(*this, "the result", getType(), dims, indices)))
    return failure();
  SmallVector<int64_t> window(dims.window.size(), ShapedType::kDynamic);
  if (std::optional<SmallVector<int64_t>> sizes = constantIntegers(getSliceSizes())) {
    UserErrorScope scope(getContext());
    if (failed(verifySliceSizes(*this, *sizes, dims, operand)))
      return failure();
    window = sizesWithout(*sizes, dims.inserted, dims.batch);
  }
  if (failed(verifyShape(*this, "the result", getType(),
                         combine(indexBatchSizes(dims, indices), window, dims.window))))
    return failure();
  // dynamic_gather_c14
  return verifyElementType(*this, "the result", getType(), operand.getElementType());
}

LogicalResult ScatterOp::verify() {
  // scatter_c5
  if (getInputs().empty())
    return emitOpError() << "expected at least one input";
  if (failed(verifyCount(*this, "updates", getUpdates().size(), getInputs().size())) ||
      failed(verifyCount(*this, "the results", getNumResults(), getInputs().size())))
    return failure();
  auto operand = cast<RankedTensorType>(getInputs().front().getType());
  auto update = cast<RankedTensorType>(getUpdates().front().getType());
  // scatter_c1, scatter_c3, scatter_c6, scatter_c24
  for (auto [input, updates, result] : llvm::zip(getInputs(), getUpdates(), getResults()))
    if (failed(verifyShape(*this, "the inputs", input.getType(), operand.getShape())) ||
        failed(verifyShape(*this, "the updates", updates.getType(), update.getShape())) ||
        failed(verifyElementType(*this, "the updates", updates.getType(),
                                 elementTypeOf(input.getType()))) ||
        failed(verifyShape(*this, "the results", result.getType(), operand.getShape())))
      return failure();
  IndexingDims dims(getScatterDimensionNumbers());
  RankedTensorType indices = getScatterIndices().getType();
  if (failed(verifyIndexingDims(*this, dims, operand, indices, update)))
    return failure();
  // scatter_c4
  if (failed(verifyWindowedRank(*this, "the updates", update, dims, indices)))
    return failure();
  SmallVector<int64_t> bounds = sizesWithout(operand.getShape(), dims.inserted, dims.batch);
  SmallVector<int64_t> window;
  for (auto [dim, bound] : llvm::zip(dims.window, bounds)) {
    window.push_back(update.getDimSize(dim));
    if (!update.isDynamicDim(dim) && !ShapedType::isDynamic(bound) && window.back() > bound)
      return emitOpError() << "expected at most " << bound << " elements in dimension " << dim
                           << " of the updates, but got " << window.back();
  }
  return verifyShape(*this, "the updates", update,
                     combine(indexBatchSizes(dims, indices), window, dims.window));
}

LogicalResult ScatterOp::verifyRegions() {
  // scatter_c23, scatter_c25
  return verifyAccumulator(*this, getUpdateComputation(), "update_computation",
                           getInputs().getTypes(), getResultTypes());
}

} // namespace forge::stablehlo

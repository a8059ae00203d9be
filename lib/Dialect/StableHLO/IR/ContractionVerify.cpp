// Constraints of dot, dot_general, convolution and dynamic_conv.
#include "StructuredVerify.h"

using namespace mlir;

namespace forge::stablehlo {

/// Both numbers are floats, or both integers, or both booleans. Wider than the specification, which
/// wants equal types: frameworks multiply narrow floats of two formats and bytes of two
/// signednesses, and accumulate in wider types. Each operand is converted to the type of the result
/// by its own type.
static bool sameKind(Type a, Type b) {
  if (a == b || (isa<FloatType>(a) && isa<FloatType>(b)))
    return true;
  auto aInt = dyn_cast<IntegerType>(a), bInt = dyn_cast<IntegerType>(b);
  return aInt && bInt && (aInt.getWidth() == 1) == (bInt.getWidth() == 1);
}

/// Integers may also be multiplied to floats, as what they are converted to.
static LogicalResult verifySameKind(Operation *op, Type lhs, Type rhs, Type result) {
  bool makesFloatsOfIntegers = isa<IntegerType>(elementTypeOf(lhs)) &&
                               isa<IntegerType>(elementTypeOf(rhs)) &&
                               isa<FloatType>(elementTypeOf(result));
  for (Type other : {rhs, makesFloatsOfIntegers ? lhs : result})
    if (!sameKind(elementTypeOf(lhs), elementTypeOf(other)))
      return op->emitOpError() << "expected element types of one kind, but got "
                               << elementTypeOf(lhs) << " and " << elementTypeOf(other);
  return success();
}

static LogicalResult verifyPrecision(Operation *op, std::optional<ArrayAttr> precision) {
  // Printers leave out entries that are DEFAULT at the end.
  if (precision && precision->size() > 2)
    return op->emitOpError() << "expected at most 2 entries in precision_config, but got "
                             << precision->size();
  return success();
}

/// The algorithms that some hardware has: how often the product of two operands of `factor` is
/// taken, and what it is accumulated in.
static bool isKnownAlgorithm(DotAlgorithmAttr algorithm) {
  Type lhs = algorithm.getLhsPrecisionType(), rhs = algorithm.getRhsPrecisionType(),
       sum = algorithm.getAccumulationType();
  if (algorithm.getLhsComponentCount() != 1 || algorithm.getRhsComponentCount() != 1)
    return false;
  int64_t products = algorithm.getNumPrimitiveOperations();
  auto isF8 = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8 &&
           !isa<Float8E8M0FNUType>(type);
  };
  if (isF8(lhs) && isF8(rhs))
    return sum.isF32() && products == 1;
  if (lhs != rhs || algorithm.getAllowImpreciseAccumulation())
    return false;
  if (lhs.isBF16() && sum.isF32())
    return products == 1 || products == 3 || products == 6 || products == 9;
  if (lhs.isTF32())
    return sum.isF32() && (products == 1 || products == 3);
  bool isFloat = lhs.isF16() || lhs.isBF16() || lhs.isF32() || lhs.isF64();
  return products == 1 && isFloat && (sum == lhs || (lhs.isF16() && sum.isF32()));
}

static LogicalResult verifyAlgorithm(DotGeneralOp op) {
  std::optional<DotAlgorithmAttr> algorithm = op.getAlgorithm();
  if (!algorithm)
    return success();
  // dot_general_c21
  if (op.getPrecisionConfig())
    for (auto entry : op.getPrecisionConfig()->getAsRange<PrecisionAttr>())
      if (entry.getValue() != Precision::DEFAULT)
        return op.emitOpError() << "expected precision DEFAULT with an algorithm, but got "
                                << stringifyPrecision(entry.getValue());
  // dot_general_c22, dot_general_c23, dot_general_c24
  if (failed(verifyPositive(op, "lhs_component_count", algorithm->getLhsComponentCount())) ||
      failed(verifyPositive(op, "rhs_component_count", algorithm->getRhsComponentCount())) ||
      failed(
          verifyPositive(op, "num_primitive_operations", algorithm->getNumPrimitiveOperations())))
    return failure();
  // dot_general_i8, dot_general_i9, dot_general_i10
  if (isKnownAlgorithm(*algorithm))
    return success();
  return op.emitOpError() << "expected a dot algorithm that some hardware has, but got "
                          << *algorithm;
}

/// Constraints on the dimension numbers of one operand, and that partners have one size.
static LogicalResult verifyDotDims(DotGeneralOp op) {
  DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  ArrayRef<int64_t> lhsBatch = dims.getLhsBatchingDimensions();
  ArrayRef<int64_t> rhsBatch = dims.getRhsBatchingDimensions();
  ArrayRef<int64_t> lhsContract = dims.getLhsContractingDimensions();
  ArrayRef<int64_t> rhsContract = dims.getRhsContractingDimensions();
  // dot_general_c1 to dot_general_c8
  if (failed(verifyCount(op, "rhs_batching_dimensions", rhsBatch.size(), lhsBatch.size())) ||
      failed(
          verifyCount(op, "rhs_contracting_dimensions", rhsContract.size(), lhsContract.size())) ||
      failed(verifyDistinct(op, "lhs dimensions", lhsBatch, lhsContract)) ||
      failed(verifyDistinct(op, "rhs dimensions", rhsBatch, rhsContract)) ||
      failed(verifyDimsInRange(op, "lhs_batching_dimensions", lhsBatch, lhs.getRank())) ||
      failed(verifyDimsInRange(op, "lhs_contracting_dimensions", lhsContract, lhs.getRank())) ||
      failed(verifyDimsInRange(op, "rhs_batching_dimensions", rhsBatch, rhs.getRank())) ||
      failed(verifyDimsInRange(op, "rhs_contracting_dimensions", rhsContract, rhs.getRank())))
    return failure();
  // dot_general_c9
  for (auto [l, r] : llvm::zip(lhsBatch, rhsBatch))
    if (failed(verifySameSize(op, "the lhs batching dimension", lhs.getDimSize(l),
                              "the rhs batching dimension", rhs.getDimSize(r))))
      return failure();
  // dot_general_c10
  for (auto [l, r] : llvm::zip(lhsContract, rhsContract))
    if (failed(verifySameSize(op, "the lhs contracting dimension", lhs.getDimSize(l),
                              "the rhs contracting dimension", rhs.getDimSize(r))))
      return failure();
  return success();
}

LogicalResult DotGeneralOp::verify() {
  // dot_general_c11
  if (failed(verifyPrecision(*this, getPrecisionConfig())) || failed(verifyDotDims(*this)))
    return failure();
  // dot_general_c12
  DotDimensionNumbersAttr dims = getDotDimensionNumbers();
  SmallVector<int64_t> expected;
  for (auto [l, r] : llvm::zip(dims.getLhsBatchingDimensions(), dims.getRhsBatchingDimensions())) {
    int64_t size = getLhs().getType().getDimSize(l);
    expected.push_back(ShapedType::isDynamic(size) ? getRhs().getType().getDimSize(r) : size);
  }
  auto appendFree = [&](RankedTensorType type, ArrayRef<int64_t> batch,
                        ArrayRef<int64_t> contract) {
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contract, dim))
        expected.push_back(size);
  };
  appendFree(getLhs().getType(), dims.getLhsBatchingDimensions(),
             dims.getLhsContractingDimensions());
  appendFree(getRhs().getType(), dims.getRhsBatchingDimensions(),
             dims.getRhsContractingDimensions());
  if (failed(verifyShape(*this, "the result", getType(), expected)))
    return failure();
  // dot_general_c13
  if (failed(verifySameKind(*this, getLhs().getType(), getRhs().getType(), getType())))
    return failure();
  return verifyAlgorithm(*this);
}

LogicalResult DotOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  // dot_c1
  if (failed(verifyPrecision(*this, getPrecisionConfig())))
    return failure();
  // dot_c2
  for (auto [name, type] : {std::pair("lhs", lhs), std::pair("rhs", rhs)})
    if (type.getRank() != 1 && type.getRank() != 2)
      return emitOpError() << "expected rank 1 or 2 for " << name << ", but got " << type.getRank();
  // dot_c3
  if (failed(verifySameSize(*this, "the last dimension of lhs", lhs.getShape().back(),
                            "the first dimension of rhs", rhs.getShape().front())))
    return failure();
  // dot_c4
  SmallVector<int64_t> expected(lhs.getShape().drop_back());
  llvm::append_range(expected, rhs.getShape().drop_front());
  if (failed(verifyShape(*this, "the result", getType(), expected)))
    return failure();
  // dot_c5
  return verifySameKind(*this, lhs, rhs, getType());
}

/// The dimension numbers of one of a convolution's tensors: all of [0, rank), each once.
static LogicalResult verifyConvDims(Operation *op, StringRef name, StringRef spatialName,
                                    int64_t first, int64_t second, ArrayRef<int64_t> spatial,
                                    int64_t rank) {
  SmallVector<int64_t> dims = {first, second};
  llvm::append_range(dims, spatial);
  return success(succeeded(verifyCount(op, spatialName, spatial.size(), rank - 2)) &&
                 succeeded(verifyDistinct(op, name, dims)) &&
                 succeeded(verifyDimsInRange(op, name, dims, rank)));
}

static LogicalResult verifyDivisible(Operation *op, StringRef name, int64_t size,
                                     StringRef countName, int64_t count) {
  if (ShapedType::isDynamic(size) || size % count == 0)
    return success();
  return op->emitOpError() << "expected " << name << " to be a multiple of " << countName << ' '
                           << count << ", but got " << size;
}

/// C10, C11, C14 to C16 and C21 to C23: groups of features and of the batch.
template <typename ConvOp> static LogicalResult verifyConvGroups(ConvOp op) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  // convolution_c21, c22
  int64_t featureGroups = op.getFeatureGroupCount(), batchGroups = op.getBatchGroupCount();
  if (failed(verifyPositive(op, "feature_group_count", featureGroups)) ||
      failed(verifyPositive(op, "batch_group_count", batchGroups)))
    return failure();
  // convolution_c23
  if (featureGroups != 1 && batchGroups != 1)
    return op.emitOpError() << "expected feature_group_count or batch_group_count to be 1, but got "
                            << featureGroups << " and " << batchGroups;
  // convolution_c10, c11, c15, c16
  int64_t inputFeatures = lhs.getDimSize(dims.getInputFeatureDimension());
  int64_t outputFeatures = rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  if (failed(verifyDivisible(op, "the input batch size",
                             lhs.getDimSize(dims.getInputBatchDimension()), "batch_group_count",
                             batchGroups)) ||
      failed(verifyDivisible(op, "the number of input features", inputFeatures,
                             "feature_group_count", featureGroups)) ||
      failed(verifyDivisible(op, "the number of output features", outputFeatures,
                             "batch_group_count", batchGroups)) ||
      failed(verifyDivisible(op, "the number of output features", outputFeatures,
                             "feature_group_count", featureGroups)))
    return failure();
  // convolution_c14
  if (ShapedType::isDynamic(inputFeatures))
    return success();
  return verifySameSize(op, "the input features of a group", inputFeatures / featureGroups,
                        "the kernel's input feature dimension",
                        rhs.getDimSize(dims.getKernelInputFeatureDimension()));
}

/// C1 to C24, which convolution and dynamic_conv share but for the padding.
template <typename ConvOp> static LogicalResult verifyConvAttributes(ConvOp op) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  int64_t rank = lhs.getRank(), spatialRank = rank - 2;
  // convolution_c1
  if (rhs.getRank() != rank)
    return op.emitOpError() << "expected rank " << rank << " for rhs as for lhs, but got "
                            << rhs.getRank();
  if (rank < 2)
    return op.emitOpError() << "expected rank 2 or more for lhs, but got " << rank;
  // convolution_c2, c3, c5 to c8
  if (failed(verifyPositiveList(op, "window_strides", op.getWindowStrides(), spatialRank)) ||
      failed(verifyPositiveList(op, "lhs_dilation", op.getLhsDilation(), spatialRank)) ||
      failed(verifyPositiveList(op, "rhs_dilation", op.getRhsDilation(), spatialRank)))
    return failure();
  // convolution_c9
  if (op.getWindowReversal() &&
      failed(verifyCount(op, "window_reversal", op.getWindowReversal()->size(), spatialRank)))
    return failure();
  // convolution_c12, c13, c17 to c20
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  if (failed(verifyConvDims(op, "input dimensions", "input_spatial_dimensions",
                            dims.getInputBatchDimension(), dims.getInputFeatureDimension(),
                            dims.getInputSpatialDimensions(), rank)) ||
      failed(verifyConvDims(op, "kernel dimensions", "kernel_spatial_dimensions",
                            dims.getKernelInputFeatureDimension(),
                            dims.getKernelOutputFeatureDimension(),
                            dims.getKernelSpatialDimensions(), rank)) ||
      failed(verifyConvDims(op, "output dimensions", "output_spatial_dimensions",
                            dims.getOutputBatchDimension(), dims.getOutputFeatureDimension(),
                            dims.getOutputSpatialDimensions(), rank)))
    return failure();
  if (failed(verifyConvGroups(op)))
    return failure();
  // Not in the specification, but in its verifier: a kernel of no elements.
  for (int64_t dim : dims.getKernelSpatialDimensions())
    if (rhs.getDimSize(dim) == 0)
      return op.emitOpError() << "expected kernel dimension " << dim
                              << " of size 1 or more, but got 0";
  // convolution_c24
  return verifyPrecision(op, op.getPrecisionConfig());
}

/// C25 to C27. `spatial` are the expected spatial sizes of the result.
template <typename ConvOp>
static LogicalResult verifyConvResult(ConvOp op, ArrayRef<int64_t> spatial) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  ConvDimensionNumbersAttr dims = op.getDimensionNumbers();
  SmallVector<int64_t> expected(lhs.getRank());
  int64_t batch = lhs.getDimSize(dims.getInputBatchDimension());
  expected[dims.getOutputBatchDimension()] =
      ShapedType::isDynamic(batch) ? batch : batch / int64_t(op.getBatchGroupCount());
  expected[dims.getOutputFeatureDimension()] =
      rhs.getDimSize(dims.getKernelOutputFeatureDimension());
  for (auto [dim, size] : llvm::zip(dims.getOutputSpatialDimensions(), spatial))
    expected[dim] = size;
  // convolution_c25, convolution_c26
  if (failed(verifyShape(op, "the result", op.getType(), expected)))
    return failure();
  // convolution_c27
  auto left = dyn_cast<IntegerType>(lhs.getElementType());
  auto right = dyn_cast<IntegerType>(rhs.getElementType());
  if (left && right && left.getWidth() != right.getWidth())
    return op->emitOpError() << "expected integers of one width to multiply, but got " << left
                             << " and " << right;
  return verifySameKind(op, lhs, rhs, op.getType());
}

/// C25 to C27, by the windows of the input's spatial dimensions.
template <typename ConvOp>
static LogicalResult verifyConvWindows(ConvOp op, ArrayRef<WindowDim> windows) {
  SmallVector<int64_t> spatial;
  for (auto [dim, window] :
       llvm::zip(op.getDimensionNumbers().getInputSpatialDimensions(), windows)) {
    std::optional<int64_t> count = countWindows(op.getLhs().getType().getDimSize(dim), window);
    if (!count)
      return op.emitOpError() << "the padded size of input dimension " << dim
                              << " does not fit in 63 bits";
    spatial.push_back(*count);
  }
  return verifyConvResult(op, spatial);
}

LogicalResult ConvolutionOp::verify() {
  // convolution_c4
  int64_t spatialRank = std::max<int64_t>(getLhs().getType().getRank() - 2, 0);
  if (failed(verifyConvAttributes(*this)) ||
      failed(verifyPaddingShape(*this, getPaddingAttr(), spatialRank)))
    return failure();
  return verifyConvWindows(*this, getWindow(*this));
}

LogicalResult DynamicConvOp::verify() {
  if (failed(verifyConvAttributes(*this)))
    return failure();
  int64_t spatialRank = getLhs().getType().getRank() - 2;
  // dynamic_conv_c4
  if (failed(verifyShape(*this, "padding", getPadding().getType(), {spatialRank, 2})))
    return failure();
  std::optional<SmallVector<int64_t>> padding = constantIntegers(getPadding());
  if (!padding)
    return verifyConvResult(*this, SmallVector<int64_t>(spatialRank, ShapedType::kDynamic));
  SmallVector<WindowDim> windows = getWindow(*this);
  for (auto [i, window] : llvm::enumerate(windows)) {
    window.padLow = (*padding)[2 * i];
    window.padHigh = (*padding)[2 * i + 1];
  }
  UserErrorScope scope(getContext());
  return verifyConvWindows(*this, windows);
}

} // namespace forge::stablehlo

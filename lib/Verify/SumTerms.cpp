#include "SumTerms.h"

#include "ProductFactors.h"

#include "forge/Dialect/StableHLO/IR/Chlo.h"
#include "forge/Dialect/StableHLO/IR/DynamicCalls.h"
#include "forge/Dialect/Transformer/IR/Transformer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;
using namespace forge;
using reference::Dims;

bool forge::holdsFloats(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

static double sizesOf(const Dims &shape, ArrayRef<int64_t> dimensions) {
  double product = 1;
  for (int64_t dimension : dimensions)
    product *= static_cast<double>(std::max<int64_t>(shape[dimension], 1));
  return product;
}

static double stablehloTerms(Operation *op, OperandShape shapeOf) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op))
    return sizesOf(shapeOf(0), dot.getDotDimensionNumbers().getLhsContractingDimensions());
  if (auto dot = dyn_cast<chlo::RaggedDotOp>(op))
    return sizesOf(shapeOf(0), dot.getRaggedDotDimensionNumbers().getLhsContractingDimensions());
  if (isa<stablehlo::DotOp>(op))
    return static_cast<double>(shapeOf(0).back());
  if (auto conv = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    SmallVector<int64_t> summed(conv.getDimensionNumbers().getKernelSpatialDimensions());
    summed.push_back(conv.getDimensionNumbers().getKernelInputFeatureDimension());
    return sizesOf(shapeOf(1), summed);
  }
  if (auto conv = dyn_cast<stablehlo::DynamicConvOp>(op)) {
    SmallVector<int64_t> summed(conv.getDimensionNumbers().getKernelSpatialDimensions());
    summed.push_back(conv.getDimensionNumbers().getKernelInputFeatureDimension());
    return sizesOf(shapeOf(1), summed);
  }
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return sizesOf(shapeOf(0), reduce.getDimensions());
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(op)) {
    double product = 1;
    for (int64_t size : window.getWindowDimensions())
      product *= static_cast<double>(size);
    return product;
  }
  auto call = dyn_cast<stablehlo::CustomCallOp>(op);
  if (call && call.getCallTargetName() == stablehlo::kDynamicReduceWindow) {
    // The window comes at run time: frameworks print this for running sums along one dimension.
    double longest = 1;
    for (int64_t size : shapeOf(0))
      longest = std::max(longest, static_cast<double>(size));
    return longest;
  }
  if (auto window = dyn_cast<stablehlo::SelectAndScatterOp>(op)) {
    double product = 1;
    if (std::optional<ArrayRef<int64_t>> sizes = window.getWindowDimensions())
      for (int64_t size : *sizes)
        product *= static_cast<double>(size);
    return product;
  }
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    // At worst every update lands on one element.
    double updates = 1;
    for (int64_t size : shapeOf(scatter.getInputs().size()))
      updates *= static_cast<double>(size);
    return std::max(updates, 1.0);
  }
  if (isa<stablehlo::BatchNormTrainingOp, stablehlo::BatchNormGradOp>(op)) {
    double elements = 1;
    for (int64_t size : shapeOf(0))
      elements *= static_cast<double>(size);
    return elements;
  }
  if (isa<stablehlo::TriangularSolveOp, stablehlo::CholeskyOp>(op))
    return static_cast<double>(shapeOf(0).back());
  return 1;
}

/// Points of the loops that a linalg operation adds up over.
static double linalgTerms(linalg::LinalgOp op, OperandShape shapeOf) {
  if (op.getNumReductionLoops() == 0 || !bodyHas(op, arith::AddFOp::getOperationName()))
    return 1;
  SmallVector<double> sizes(op.getNumLoops(), 1);
  for (auto [i, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    Dims shape = shapeOf(static_cast<unsigned>(i));
    for (auto [expr, size] : llvm::zip(map.getResults(), shape))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        sizes[loop.getPosition()] = static_cast<double>(std::max<int64_t>(size, 1));
  }
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  double product = 1;
  for (unsigned loop : summed)
    product *= sizes[loop];
  return product;
}

/// The largest dimension among the last two of the float operands: the sums of transformer ops run
/// over no more.
static double longestRow(Operation *op, OperandShape shapeOf) {
  int64_t longest = 1;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    if (!holdsFloats(op->getOperand(i).getType()))
      continue;
    Dims shape = shapeOf(i);
    for (size_t d = shape.size() < 2 ? 0 : shape.size() - 2; d < shape.size(); ++d)
      longest = std::max(longest, shape[d]);
  }
  return static_cast<double>(longest);
}

/// What `sum` says of itself where its operands have these sizes.
static int64_t reductionLength(transformer::AccumulationOpInterface sum, OperandShape shapeOf) {
  int64_t length = sum.getReductionLength();
  if (!ShapedType::isDynamic(length))
    return length;
  Block sized;
  IRMapping operands;
  for (auto [i, operand] : llvm::enumerate(sum->getOperands())) {
    Type type = operand.getType();
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      type = tensor.clone(shapeOf(i));
    operands.map(operand, sized.addArgument(type, sum.getLoc()));
  }
  Operation *copy = sum->cloneWithoutRegions(operands);
  length = cast<transformer::AccumulationOpInterface>(copy).getReductionLength();
  copy->destroy();
  return length;
}

/// Terms in the longest sum of a transformer op.
static double transformerTerms(Operation *op, OperandShape shapeOf) {
  if (auto softmax = dyn_cast<transformer::SoftmaxOp>(op))
    return sizesOf(shapeOf(0), softmax.getDimension());
  if (auto softmax = dyn_cast<transformer::LogSoftmaxOp>(op))
    return sizesOf(shapeOf(0), softmax.getDimension());
  if (auto matmul = dyn_cast<transformer::MatmulOp>(op))
    return sizesOf(shapeOf(0), matmul.getLhsContractingDim());
  if (auto sum = dyn_cast<transformer::AccumulationOpInterface>(op))
    return static_cast<double>(std::max<int64_t>(reductionLength(sum, shapeOf), 1));
  return longestRow(op, shapeOf);
}

double forge::sumTermsOf(Operation *op, OperandShape shapeOf) {
  if (isa_and_nonnull<transformer::TransformerDialect>(op->getDialect()))
    return transformerTerms(op, shapeOf);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return linalgTerms(structured, shapeOf);
  return stablehloTerms(op, shapeOf);
}

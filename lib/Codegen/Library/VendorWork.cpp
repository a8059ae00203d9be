#include "forge/Codegen/VendorWork.h"

#include "ConvolutionCall.h"
#include "LibraryProduct.h"

#include "../FlashAttention/AttentionCall.h"
#include "../FlashBackward/GradientCall.h"
#include "../Strategy/ProductFollow.h"

#include "forge/Codegen/Contraction.h"

#include <bit>

using namespace mlir;
using namespace forge;

static std::optional<forge_rt_type> typeOf(Type type) {
  if (type.isF32())
    return FORGE_RT_F32;
  if (type.isF16())
    return FORGE_RT_F16;
  if (type.isBF16())
    return FORGE_RT_BF16;
  if (type.isF64())
    return FORGE_RT_F64;
  return std::nullopt;
}

namespace {
/// How the library is told of a batch of matrices.
struct Matrices {
  int64_t transposed = 0, stride = 0, batchStride = 0;
};
} // namespace

/// Nothing if neither rows nor columns are side by side, or if a stride is not known.
static std::optional<Matrices> matricesOf(const LibraryProduct &product,
                                          const ProductOperand &operand,
                                          std::optional<unsigned> row,
                                          std::optional<unsigned> column) {
  auto strideOf = [&](std::optional<unsigned> axis) -> std::optional<int64_t> {
    const ProductOperand::Place *place = axis ? operand.placeOf(*axis) : nullptr;
    if (!place)
      return 0;
    return place->stride.dynamic.empty() ? std::optional(place->stride.known) : std::nullopt;
  };
  auto sizeOf = [&](std::optional<unsigned> axis) {
    return axis ? product.axes.axes[*axis].size : int64_t(1);
  };
  std::optional<int64_t> batch = strideOf(product.batch), rows = strideOf(row),
                         columns = strideOf(column);
  if (!batch || !rows || !columns)
    return std::nullopt;
  Matrices matrices;
  matrices.batchStride = *batch;
  if (*columns == 1 || sizeOf(column) == 1)
    matrices.stride = sizeOf(row) == 1 ? sizeOf(column) : *rows;
  else if (*rows == 1 || sizeOf(row) == 1) {
    matrices.transposed = 1;
    matrices.stride = *columns;
  } else {
    return std::nullopt;
  }
  return matrices;
}

static std::optional<VendorProduct> productCallOf(const LibraryProduct &product) {
  auto sizeOf = [&](std::optional<unsigned> axis) {
    return axis ? product.axes.axes[*axis].size : int64_t(1);
  };
  std::optional<forge_rt_type> lhsType = typeOf(getElementTypeOrSelf(product.left())),
                               rhsType = typeOf(getElementTypeOrSelf(product.right())),
                               outType = typeOf(getElementTypeOrSelf(product.out()));
  const ProductAxes &axes = product.axes;
  std::optional<Matrices> lhs = matricesOf(product, axes.left, product.row, product.term),
                          rhs = matricesOf(product, axes.right, product.term, product.column),
                          out = matricesOf(product, axes.out, product.row, product.column);
  if (!lhsType || !rhsType || !outType || !lhs || !rhs || !out || out->transposed)
    return std::nullopt;
  VendorProduct call;
  forge_rt_matmul &to = call.product;
  to.batch = sizeOf(product.batch);
  to.m = sizeOf(product.row);
  to.n = sizeOf(product.column);
  to.k = sizeOf(product.term);
  for (int64_t size : {to.batch, to.m, to.n, to.k})
    if (ShapedType::isDynamic(size) || size < 1)
      return std::nullopt;
  to.lhsType = *lhsType;
  to.rhsType = *rhsType;
  to.outType = *outType;
  to.lhsTransposed = lhs->transposed;
  to.rhsTransposed = rhs->transposed;
  to.lhsStride = lhs->stride;
  to.rhsStride = rhs->stride;
  to.outStride = out->stride;
  to.lhsBatchStride = lhs->batchStride;
  to.rhsBatchStride = rhs->batchStride;
  to.outBatchStride = out->batchStride;
  to.epilogue = product.epilogue.activation;
  to.alpha = std::bit_cast<int64_t>(1.0);
  call.hasBias = product.epilogue.bias != nullptr;
  call.hasResidual = product.epilogue.residual != nullptr;
  return call;
}

/// Gradients of attention; says what `ops` is not if they have no sums of what follows from scores.
static std::optional<VendorWork> gradientWorkOf(ArrayRef<Operation *> ops, const GPUChip &chip,
                                                WhyNot whyNot) {
  std::string why;
  FailureOr<ScoreProgram> program = ScoreProgram::build(ops, why);
  if (failed(program) || program->sums.empty()) {
    whyNot("it is not a product or a convolution, perhaps with bias, residual and activation, nor "
           "attention or a gradient of it");
    return std::nullopt;
  }
  FailureOr<FlashBackward> flash = matchFlashBackward(std::move(*program), chip, whyNot);
  if (failed(flash))
    return std::nullopt;
  if (std::optional<VendorGradient> gradient = gradientCallOf(*flash, whyNot))
    return *gradient;
  return std::nullopt;
}

std::optional<VendorWork> forge::vendorWorkOf(func::FuncOp kernel, const GPUChip &chip,
                                              llvm::function_ref<void(const Twine &)> whyNot) {
  if (std::optional<LibraryProduct> product = matchLibraryProduct(kernel)) {
    if (std::optional<VendorProduct> call = productCallOf(*product))
      return *call;
    whyNot("the library takes matrices of known sizes whose rows or columns are side by side");
    return std::nullopt;
  }
  if (convolutionOf(kernel)) {
    if (std::optional<rt::ConvolutionCall> call = convolutionCallOf(kernel, whyNot))
      return *call;
    return std::nullopt;
  }
  SmallVector<Operation *> ops =
      llvm::map_to_vector(kernel.getBody().front(), [](Operation &op) { return &op; });
  std::string why;
  FailureOr<AttentionProgram> program = AttentionProgram::build(ops, why);
  if (failed(program))
    return gradientWorkOf(ops, chip, whyNot);
  FailureOr<FlashAttention> flash = matchFlashAttention(std::move(*program), chip, whyNot);
  if (failed(flash))
    return std::nullopt;
  if (std::optional<rt::AttentionCall> call = attentionCallOf(*flash, whyNot))
    return *call;
  return std::nullopt;
}

bool forge::sumsRowsOfProducts(func::FuncOp kernel) {
  std::optional<ProductKernel> parts = matchProductKernel(kernel);
  if (!parts || parts->contractions.size() != 1 || parts->follow || parts->placing)
    return false;
  linalg::LinalgOp op = parts->contractions.front();
  // Of a result in f32, and a cotangent of 16 bits.
  return op.hasPureTensorSemantics() && op.getNumDpsInputs() == 2 && sumsFromZeros(op) &&
         op->getNumRegions() == 1 && addsProduct(op->getRegion(0).front()) &&
         op.getNumReductionLoops() == 1 &&
         llvm::all_of(ArrayRef(op.getIndexingMapsArray()).take_front(2),
                      [](AffineMap map) { return map.isPermutation(); });
}
